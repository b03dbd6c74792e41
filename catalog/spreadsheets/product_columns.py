"""The columns of products, those of Medusa's template and of Shopify's exports among them."""

from catalog.products.product_details import CUSTOMS, MEASURES
from catalog.spreadsheets.sanitised import HTML
from kit.errors import InvalidData, shown
from kit.spreadsheets.columns import AMOUNT, FLAG, LONG_TEXT, MEASURE, TEXT, WHOLE, Column, Columns, Kind
from pictures.names import path_in

_STATUSES = {"active": "published", "archived": "draft", "draft": "draft", "proposed": "proposed"} | {
    "published": "published",
    "rejected": "rejected",
    "unlisted": "draft",
}


def _status(cell: str) -> str:
    word = cell.strip().lower()
    if word not in _STATUSES:
        raise InvalidData(f"'{shown(cell)}' is not a status. Enter draft, proposed, published or rejected.")
    return _STATUSES[word]


def _address(cell: str) -> str:
    """As rows store it: pictures of this shop without its host."""
    address: str = LONG_TEXT.read(cell)
    return path_in(address) or address


def _thumbnail(cell: str) -> str:
    return "" if cell.strip().lower() == NO_THUMBNAIL else _address(cell)


def _backorder(cell: str) -> bool:
    return cell.strip().lower() == "continue"


NO_THUMBNAIL = "none"
"""The cell of a product with images and without a thumbnail; its value is "". An empty one follows the first image."""
_ADDRESS = Kind(_address)
_CUSTOMS_NAMES = {"hs_code": "HS Code", "mid_code": "MID Code"}


def _measured(owner: str, prefix: str) -> tuple[Column, ...]:
    """Those of a product or variant. Grams are the weight in files of Shopify."""
    return tuple(
        Column(
            f"{prefix}{name}",
            f"{owner} {_CUSTOMS_NAMES.get(name) or name.replace('_', ' ').title()}",
            MEASURE if name in MEASURES else TEXT,
            (f"{owner} Grams",) if name == "weight" else (),
        )
        for name in (*MEASURES, *CUSTOMS)
    )


COLUMNS = Columns(
    (
        Column("id", "Product Id"),
        Column("handle", "Product Handle", aliases=("Handle", "URL handle")),
        Column("title", "Product Title", aliases=("Title",)),
        Column("subtitle", "Product Subtitle", LONG_TEXT, ("Subtitle",)),
        Column("description", "Product Description", HTML, ("Body (HTML)", "Body HTML", "Description")),
        Column("status", "Product Status", Kind(_status), ("Status",)),
        Column("published", "Published", FLAG, ("Published on online store",)),
        Column("thumbnail", "Product Thumbnail", Kind(_thumbnail, lambda address: address or NO_THUMBNAIL)),
        *_measured("Product", ""),
        Column("shipping_profile", "Shipping Profile Id", aliases=("Shipping Profile", "Product Shipping Profile")),
        Column("channel:#", "Product Sales Channel {}"),
        Column(
            "collection",
            "Product Collection Id",
            aliases=("Product Collection Title", "Product Collection Handle", "Collection"),
        ),
        Column("type", "Product Type Id", aliases=("Product Type", "Type", "Custom Product Type")),
        Column("tag:#", "Product Tag {}"),
        Column("tags", "Product Tags", LONG_TEXT, ("Tags",)),
        Column("category:#", "Product Category {}"),
        Column("discountable", "Product Discountable", FLAG),
        Column("external_id", "Product External Id"),
        Column("is_giftcard", "Product Gift Card", FLAG, ("Gift Card",)),
        Column("requires_shipping", "Product Requires Shipping", FLAG),
        Column("seo_title", "Product SEO Title", aliases=("SEO Title",)),
        Column("seo_description", "Product SEO Description", LONG_TEXT, ("SEO Description",)),
        Column("variant_id", "Variant Id"),
        Column("variant_title", "Variant Title"),
        Column("sku", "Variant SKU", aliases=("SKU",)),
        Column("barcode", "Variant Barcode", aliases=("Barcode",)),
        Column("ean", "Variant EAN", aliases=("EAN",)),
        Column("upc", "Variant UPC", aliases=("UPC",)),
        Column("allow_backorder", "Variant Allow Backorder", FLAG),
        Column("policy", "Variant Inventory Policy", Kind(_backorder), ("Continue selling when out of stock",)),
        Column("manage_inventory", "Variant Manage Inventory", FLAG),
        Column("tracker", "Variant Inventory Tracker", aliases=("Inventory tracker",)),
        *_measured("Variant", "variant_"),
        Column("option_name:#", "Variant Option {} Name", aliases=("Option {} Name",)),
        Column("option_value:#", "Variant Option {} Value", aliases=("Option {} Value",), is_with_previous=True),
        Column("ships", "Variant Requires Shipping", FLAG),
        Column("plain_price", "Variant Price", AMOUNT, ("Price",)),
        Column("compare_at", "Variant Compare At Price", AMOUNT, ("Compare-at price", "Compare At Price")),
        Column("sale_price:", "Variant Sale Price {}", AMOUNT),
        Column("price:", "Variant Price {}", AMOUNT, ("Price {}",)),
        Column("quantity", "Variant Inventory Qty", WHOLE, ("Variant Inventory Quantity", "Inventory quantity")),
        Column("quantity_exported", "Stock Exported", WHOLE),
        Column("stock:", "Variant Stock {}", WHOLE, ("Stock {}",)),
        Column("stock_exported:", "Variant Stock Exported {}", WHOLE, ("Stock Exported {}",), is_with_previous=True),
        Column("image:#", "Product Image {} Url", _ADDRESS, ("Image {} Url",)),
        Column("row_image", "Image Src", _ADDRESS, ("Product image URL",)),
        Column("image_position", "Image Position", WHOLE),
    )
)
"""`price:` is followed by a currency, or by a region and its currency, as in `Variant Price Europe [EUR]`; `stock:` by
the name of a location. `plain_price`, `compare_at` and `quantity` are Shopify's, and need what the person chooses.
"""
PRODUCT = (
    *("handle", "title", "subtitle", "description", "status", "thumbnail", *MEASURES, *CUSTOMS, "discountable"),
    *("external_id", "is_giftcard", "requires_shipping", "seo_title", "seo_description"),
)
"""Fields that are columns of a product."""
VARIANT = {
    **{name: name for name in ("sku", "barcode", "ean", "upc", "allow_backorder", "manage_inventory")},
    "variant_title": "title",
    **{f"variant_{name}": name for name in (*MEASURES, *CUSTOMS)},
}
"""Columns of a variant, by field."""
ONE = {"shipping_profile": "shipping_profile_id", "collection": "collection_id", "type": "type_id"}
MANY = {"tag": "tags", "category": "categories", "channel": "sales_channels"}
KEPT = (
    *("handle", "title", "status", "discountable", "is_giftcard", "requires_shipping", "allow_backorder"),
    "manage_inventory",
)
"""What an empty cell leaves as it is."""
