"""Attackers' requests count as expensive. Those of storefronts count as cheap, or as pages of many rows."""

from urllib.parse import quote

import orjson
import pytest
from graphql import OperationType
from pytest_django import Settings

from carts.api.resources import CARTS
from catalog.api.resources import PRODUCT_CATEGORIES, PRODUCT_VARIANTS, PRODUCTS
from commerce.operations.server.request_kinds import is_upload, kind_of
from commerce.schema import SCHEMA
from kit.graphql.fields.mutations import Change
from kit.reads.declarations.shapes import shape_of
from kit.reads.resources import Resource
from kit.rest.preparation import work_before
from kit.server.lanes import Kind
from orders.admin.actions import action_url
from orders.api.resources.orders import ORDERS
from tests.contract.routes import Route, routes

pytestmark = pytest.mark.once

CATALOGUE = (
    "*variants.calculated_price,+variants.inventory_quantity,*variants.images,*variants.options,+metadata,+tags,"
)
CATEGORIES = quote("*category_children, *products, *parent_category, *parent_category.parent_category")
CHEAP = [
    ("/store/regions", ""),
    ("/store/regions/reg_1", ""),
    ("/store/customers/me", "fields=*orders"),
    ("/store/carts/cart_1", f"fields={quote('*items, *region, *items.product, *items.variant, *items.thumbnail, ')}"),
    ("/store/shipping-options", "cart_id=cart_1"),
    ("/store/collections", "fields=id%2C%20handle%2C%20title&limit=100&offset=0"),
    ("/store/products", "fields=id,title&limit=100"),
    ("/store/products", "limit=100&fields=%2Bmetadata,id"),
    ("/store/orders", "fields=id,display_id,created_at"),
    ("/store/product-categories", "parent_category_id=null&fields=+id,name%2Chandle"),
    ("/store/products/prod_1", f"fields={quote(CATALOGUE)}&region_id=reg_1"),
    ("/store/product-options", "is_exclusive=false&fields=%2Avalues"),
    ("/store/payment-providers", "region_id=reg_1"),
]
PAGES = [
    ("/store/collections", "fields=*products&limit=100&offset=0"),
    ("/store/collections", f"handle=tea&fields={quote('*products')}"),
    ("/store/collections", "fields=*p%72oducts&limit=100"),
    ("/store/product-categories", f"fields={CATEGORIES}&limit=100"),
    ("/store/product-categories", "fields=id&parent_category_id=null&include_descendants_tree=true"),
    ("/store/product-categories/pcat_1", "fields=*products"),
    ("/store/product-categories", "parent_category_id=null"),
    ("/store/products", "fields=%2Bmetadata,-title"),
    ("/store/products", "fields=+metadata"),
    ("/store/products", "limit=100&fields=id,variants,images"),
    ("/store/products", "fields=variants%2Cid"),
    ("/store/products", "fields=id,%76ariants"),
    ("/store/product-categories", "fields=name,+category_children"),
    ("/store/orders", "fields=display_id,items"),
    ("/store/orders/order_1/invoices/inv_1", ""),
    ("/orders/documents/gAAAAABr", ""),
    ("/store/products", f"limit=12&offset=0&region_id=reg_1&fields={quote(CATALOGUE)}&collection_id=pcol_1"),
    ("/store/products", f"limit=100&offset=0&region_id=reg_1&fields={quote(CATALOGUE)}&order=created_at"),
    ("/store/products", "limit=100&offset=100&region_id=reg_1&category_id%5B0%5D=pcat_1&order=-created_at"),
    ("/store/products", "limit=100&option_value_id%5B0%5D=optval_1&option_value_id[1]=optval_2"),
    ("/store/products", "limit=12&id%5B0%5D=prod_1&tag_id%5B0%5D=ptag_1&is_giftcard=false"),
    ("/store/product-variants", "sku[]=TEA-1&sku[]=TEA-2"),
    ("/store/product-variants", "product_id=prod_1&order=id"),
    ("/store/products", "order=-handle&limit=20"),
    ("/store/products", "type_id=nullable&limit=20"),
    ("/store/products", "collection_id=pcol_1&type_id=null"),
    ("/store/products", "collection_id[]=pcol_1&tag_id[]=ptag_1&is_giftcard=false"),
    ("/store/orders", "limit=10&offset=0&order=-created_at&fields=*items,+items.metadata,*items.variant"),
    ("/store/product-options", "product_id[]=prod_1&product_id[]=prod_2&fields=*product.variants"),
    ("/store/carts/cart_1", "fields=%2Aitems%2Eproduct%2Evariants"),
    ("/store/products/prod_1", "fields=*variants.product.variants"),
]
EXPENSIVE = [
    "order=id&id[$gt]=prod_1&limit=100",
    "order=id&id%5B%24gt%5D=prod_1&limit=100",
    "created_at[$gt]=2026-01-01",
    "q=aa+bb+cc+bu+ul+lk+pr+od&limit=1&fields=id",
    "%71=tea",
    "$or[0][q]=aa&$or[1][q]=bb",
    "%24or%5B0%5D%5Btitle%5D=x",
    "$and[0][title]=x",
    "offset=90000",
    "offset=1000&limit=1",
    "limit=1000",
    "limit=101",
    "limit=1e3",
    "created_at[$gt]=2020-01-01",
    "variants[sku]=x",
    "is_giftcard=false",
    "type_id=null&order=title&limit=100",
    "collection_id=null",
    "collection_id=%6Eull",
    "type_id=n%75l%6C&order=title",
    "type_id[]=ptyp_1&type_id[]=null",
    "type_id%5B0%5D=null&type_id%5B1%5D=ptyp_1",
    "type_id=null&collection_id=null&is_giftcard=false",
    "is_giftcard=false&type_id=null",
    "$or=x",
    "id=prod_1&$or[0][title]=x",
    "order=id&order=description",
    "order=collection.title",
    "order=collection%2Etitle",
    "region_id=reg_1&order=variants.calculated_price",
    "region_id=reg_1&order=-variants%2ecalculated_price",
    "what=nobody&thought=of",
    "limit=10&q",
    "fields=" + "a" * 2000,
    "fields=" + ",".join(f"*a.b{number}" for number in range(9)),
    "fields=" + ",".join(f"%2aa%2eb{number}" for number in range(9)),
]


