"""Every resource of the interface and its fields, the catalogue's and the payments' apart."""

from tests.interface_walk.catalogue_resources import CATALOGUE
from tests.interface_walk.payment_resources import PAYMENTS
from tests.interface_walk.tables import Fields, fields

_TIMES = "created_at updated_at"
_COUNTS = "fulfilled delivered shipped return_requested return_received return_dismissed written_off"

RESOURCES: dict[str, Fields] = {
    "API key": fields(
        text="id token redacted title type created_by revoked_by",
        moment=f"last_used_at revoked_at deleted_at {_TIMES}",
    ),
    "Customer": fields(
        text="id email default_billing_address_id default_shipping_address_id company_name first_name last_name phone",
        object="metadata",
        moment=f"deleted_at {_TIMES}",
        many={"addresses": "Address"},
    ),
    "Address": fields(
        text="id address_name customer_id company first_name last_name address_1 address_2 city country_code province"
        " postal_code phone",
        flag="is_default_shipping is_default_billing",
        object="metadata",
        moment=_TIMES,
    ),
    "Gift card": fields(
        text="id code status currency_code customer_id reference_id reference note",
        number="value",
        moment=f"expires_at {_TIMES}",
        one={"customer": "Customer", "line_item": "Line item"},
    ),
    "Line item": fields(
        text="id title subtitle thumbnail variant_id product_id product_title product_description product_subtitle"
        " product_type product_type_id product_collection product_handle variant_sku variant_barcode variant_title",
        number="compare_at_unit_price unit_price quantity original_total original_subtotal original_tax_total"
        " item_total item_subtotal item_tax_total total subtotal tax_total discount_total discount_tax_total"
        " refundable_total refundable_total_per_unit",
        flag="requires_shipping is_discountable is_tax_inclusive",
        object="variant_option_values metadata",
        moment=_TIMES,
        one={"variant": "Variant", "product": "Product", "detail": "Line item detail"},
        many={"tax_lines": "Tax line", "adjustments": "Adjustment"},
    ),
    "Tax line": fields(
        text="id item_id description tax_rate_id code provider_id",
        number="total subtotal rate",
        moment=_TIMES,
        one={"item": "Line item"},
    ),
    "Adjustment": fields(
        text="id item_id code order_id description promotion_id provider_id",
        number="amount",
        moment=_TIMES,
        one={"item": "Line item"},
    ),
    "Line item detail": fields(
        text="id item_id",
        number=" ".join(["quantity", *(f"{name}_quantity" for name in _COUNTS.split())]),
        object="metadata",
        moment=_TIMES,
        one={"item": "Line item"},
    ),
    "Shipping option": fields(
        text="id name price_type service_zone_id provider_id shipping_profile_id",
        number="amount",
        flag="insufficient_inventory",
        object="data",
        one={
            "provider": "Shipping option.provider",
            "type": "Shipping option.type",
            "calculated_price": "Calculated price",
            "service_zone": "Shipping option.service_zone",
        },
        many={"prices": "Shipping option price"},
    ),
    "Shipping option.provider": fields(text="id", flag="is_enabled"),
    "Shipping option.type": fields(text="id label description code"),
    "Shipping option.service_zone": fields(
        text="id fulfillment_set_id", one={"fulfillment_set": "Service zone fulfillment_set"}
    ),
    "Service zone fulfillment_set": fields(text="id type", one={"location": "Service zone fulfillment_set.location"}),
    "Service zone fulfillment_set.location": fields(text="id", one={"address": "Location address"}),
    "Location address": fields(
        text="id company address_1 address_2 city country_code province postal_code phone",
        object="metadata",
        moment=f"deleted_at {_TIMES}",
    ),
    "Shipping option price": fields(
        text="id currency_code",
        number="amount min_quantity max_quantity",
        many={"price_rules": "Shipping option price.price_rules"},
    ),
    "Shipping option price.price_rules": fields(text="id attribute value operator"),
    "Store credit account": fields(
        text="id customer_id currency_code",
        number="credits debits balance",
        object="metadata",
        moment=_TIMES,
        one={"customer": "Customer"},
        many={"transaction_groups": "Transaction group"},
    ),
    "Transaction group": fields(
        text="id code",
        number="credits debits balance",
        object="metadata",
        one={"account": "Store credit account"},
    ),
    **CATALOGUE,
    **PAYMENTS,
}
