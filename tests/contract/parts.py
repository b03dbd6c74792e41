"""The fields of what stands only inside resources, as the contract has them, by GraphQL's name of the type."""

PARTS = {
    "Adjustment": ("id item_id code amount order_id description promotion_id provider_id item created_at updated_at"),
    "ApplicationMethod": "type value currency_code target_type",
    "Capture": "id created_by amount created_at payment",
    "CartAddress": (
        "id first_name last_name company address_1 address_2 city country_code province postal_code "
        "phone metadata created_at updated_at"
    ),
    "Country": "iso_2 iso_3 num_code name display_name",
    "CreditLine": "id cart_id amount reference reference_id metadata created_at updated_at",
    "FulfillmentSet": "id type location",
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
    "Order": "id",
    "PaymentProvider": "id",
    "Payment": (
        "id currency_code provider_id amount authorized_amount captured_amount refunded_amount data "
        "captured_at canceled_at captures refunds payment_collection payment_session created_at "
        "updated_at"
    ),
    "PaymentSession": (
        "id provider_id amount currency_code data context status authorized_at payment_collection payment"
    ),
    "PriceReference": "id price_list_id price_list_type min_quantity max_quantity",
    "ProductImage": "id url rank metadata created_at updated_at deleted_at",
    "ProductOptionValue": "id value option_id option metadata created_at updated_at deleted_at",
    "Promotion": "id code is_automatic application_method",
    "RefundReason": "id label description code metadata created_at updated_at",
    "Refund": "id refund_reason_id note created_by amount created_at payment refund_reason",
    "SalesChannel": "id name",
    "ShippingMethodAdjustment": "id shipping_method_id code amount description promotion_id created_at updated_at",
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
    "StockLocationAddress": (
        "id company address_1 address_2 city country_code province postal_code phone metadata "
        "created_at updated_at deleted_at"
    ),
    "StockLocation": "id address",
    "TaxLine": ("id item_id item total subtotal description tax_rate_id code rate provider_id created_at updated_at"),
    "TransactionGroup": "id code account metadata credits debits balance created_at updated_at",
}