COUNTED_BEFORE = {
    "/store/orders/<str:id>/transfer/request",
    "/admin/users/<str:id>/reset-password",
    "requestOrderTransfer",
}
"""What these do before their transaction calls no provider: they count the attempt."""


ABSENT = {"operationName": None}


def camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(word.capitalize() for word in others)


def kind(method: str, path: str, query: str = "", body: bytes = b"") -> Kind:
    return kind_of({"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}, body)


def test_the_document_that_a_process_generates_once_is_expensive() -> None:
    environ = {"PATH_INFO": "/openapi.json", "REQUEST_METHOD": "GET", "QUERY_STRING": ""}
    assert kind_of(environ, b"") is Kind.EXPENSIVE


@pytest.mark.parametrize(("path", "query"), CHEAP)
def test_what_storefronts_read_is_cheap(path: str, query: str) -> None:
    assert kind("GET", path, query) is Kind.CHEAP
    assert kind("HEAD", path, query) is Kind.CHEAP


@pytest.mark.parametrize(("path", "query"), PAGES)
def test_lists_of_many_rows_are_pages(path: str, query: str) -> None:
    assert kind("GET", path, query) is Kind.PAGE
    assert kind("HEAD", path, query) is Kind.PAGE


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("/store/products", PRODUCTS),
        ("/store/product-variants?product_id=prod_1", PRODUCT_VARIANTS),
        ("/store/product-categories", PRODUCT_CATEGORIES),
        ("/store/orders", ORDERS),
    ],
)
def test_the_name_of_a_relation_is_none_of_a_scalar(path: str, resource: Resource) -> None:
    path, _, filters = path.partition("?")
    shape = shape_of(resource.serializer_class)
    for name, query in [(name, f"{filters}&limit=100&fields=id%2C{name}".lstrip("&")) for name in shape.relations]:
        assert kind("GET", path, query) is Kind.PAGE, name
    assert kind("GET", path, f"{filters}&limit=100&fields=id,created_at".lstrip("&")) is Kind.CHEAP


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_changes_that_answer_with_many_rows_are_pages(method: str) -> None:
    path = "/store/carts/cart_1/promotions"
    assert kind(method, path, "fields=*items.product.variants") is Kind.PAGE
    assert kind(method, path, "fields=*items.product,*items.variant") is Kind.CHEAP
    assert kind(method, path, f"fields={','.join(f'*a.b{number}' for number in range(9))}") is Kind.EXPENSIVE
    assert kind(method, path, "fields=" + "a" * 2000) is Kind.EXPENSIVE
    assert kind(method, path, "%66ields=*items.pro%64uct.variants") is Kind.PAGE


