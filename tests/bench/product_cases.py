"""What is measured on products: the pages of a storefront, and what is hard in a large shop."""

from tests.bench.case import Case, graphql

DATA = "products"
LIST = "/store/products"
PRICED = f"{LIST}?region_id={{region_id}}"
PRICES = "*variants.calculated_price"
# As storefronts send it, trailing comma and all; `+` is `%2B` in a query string.
CATALOGUE = f"{PRICES},%2Bvariants.inventory_quantity,*variants.images,%2Bmetadata,%2Btags,"
EVERYTHING = f"{PRICES},%2Bvariants.inventory_quantity,*variants.images,*categories"
PLAIN = "id,title,handle,thumbnail"
DOCUMENT = """
query Products($region: ID) {
  products(limit: 20, regionId: $region) {
    count
    products {
      id title handle subtitle description thumbnail createdAt
      variants {
        id title sku manageInventory allowBackorder
        calculatedPrice {
          calculatedAmount calculatedAmountWithTax originalAmount currencyCode calculatedPrice { priceListType }
        }
      }
    }
  }
}"""

CASES = [
    Case(
        "20 products, all relations, prices",
        f"{PRICED}&limit=20&fields={PRICES}",
        DATA,
        peer_ms=59,
        aim_ms=5,
        aim_growth=1.2,
        statements=13,
    ),
    Case("one product by handle, everything", f"{PRICED}&handle={{handle}}&fields={EVERYTHING}", DATA, aim_ms=2.5),
    Case("one product by id", f"{LIST}/{{id}}?region_id={{region_id}}&fields={PRICES}", DATA),
    graphql(
        "GraphQL: 20 products with prices",
        DOCUMENT,
        data=DATA,
        variables={"region": "region_id"},
        aim_ms=6,
        statements=6,
    ),
    Case("20 products, plain fields", f"{LIST}?limit=20&fields={PLAIN}", DATA, statements=2),
    Case(
        "storefront: 100 of the catalogue",
        f"{PRICED}&limit=100&offset=0&fields={CATALOGUE}&order=created_at",
        DATA,
        statements=16,
    ),
    Case("storefront: of a category", f"{PRICED}&limit=12&fields={PRICES}&category_id[0]={{category_id}}", DATA),
    Case("storefront: of a collection", f"{PRICED}&limit=12&fields={PRICES}&collection_id={{collection_id}}", DATA),
    Case("storefront: regions", "/store/regions", DATA),
    Case("storefront: footer's collections", "/store/collections?fields=id,handle,title&limit=100", DATA),
    Case("q, one word", f"{LIST}?limit=20&fields={PLAIN}&q={{word}}", DATA, is_explained=True),
    Case("q, two words", f"{LIST}?limit=20&fields={PLAIN}&q={{words}}", DATA, is_explained=True),
    Case("q, a sku", f"{LIST}?limit=20&fields={PLAIN}&q={{sku}}", DATA, is_explained=True),
    Case("deep offset", f"{LIST}?limit=20&fields={PLAIN}&offset={{deep_offset}}", DATA, is_explained=True),
    Case(
        "deep offset by created_at",
        f"{LIST}?limit=20&fields={PLAIN}&order=created_at&offset={{deep_offset}}",
        DATA,
        is_explained=True,
    ),
    Case("count alone", f"{LIST}?limit=0&fields=id", DATA, aim_database_ms=60, is_explained=True),
    Case("20 variants", "/store/product-variants?limit=20", DATA),
]
