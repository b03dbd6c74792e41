"""What is measured on categories."""

from tests.bench.case import Case, graphql

DATA = "categories"
SCALARS = "id,name,description,handle,rank,parent_category_id,metadata,created_at,updated_at,deleted_at"
LIST = "/store/product-categories"
DOCUMENT = """
{ productCategories { count productCategories { ...Own parentCategory { ...Own } categoryChildren { ...Own } } } }
fragment Own on ProductCategory {
  id name description handle rank parentCategoryId metadata createdAt updatedAt deletedAt
}"""

CASES = [
    Case("50 categories, default fields", LIST, DATA, "/default", 18.7, 1.5, statements=4),
    Case("50 categories, plain fields", f"{LIST}?fields={SCALARS}", DATA, "/plain", 6.9, 0.9, 2.5, statements=2),
    Case(
        "50 categories, *category_children",
        f"{LIST}?fields={SCALARS},*category_children",
        DATA,
        "/children",
        14.6,
        1.4,
        statements=3,
    ),
    Case(
        "50 categories with whole trees",
        f"{LIST}?fields={SCALARS},*category_children&include_descendants_tree=true&order=name&offset={{trees_offset}}",
        DATA,
        "/trees",
        242,
        8,
        statements=3,
    ),
    Case(
        "the same, parents as well",
        f"{LIST}?include_descendants_tree=true&order=name&offset={{trees_offset}}",
        DATA,
        statements=4,
    ),
    Case("50 categories, deep offset", f"{LIST}?offset={{deep_offset}}", DATA, statements=4),
    Case("filter by handle", f"{LIST}?handle={{handle}}", DATA, statements=4),
    Case("search, q=", f"{LIST}?q={{word}}", DATA, statements=4),
    Case("one category", f"{LIST}/{{id}}", DATA, statements=4),
    Case("1,000 categories, plain fields", f"{LIST}?fields={SCALARS}&limit=1000", DATA, statements=2),
    graphql("GraphQL: 50 categories with relatives", DOCUMENT, data=DATA, peer_ms=64, aim_ms=2.0, statements=4),
    Case("POST an API key", "/admin/api-keys", DATA, method="POST", body='{"title": "Bench", "type": "publishable"}'),
]