@pytest.mark.parametrize("query", EXPENSIVE)
def test_expensive_queries_of_strangers(query: str) -> None:
    assert kind("GET", "/store/products", query) is Kind.EXPENSIVE
    assert kind("HEAD", "/store/products", query) is Kind.EXPENSIVE


@pytest.mark.parametrize("path", ["/store/product-variants", "/store/product-options"])
@pytest.mark.parametrize(
    "query", ["", "fields=id&limit=1", "order=id", "is_exclusive=true", "product_id=prod_1&order=title"]
)
def test_lists_that_are_counted_or_sorted_whole_are_expensive(path: str, query: str) -> None:
    assert kind("GET", path, query) is Kind.EXPENSIVE


@pytest.mark.parametrize("key", [key for key in PRODUCTS.orders if key != "relevance"])  # which needs `q`
def test_products_are_sorted_cheaply_by_an_index_alone(key: str) -> None:
    expected = Kind.PAGE if key in ("id", "handle", "title", "created_at") else Kind.EXPENSIVE
    assert kind("GET", "/store/products", f"order=-{key}") is expected
    for name in (key, camel(key)):
        literal = orjson.dumps({"query": f'{{ products(order: "-{name}") {{ count }} }}'})
        document = "query ($by: String) { products(order: $by) { count } }"
        variable = orjson.dumps({"query": document, "variables": {"by": name}})
        assert [kind("POST", "/graphql", body=body) for body in (literal, variable)] == [expected, expected]


def test_a_method_in_small_letters_is_the_same_method() -> None:
    assert kind("get", "/store/products", "q=tea") is Kind.EXPENSIVE
    assert kind("Post", "/auth/customer/emailpass") is Kind.HASH


def test_staff_read_what_they_like() -> None:
    assert kind("GET", "/admin/catalog/product/", "q=tea&p=900") is Kind.CHEAP
    assert kind("GET", "/admin/api-keys", "q=tea&limit=1000") is Kind.CHEAP


@pytest.mark.parametrize(
    "path",
    [
        "/auth/customer/emailpass",
        "/auth/user/emailpass",
        "/auth/customer/emailpass/register",
        "/auth/customer/emailpass/update",
        "/admin/login/",
        "/admin/invitation/",
        "/admin/password_change/",
        "/admin/staff/user/add/",
        "/admin/staff/user/usr_1/password/",
    ],
)
def test_passwords_are_hashed(path: str) -> None:
    assert kind("POST", path) is Kind.HASH
    assert kind("GET", path) is Kind.CHEAP


@pytest.mark.parametrize(
    "path",
    [
        "/store/payment-collections/pay_col_1/payment-sessions",
        "/hooks/payments/pp_stripe_stripe",
        "/admin/payments/payment/pay_1/capture/",
        "/admin/orders/order_1/refunds",
        "/admin/orders/order/order_1/actions/capture/pay_1/",
        "/admin/orders/order/order_1/actions/refund/",
    ],
)
def test_payment_providers_are_asked(path: str) -> None:
    assert kind("POST", path) is Kind.PROVIDER


@pytest.mark.parametrize(
    "path",
    [
        "/admin/spreadsheets/import/upload/products/",
        "/admin/spreadsheets/import/imp_5F1/preview/",
        "/admin/products/import",
        "/admin/products/imports",
    ],
)
def test_files_of_spreadsheets_are_read(path: str) -> None:
    assert kind("POST", path) is Kind.EXPENSIVE
    assert kind("GET", path) is Kind.CHEAP
    assert kind("POST", f"{path}/x/confirm") is Kind.CHEAP
    assert is_upload({"REQUEST_METHOD": "POST", "PATH_INFO": path}) is (path[-7:] not in {"review/", "imports"})


