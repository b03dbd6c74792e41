"""What of the interface's resources is the catalogue's, and the fields of each."""

from tests.interface_walk.tables import Fields, fields

_RECORD = {"object": "metadata", "moment": "created_at updated_at deleted_at"}
_CUSTOMS = "origin_country hs_code mid_code material"
_SIZES = "weight length height width"
_AMOUNTS = " ".join(
    f"{which}_amount{tax}" for which in ("calculated", "original") for tax in ("", "_with_tax", "_without_tax")
)

CATALOGUE: dict[str, Fields] = {
    "Product category": fields(
        text="id name description handle parent_category_id",
        number="rank",
        one={"parent_category": "Product category"},
        many={"category_children": "Product category", "products": "Product"},
        **_RECORD,
    ),
    "Product": fields(
        text=f"id title handle subtitle description thumbnail collection_id type_id external_id status {_CUSTOMS}",
        number=_SIZES,
        flag="is_giftcard discountable",
        one={"collection": "Product collection", "type": "Product type"},
        many={
            "categories": "Product category",
            "tags": "Product tag",
            "variants": "Variant",
            "options": "Product option",
            "images": "Product image",
        },
        **_RECORD,
    ),
    "Product option": fields(
        text="id title product_id", one={"product": "Product"}, many={"values": "Variant option value"}, **_RECORD
    ),
    "Product type": fields(text="id value", **_RECORD),
    "Product collection": fields(text="id title handle", many={"products": "Product"}, **_RECORD),
    "Product tag": fields(text="id value", **_RECORD),
    "Product image": fields(text="id url", number="rank", **_RECORD),
    "Variant": fields(
        text=f"id title sku barcode ean upc product_id {_CUSTOMS}",
        number=f"inventory_quantity variant_rank {_SIZES}",
        flag="allow_backorder manage_inventory",
        one={"product": "Product", "calculated_price": "Calculated price"},
        many={"options": "Variant option value"},
        **_RECORD,
    ),
    "Variant option value": fields(text="id value option_id", one={"option": "Product option"}, **_RECORD),
    "Calculated price": fields(
        text="id currency_code",
        number=_AMOUNTS,
        flag=" ".join(
            f"is_{which}_price_{fact}"
            for which in ("calculated", "original")
            for fact in ("price_list", "tax_inclusive")
        ),
        one={"calculated_price": "Price reference", "original_price": "Price reference"},
    ),
    "Price reference": fields(text="id price_list_id price_list_type", number="min_quantity max_quantity"),
}
