"""Where answers with each resource come from, over REST and over GraphQL."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.concurrency.running_server import Answered
from tests.interface_walk.callers import Callers
from tests.interface_walk.shop import Shop
from tests.interface_walk.trees import DEEPEST, Tree, parameter, selection

Row = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """resource: what its answers hold. caller: who asks, one of the Callers.

    method, path, body: REST's request; the path may name what the Shop has, `{card.code}`, and is made again each time.
    key: that of the answer's rows. document: GraphQL's, `…` standing for what is selected; it may name what `shop` has
    and, as `{row}`, the first row of REST's answer. reached: the names that lead to its rows.
    deepest: how many relations deep it is walked.
    """

    resource: str
    caller: str
    method: str
    path: str
    key: str
    document: str
    reached: tuple[str, ...]
    body: Callable[[Shop], Any] | None = None
    query: str = ""
    deepest: int = DEEPEST

    def by_rest(self, callers: Callers, shop: Shop, tree: Tree | None) -> list[Row]:
        """The rows, with the fields of the tree or with those that come unasked."""
        fields = [] if tree is None else [f"fields={parameter(tree)}"]
        query = "&".join([*filter(None, [self.query.format(shop=shop)]), *fields])
        caller = getattr(callers, self.caller)
        body = self.body and self.body(shop)
        answer = caller.send(self.method, self.path.format(shop=shop), body, query=query)
        assert answer.status == 200, answer
        return _rows(answer.body[self.key])

    def by_graphql(self, callers: Callers, shop: Shop, tree: Tree, row: Row) -> list[Row]:
        """The rows of the same answer."""
        document = self.document.format(shop=shop, row=row).replace("…", selection(tree))
        found = reported(getattr(callers, self.caller).ask(document))
        for name in self.reached:
            found = found[name]
        return _rows(found)


def reported(answer: Answered) -> Any:
    """The data of a GraphQL answer in which nothing failed."""
    assert answer.status == 200, answer
    assert list(answer.body) == ["data"], answer.body
    return answer.body["data"]


def _rows(found: Any) -> list[Row]:
    return found if isinstance(found, list) else [found]


SOURCES = (
    Source(
        "Product category",
        "store",
        "GET",
        "/store/product-categories",
        "product_categories",
        "{{ productCategories(withDeleted: true) {{ productCategories {{ … }} }} }}",
        ("productCategories", "productCategories"),
        query="with_deleted=true",
    ),
    Source(
        "Shipping option",
        "customer",
        "GET",
        "/store/shipping-options",
        "shipping_options",
        '{{ shippingOptions(cartId: "{shop.cart.pk}") {{ shippingOptions {{ … }} }} }}',
        ("shippingOptions", "shippingOptions"),
        query="cart_id={shop.cart.pk}",
    ),
    Source(
        "Gift card",
        "customer",
        "GET",
        "/store/gift-cards/{shop.card.code}",
        "gift_card",
        '{{ giftCard(idOrCode: "{shop.card.code}") {{ … }} }}',
        ("giftCard",),
    ),
    Source(
        "Gift card",
        "customer",
        "POST",
        "/store/gift-cards/{shop.another_card}/redeem",
        "gift_card",
        '{{ giftCard(idOrCode: "{row[id]}") {{ … }} }}',
        ("giftCard",),
        deepest=1,
    ),
    Source(
        "Customer",
        "customer",
        "POST",
        "/store/customers/me/addresses/{shop.address.pk}",
        "customer",
        'mutation {{ updateAddress(id: "{shop.address.pk}", input: {{}}) {{ customer {{ … }} }} }}',
        ("updateAddress", "customer"),
        body=lambda shop: {},
    ),
    Source(
        "Payment collection",
        "customer",
        "POST",
        "/store/payment-collections",
        "payment_collection",
        'mutation {{ createPaymentCollection(input: {{cartId: "{shop.paid_cart.pk}"}}) '
        "{{ paymentCollection {{ … }} }} }}",
        ("createPaymentCollection", "paymentCollection"),
        body=lambda shop: {"cart_id": shop.paid_cart.pk},
    ),
    Source(
        "Store credit account",
        "customer",
        "GET",
        "/store/store-credit-accounts",
        "store_credit_accounts",
        "{{ storeCreditAccounts {{ storeCreditAccounts {{ … }} }} }}",
        ("storeCreditAccounts", "storeCreditAccounts"),
    ),
    Source(
        "API key",
        "staff",
        "GET",
        "/admin/api-keys",
        "api_keys",
        "{{ apiKeys(withDeleted: true) {{ apiKeys {{ … }} }} }}",
        ("apiKeys", "apiKeys"),
        query="with_deleted=true",
    ),
)