def test_undo_files_may_have_many_rows() -> None:
    assert kind("GET", "/admin/spreadsheets/import/imp_5F1/undo/xlsx/") is Kind.EXPENSIVE
    assert kind("GET", "/admin/spreadsheets/import/imp_5F1/change/") is Kind.CHEAP


@pytest.mark.parametrize("path", ["/store/shipping-options/so_1/calculate", "/store/carts/cart_1/shipping-methods"])
def test_fulfillment_providers_are_asked(path: str) -> None:
    assert kind("POST", path) is Kind.CARRIER


def test_a_completion_may_wait_for_the_payment_provider() -> None:
    assert kind("POST", "/store/carts/cart_1/complete") is Kind.CHECKOUT


def test_what_works_before_its_transaction_holds_few_threads() -> None:
    """It may wait for a provider for as long as that takes."""

    def calls(route: Route) -> bool:
        action = route.actions.get("post")
        return action is not None and work_before(getattr(route.endpoint, action)) is not None

    mutations = SCHEMA.roots[OperationType.MUTATION]
    paths = {route.path for route in routes() if calls(route)} - COUNTED_BEFORE
    fields = {name for name, each in mutations.items() if each.before_transaction is not None} - COUNTED_BEFORE
    assert (len(paths), len(fields)) == (10, 9)
    kinds = {path: kind("POST", path.replace("<str:id>", "id")) for path in paths}
    for field in fields:
        kinds[field] = kind("POST", "/graphql", body=orjson.dumps({"query": f"mutation {{ {field} {{ id }} }}"}))
    slow = {Kind.PROVIDER, Kind.CARRIER, Kind.CHECKOUT}
    assert {name: kind for name, kind in kinds.items() if kind not in slow} == {}


def test_what_changes_a_cart_may_wait_for_a_tax_provider_in_a_shop_that_has_one(settings: Settings) -> None:
    changes = [
        (method, route.path.replace("<str:id>", "cart_1"))
        for route in routes()
        if route.path.startswith("/store/carts") or route.path.endswith("/reorder")
        for method in route.actions
        if method in ("post", "delete")
    ]
    fields = [
        name
        for name, each in SCHEMA.roots[OperationType.MUTATION].items()
        if isinstance(each, Change) and each.resource is CARTS
    ]
    assert (len(changes), len(fields)) == (17, 16)
    bodies = [orjson.dumps({"query": f"mutation {{ {field} {{ cart {{ id }} }} }}"}) for field in fields]

    def cheap() -> list[str]:
        by_path = {f"{method} {path}": kind(method.upper(), path) for method, path in changes}
        by_field = {field: kind("POST", "/graphql", body=body) for field, body in zip(fields, bodies, strict=True)}
        return [name for name, each in {**by_path, **by_field}.items() if each is Kind.CHEAP]

    assert len(cheap()) > 20
    settings.TAX_PROVIDERS = {"txp": "taxes.Provider"}
    assert cheap() == []
    assert kind("GET", "/store/carts/cart_1") is Kind.CHEAP


EDITS = [
    *(f"/admin/order-edits/order_1/{step}" for step in ("items", "items/ordchact_1", "shipping-method", "confirm")),
    *(action_url("order_1", *form) for form in (("edit",), ("confirm-edit", "ordch_1"))),
]


def test_so_may_edits_of_orders(settings: Settings) -> None:
    bodies = [
        orjson.dumps({"query": f"mutation {{ {name} {{ order {{ id }} }} }}"})
        for name in ("editOrder", "previewOrderEdit", "editDraftOrder", "previewDraftOrderEdit", "previewDraftOrder")
    ]

    def kinds() -> set[Kind]:
        return {kind("POST", path) for path in EDITS} | {kind("POST", "/graphql", body=body) for body in bodies}

    assert kinds() == {Kind.CHEAP}
    settings.TAX_PROVIDERS = {"txp": "taxes.Provider"}
    assert kinds() == {Kind.CARRIER}
    assert kind("POST", "/admin/order-edits/order_1/request") is Kind.CHEAP


@pytest.mark.parametrize("path", ["/store/carts", "/store/carts/cart_1/line-items", "/auth/session", "/nope"])
def test_other_writes_are_cheap(path: str) -> None:
    assert kind("POST", path, "q=tea") is Kind.CHEAP
    assert kind("DELETE", path) is Kind.CHEAP


