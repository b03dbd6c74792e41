"""The fields of what stands only inside resources, as the contract has them, by GraphQL's name of the type."""

PARTS = {
    "AdminPrice": (
        "id title currency_code amount raw_amount min_quantity max_quantity price_set_id rules price_rules created_at "
        "updated_at deleted_at"
    ),
    "PriceRule": "id price_id attribute operator value created_at updated_at deleted_at",
    "AdminProductOptionValue": "rank id value option_id option metadata created_at updated_at deleted_at",
    "AdminProductImage": "variants id url rank metadata created_at updated_at deleted_at",
    "VariantInventoryItem": "id variant_id inventory_item_id required_quantity inventory",
    "Adjustment": (
        "id item_id code amount is_tax_inclusive order_id description promotion_id provider_id item created_at "
        "updated_at"
    ),
    "AdminApplicationMethod": (
        "id type value currency_code target_type allocation max_quantity buy_rules_min_quantity apply_to_quantity "
        "description target_rules buy_rules"
    ),
    "CampaignBudget": "id type currency_code limit used attribute",
    "PromotionRule": "id attribute operator values description",
    "RuleValue": "id value",
    "ApplicationMethod": "type value currency_code target_type allocation",
    "Capture": "id created_by amount created_at payment",
    "Country": "iso_2 iso_3 num_code name display_name",
    "CreditLine": "id cart_id amount reference reference_id metadata created_at updated_at",
    "FulfillmentSet": "id type location",
    "BoughtGiftCard": "id code value status",
    "GiftCardLineItemAdjustment": (
        "order_id id item_id code amount description promotion_id provider_id is_tax_inclusive item created_at "
        "updated_at deleted_at"
    ),
    "GiftCardLineItemDetail": (
        "id item_id quantity fulfilled_quantity delivered_quantity shipped_quantity "
        "return_requested_quantity return_received_quantity return_dismissed_quantity "
        "written_off_quantity item metadata created_at updated_at"
    ),
    "GiftCardLineItem": (
        "id title subtitle thumbnail variant_id product_id product_title product_description "
        "product_subtitle product_type product_type_id product_collection product_handle "
        "variant_sku variant_barcode variant_title variant_option_values requires_shipping "
        "is_discountable is_giftcard is_tax_inclusive compare_at_unit_price unit_price quantity "
        "item_total item_subtotal item_tax_total refundable_total refundable_total_per_unit "
        "tax_lines adjustments detail variant product metadata total subtotal tax_total "
        "discount_total discount_subtotal discount_tax_total original_total original_subtotal "
        "original_tax_total created_at updated_at"
    ),
    "DraftItem": (
        "is_custom_price id title subtitle thumbnail variant_id product_id product_title product_description "
        "product_subtitle product_type product_type_id product_collection product_handle variant_sku "
        "variant_barcode variant_title variant_option_values requires_shipping is_discountable is_giftcard "
        "is_tax_inclusive compare_at_unit_price unit_price quantity item_total item_subtotal item_tax_total "
        "refundable_total refundable_total_per_unit tax_lines adjustments detail variant product metadata total "
        "subtotal tax_total discount_total discount_subtotal discount_tax_total original_total original_subtotal "
        "original_tax_total created_at updated_at"
    ),
    "DraftMethod": (
        "is_custom_amount id cart_id shipping_option_id name description amount is_tax_inclusive data tax_lines "
        "adjustments metadata total subtotal tax_total discount_total discount_subtotal discount_tax_total "
        "original_total original_subtotal original_tax_total created_at updated_at"
    ),
    "InvoiceLine": (
        "id kind reference_id title variant_title sku quantity unit_price is_tax_inclusive discount_total category "
        "combination subtotal tax_total total"
    ),
    "InvoiceTax": "id category combination code description rate subtotal total",
    "LineItemDetail": (
        "id item_id quantity fulfilled_quantity delivered_quantity shipped_quantity "
        "return_requested_quantity return_received_quantity return_dismissed_quantity "
        "written_off_quantity item metadata created_at updated_at"
    ),
    "LineItem": (
        "id title subtitle thumbnail variant_id product_id product_title product_description "
        "product_subtitle product_type product_type_id product_collection product_handle "
        "variant_sku variant_barcode variant_title variant_option_values requires_shipping "
        "is_discountable is_giftcard is_tax_inclusive compare_at_unit_price unit_price quantity "
        "item_total item_subtotal item_tax_total refundable_total refundable_total_per_unit "
        "tax_lines adjustments detail variant product metadata total subtotal tax_total "
        "discount_total discount_subtotal discount_tax_total original_total original_subtotal "
        "original_tax_total created_at updated_at"
    ),
    "OrderLineItem": (
        "id title subtitle thumbnail variant_id product_id product_title product_description product_subtitle "
        "product_type product_type_id product_collection product_handle variant_sku variant_barcode variant_title "
        "variant_option_values requires_shipping is_discountable is_giftcard is_tax_inclusive compare_at_unit_price "
        "unit_price quantity item_total item_subtotal item_tax_total refundable_total refundable_total_per_unit "
        "tax_lines adjustments detail variant product metadata total subtotal tax_total discount_total "
        "discount_subtotal discount_tax_total original_total original_subtotal original_tax_total created_at "
        "updated_at gift_cards order_id is_custom_price line_item_metadata fulfilled_total shipped_total "
        "return_requested_total return_received_total return_dismissed_total write_off_total deleted_at"
    ),
    "CustomerOrder": (
        "id status display_id custom_display_id version email currency_code region_id customer_id "
        "sales_channel_id payment_status fulfillment_status item_total item_subtotal item_tax_total "
        "original_item_total original_item_subtotal original_item_tax_total shipping_total shipping_subtotal "
        "shipping_tax_total original_shipping_total original_shipping_subtotal original_shipping_tax_total "
        "credit_line_total credit_line_subtotal metadata total subtotal tax_total discount_total "
        "discount_subtotal discount_tax_total original_total original_subtotal original_tax_total created_at "
        "updated_at"
    ),
    "Fulfillment": (
        "id provider_id requires_shipping location_id created_by data items labels packed_at shipped_at delivered_at "
        "canceled_at created_at updated_at"
    ),
    "AdminFulfillmentItem": "sku barcode inventory_item_id units id line_item_id title quantity",
    "FulfillmentItem": ("id line_item_id title quantity"),
    "FulfillmentLabel": ("id tracking_number tracking_url label_url"),
    "AdminReturnItem": (
        "arrived_quantity arrived_damaged_quantity id return_id item_id quantity received_quantity damaged_quantity "
        "reason_id note reason item metadata created_at updated_at"
    ),
    "OrderChangeAction": "id action reference reference_id return_id details internal_note",
    "OrderEditAction": (
        "id order_change_id ordering action reference reference_id return_id exchange_id claim_id details amount "
        "applied internal_note"
    ),
    "ExchangeItem": ("exchange_id id order_id item_id quantity internal_note item metadata created_at updated_at"),
    "ClaimItem": "claim_id reason id order_id item_id quantity internal_note item metadata created_at updated_at",
    "OutboundMethod": (
        "id order_id shipping_option_id amount is_tax_inclusive is_custom_amount description internal_note metadata "
        "created_at updated_at"
    ),
    "ReturnItem": (
        "id return_id item_id quantity received_quantity damaged_quantity reason_id note reason item metadata "
        "created_at updated_at"
    ),
    "OrderAdjustment": (
        "id item_id code amount description promotion_id provider_id is_tax_inclusive item created_at "
        "updated_at deleted_at"
    ),
    "OrderCapture": ("id created_by amount created_at payment"),
    "OrderCart": ("id"),
    "OrderCreditLine": (
        "id amount reference reference_id metadata created_at updated_at order_id version subtotal total deleted_at"
    ),
    "OrderLineItemDetail": (
        "id order_id item_id version quantity unit_price compare_at_unit_price fulfilled_quantity "
        "delivered_quantity shipped_quantity return_requested_quantity return_received_quantity "
        "return_dismissed_quantity written_off_quantity metadata created_at updated_at deleted_at"
    ),
    "OrderPayment": (
        "id currency_code provider_id amount authorized_amount captured_amount refunded_amount data "
        "captured_at canceled_at captures refunds payment_collection payment_session created_at updated_at"
    ),
    "OrderPaymentCollection": (
        "payment_providers id currency_code amount authorized_amount captured_amount refunded_amount "
        "completed_at status payment_sessions payments metadata created_at updated_at deleted_at"
    ),
    "OrderPaymentSession": (
        "id provider_id amount currency_code data context status authorized_at payment_collection payment"
    ),
    "OrderPromotion": ("id code is_automatic is_tax_inclusive application_method"),
    "OrderRefund": ("id refund_reason_id note created_by amount created_at payment refund_reason"),
    "OrderShippingMethod": (
        "detail id shipping_option_id name description amount is_tax_inclusive data tax_lines adjustments "
        "metadata total subtotal tax_total discount_total discount_subtotal discount_tax_total original_total "
        "original_subtotal original_tax_total created_at updated_at order_id is_custom_amount deleted_at"
    ),
    "OrderShippingMethodAdjustment": (
        "id shipping_method_id code amount is_tax_inclusive description promotion_id created_at updated_at deleted_at"
    ),
    "OrderShippingMethodDetail": (
        "id version order_id shipping_method_id return_id exchange_id claim_id created_at updated_at deleted_at"
    ),
    "OrderShippingMethodTaxLine": (
        "id shipping_method_id metadata data total subtotal description tax_rate_id code rate provider_id "
        "created_at updated_at deleted_at"
    ),
    "OrderSummary": (
        "paid_total refunded_total accounting_total credit_line_total transaction_total pending_difference "
        "current_order_total original_order_total allowance_total"
    ),
    "OrderTransaction": "id order_id amount currency_code reference reference_id version created_at",
    "OrderTaxLine": (
        "id item_id metadata data item total subtotal description tax_rate_id code rate provider_id "
        "created_at updated_at deleted_at"
    ),
    "PaymentProvider": "id",
    "StoreCurrency": (
        "id currency_code store_id is_default is_tax_inclusive currency created_at updated_at deleted_at"
    ),
    "Payment": (
        "id currency_code provider_id amount authorized_amount captured_amount refunded_amount data "
        "captured_at canceled_at captures refunds payment_collection payment_session created_at "
        "updated_at"
    ),
    "PriceReference": "id price_list_id price_list_type min_quantity max_quantity",
    "ProductImage": "id url rank metadata created_at updated_at deleted_at",
    "Promotion": "id code is_automatic is_tax_inclusive application_method",
    "AdminRefund": "payment_id id refund_reason_id note created_by amount created_at payment refund_reason",
    "RefundPart": "id amount payment_id store_credit_account_id status error",
    "Refund": "id refund_reason_id note created_by amount created_at payment refund_reason",
    "SkippedCode": "code reason message missing",
    "ShippingMethodAdjustment": (
        "id shipping_method_id code amount is_tax_inclusive description promotion_id created_at updated_at"
    ),
    "ShippingMethod": (
        "id cart_id shipping_option_id name description amount is_tax_inclusive data tax_lines "
        "adjustments metadata total subtotal tax_total discount_total discount_subtotal "
        "discount_tax_total original_total original_subtotal original_tax_total created_at "
        "updated_at"
    ),
    "ShippingMethodTaxLine": (
        "id shipping_method_id total subtotal description tax_rate_id code rate provider_id created_at updated_at"
    ),
    "ShippingOptionPriceRule": "id attribute operator value",
    "ShippingOptionPrice": "id currency_code amount min_quantity max_quantity price_rules",
    "StockLocation": "id address",
    "TaxRateRule": "id reference reference_id created_at",
    "GeoZone": "id type country_code province_code city postal_expression created_at updated_at deleted_at",
    "ShippingOptionRule": "id attribute operator value shipping_option_id created_at updated_at deleted_at",
    "AdminShippingOptionPrice": (
        "id title currency_code amount raw_amount min_quantity max_quantity price_set_id price_rules created_at "
        "updated_at deleted_at"
    ),
    "TaxLine": ("id item_id item total subtotal description tax_rate_id code rate provider_id created_at updated_at"),
    "TransactionGroup": "id code account metadata credits debits balance created_at updated_at",
}