@pytest.mark.parametrize("path", ["/admin/orders", "/auth/session"])
def test_a_write_with_a_large_body_is_expensive(path: str) -> None:
    assert kind("POST", path, body=b"x" * 256 * 1024) is Kind.CHEAP
    assert kind("POST", path, body=b"x" * (256 * 1024 + 1)) is Kind.EXPENSIVE


def test_a_write_that_is_answered_with_many_relations_is_expensive() -> None:
    many = ",".join(["*items.product.variants"] * 6)
    assert kind("POST", "/store/carts/cart_1", f"fields={many}") is Kind.EXPENSIVE


def items(number: int) -> list[dict[str, object]]:
    return [{"variant_id": f"variant_{each}", "quantity": 1} for each in range(number)]


@pytest.mark.parametrize(
    ("path", "many", "few"),
    [
        ("/store/carts", {"items": items(51)}, {"items": items(50)}),
        ("/store/returns", {"order_id": "order_1", "items": items(51)}, {"items": items(50)}),
        ("/store/customers/me", {"metadata": {"notes": ["n" * 40_000]}}, {"metadata": {"notes": ["n" * 30_000]}}),
    ],
)
def test_a_change_with_many_items_or_a_long_body_is_expensive(
    path: str, many: object, few: object, settings: Settings
) -> None:
    assert kind("POST", path, body=orjson.dumps(few)) is Kind.CHEAP
    assert kind("POST", path, body=orjson.dumps(many)) is Kind.EXPENSIVE
    settings.TAX_PROVIDERS = {"txp": "taxes.Provider"}
    assert kind("POST", path, body=orjson.dumps(many)) is Kind.EXPENSIVE


CREATE = "mutation ($input: CreateCartInput!) { createCart(input: $input) { cart { id items { title } } } }"


@pytest.mark.parametrize(
    ("document", "variables", "expected"),
    [
        (CREATE, {"input": {"items": items(40)}}, Kind.CHEAP),
        (CREATE, {"input": {"items": items(51)}}, Kind.EXPENSIVE),
        (
            "mutation ($i: LineItemInput!) { createCart(input: {items: [%s]}) { cart { id } } }" % ("$i" * 51),
            {"i": items(1)[0]},
            Kind.EXPENSIVE,
        ),
        (
            "mutation { createCart(input: {items: [%s]}) { cart { id } } }" % ('{variantId: "v" quantity: 1}' * 51),
            {},
            Kind.EXPENSIVE,
        ),
        ("{" + " ".join(f'a{n}: cart(id: "c") {{ items {{ title }} }}' for n in range(5)) + "}", {}, Kind.EXPENSIVE),
        ("{" + " ".join(f'a{n}: cart(id: "c") {{ items {{ title }} }}' for n in range(2)) + "}", {}, Kind.CHEAP),
        ("mutation {" + " ".join(f"a{n}: createCart {{ cart {{ id }} }}" for n in range(26)) + "}", {}, Kind.EXPENSIVE),
    ],
)
def test_so_is_a_document_with_many_lines_or_carts(document: str, variables: dict[str, object], expected: Kind) -> None:
    body = orjson.dumps({"query": document, "variables": variables})
    assert len(body) < 4000
    assert kind("POST", "/graphql", body=body) is expected


@pytest.mark.parametrize(
    ("document", "variables", "expected"),
    [
        ("{ regions { regions { name } } }", {}, Kind.CHEAP),
        ("{ products(limit: 100) { products { title variants { sku } } } }", {}, Kind.PAGE),
        ('{ products(q: "tea") { count } }', {}, Kind.EXPENSIVE),
        ("query ($w: String) { products(q:$w) { count } }", {"w": "tea"}, Kind.EXPENSIVE),
        ("query ($n: Int) { products(limit: $n) { count } }", {"n": 1000}, Kind.EXPENSIVE),
        ("{ products(limit: 1000) { count } }", {}, Kind.EXPENSIVE),
        ('{ products(\nq: "tea") { count } }', {}, Kind.EXPENSIVE),
        ('mutation {\nlogin(input: {email: "a"}) { token } }', {}, Kind.HASH),
        ("query ($n: Int) { products(limit: $n) { count } }", {"n": 1000.0}, Kind.EXPENSIVE),
        ("{ products(limit: 1, offset: 90000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(limit:\n1000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(limit:,1000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(limit:\ufeff1000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(limit: # many\n1000) { count } }", {}, Kind.EXPENSIVE),
        ("query ($n: Int = 1000) { products(limit: $n) { count } }", {}, Kind.EXPENSIVE),
        ("query ($n: Int\n=\n1000) { products(limit: $n) { count } }", {}, Kind.EXPENSIVE),
        ('{ products(or: [{title: "a"}, {handle: "b"}]) { count } }', {}, Kind.EXPENSIVE),
        ('{ products(createdAt: {gt: "2020-01-01"}) { count } }', {}, Kind.EXPENSIVE),
        ('{ products(variants: {title: ["a"]}) { count } }', {}, Kind.EXPENSIVE),
        (
            "query ($f: [ProductFilter!]) { products(or: $f) { count } }",
            {"f": [{"variants": {"sku": "a"}}]},
            Kind.EXPENSIVE,
        ),
        ('{ products(order: "collection.title") { count } }', {}, Kind.EXPENSIVE),
        ("query ($o: String) { products(order: $o) { count } }", {"o": "-collection.title"}, Kind.EXPENSIVE),
        ('query ($o: String = "collection.title") { products(order: $o) { count } }', {}, Kind.EXPENSIVE),
        ('{ products(order: """\n  collection.title\n""") { count } }', {}, Kind.EXPENSIVE),
        ('{ products(order: "variants.calculatedPrice", regionId: "reg_1") { count } }', {}, Kind.EXPENSIVE),
        ("query ($o: String) { products(order: $o) { count } }", {"o": "variants.calculated_price"}, Kind.EXPENSIVE),
        ('{ products(order: "-createdAt") { products { createdAt variants { id } } } }', {}, Kind.PAGE),
        ("{ products(offset:\n90000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(offset:,\t, 90000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(offset:\ufeff90000) { count } }", {}, Kind.EXPENSIVE),
        ("{ products(offset:# far\n90000) { count } }", {}, Kind.EXPENSIVE),
        ("query ($n: Int = 90000) { products(offset: $n) { count } }", {}, Kind.EXPENSIVE),
        ("{" + " ".join(f"a{n}: products {{ count }}" for n in range(10)) + "}", {}, Kind.EXPENSIVE),
        ('{ createPaymentSession: products(q: "tea") { count } }', {}, Kind.EXPENSIVE),
        ('{ login: products(q: "tea") { count } }', {}, Kind.EXPENSIVE),
        ('mutation { updateCart(id: "x", input: {metadata: {note: "this and that", n: 1000}}) { x } }', {}, Kind.CHEAP),
        ("{ cart { id } }" + "#" * 4000, {}, Kind.EXPENSIVE),
        ("{ productVariants(limit: 1) { count } }", {}, Kind.EXPENSIVE),
        ("{ productOptions { count } }", {}, Kind.EXPENSIVE),
        ("{ products(isGiftcard: false) { count } }", {}, Kind.EXPENSIVE),
        ("query ($g: Boolean) { products(isGiftcard: $g) { count } }", {"g": False}, Kind.EXPENSIVE),
        ("{ products(limit: 9) { products { description metadata isGiftcard weight } } }", {}, Kind.PAGE),
        ('{ productVariant(id: "variant_1") { sku } }', {}, Kind.CHEAP),
        ("{ products(typeId: null) { count } }", {}, Kind.EXPENSIVE),
        ('{ products(collectionId: ["null", "pcol_1"]) { count } }', {}, Kind.EXPENSIVE),
        ("query ($t: [ID]) { products(typeId:\n$t) { count } }", {"t": None}, Kind.EXPENSIVE),
        ("query ($t: [ID] = null) { products(typeId: $t) { count } }", {}, Kind.EXPENSIVE),
        ("query ($operationName: [ID]) { products(typeId: $operationName) { count } }", ABSENT, Kind.EXPENSIVE),
        ('{ products(externalId: "E-1") { count } }', {}, Kind.EXPENSIVE),
        ('{ products(salesChannelId: "sc_1") { count } }', {}, Kind.EXPENSIVE),
        ("{ productCategories(parentCategoryId: null) { count } products { products { typeId } } }", {}, Kind.PAGE),
        (
            "query ($collectionId: [ID!]) { products(collectionId: $collectionId) { count } }",
            {"collectionId": ["pcol_1"]},
            Kind.PAGE,
        ),
        ("{ orders { orders { items { title } } } }", {}, Kind.PAGE),
        ('{ productCategory(id: "pcat_1") { categoryChildren { name } } }', {}, Kind.PAGE),
        ('{ collection(id: "pcol_1") { products { title } } }', {}, Kind.PAGE),
        ('{ cart(id: "cart_1") { items { product { variants { id } } } } }', {}, Kind.PAGE),
        ('{ cart(id: "cart_1") { items { product { title } variant { sku } } } }', {}, Kind.CHEAP),
        ('{ product(id: "prod_1") { variants { sku } } }', {}, Kind.CHEAP),
        (
            '{ a: product(id: "1") { ...f } b: product(id: "2") { ...f } } fragment f on Product { variants { id } }',
            {},
            Kind.PAGE,
        ),
        ('{ product(id: "prod_1") { variants { product { variants { id } } } } }', {}, Kind.PAGE),
        ('mutation { login(input: {email: "a"}) { token } }', {}, Kind.HASH),
        ('mutation { a: updatePassword(input: {password: "a"}) { success } }', {}, Kind.HASH),
        ('mutation { createPaymentSession(id: "x", input: {}) { x } }', {}, Kind.PROVIDER),
        ('mutation { authorizeOrderPaymentSession(id: "x", input: {}) { x } }', {}, Kind.PROVIDER),
        ("mutation { createOrderRefund(input: {amount: 5}) { x } }", {}, Kind.PROVIDER),
        ('mutation { calculateShippingOption(id: "x", input: {}) { x } }', {}, Kind.CARRIER),
        ('mutation { addShippingMethod(id: "x", input: {}) { x } }', {}, Kind.CARRIER),
        ('mutation { done: completeCart(id: "x") { x } }', {}, Kind.CHECKOUT),
        ('mutation { addLineItem(id: "x", input: {quantity: 2}) { cart { id } } }', {}, Kind.CHEAP),
        ("mutation ($a: String) { a(b: $a) { id } }", {"a": "1240 Main St, Portland, 04101"}, Kind.CHEAP),
    ],
)
def test_documents_are_classified_by_their_fields(document: str, variables: dict[str, object], expected: Kind) -> None:
    body = orjson.dumps({"query": document, "variables": variables})
    assert kind("POST", "/graphql", body=body) is expected


def test_a_client_may_say_that_its_document_has_no_name() -> None:
    body = orjson.dumps({"query": '{ products(typeId: "ptyp_1") { count } }', **ABSENT, "variables": None})
    assert kind("POST", "/graphql", body=body) is Kind.PAGE


@pytest.mark.parametrize(
    "body",
    [
        rb'{"query": "{ products(\u0071: \"tea\") { count } }"}',
        rb'{"query": "{ products(order: \"\\u{76}ariants.calculatedPrice\") { count } }"}',
        rb'{"query": "{ products(offset:\uFEFF90000) { count } }"}',
        rb'{"query": "query ($n: Int) { products(offset: $n) { count } }", "variables": {"n": 100.0e3}}',
    ],
)
def test_letters_that_are_escaped_hide_nothing(body: bytes) -> None:
    assert kind("POST", "/graphql", body=body) is Kind.EXPENSIVE


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/admin/uploads", True),
        ("post", "/admin/uploads", True),
        ("GET", "/admin/uploads", False),
        ("PUT", "/uploads/eyJ.1.x", True),
        ("POST", "/uploads/eyJ.1.x", False),
        ("PUT", "/admin/uploads", False),
        ("POST", "/admin/uploads/", False),
        ("POST", "/admin/catalog/product/prod_1/pictures/", True),
        ("GET", "/admin/catalog/product/prod_1/pictures/", False),
        ("POST", "/admin/catalog/product/prod_1/pictures", False),
        ("POST", "/admin/catalog/product/prod_1/change/pictures/", False),
        ("POST", "/admin/catalog/category/pcat_1/pictures/", False),
        ("POST", "/store/carts", False),
    ],
)
def test_files_are_received_by_two_routes(method: str, path: str, expected: bool) -> None:
    assert is_upload({"REQUEST_METHOD": method, "PATH_INFO": path}) is expected
