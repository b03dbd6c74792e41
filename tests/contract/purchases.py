"""A shop to buy in, the calls of Medusa's storefronts from the home page to the order, and what they read of each."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from shop.models import PaymentProvider, Region
from tests.catalog.browsing import Browsing, build
from tests.contract.callers import Caller
from tests.contract.test_storefront_calls import CALLS, REGION, faults
from tests.factories.carts import PromotionFactory
from tests.factories.fulfillment import option, zone

NUMBER, TEXT = (int, float), (str, type(None))
PROVIDER = "pp_system_default"
EMAIL, PASSWORD, CODE = "mia@example.com", "lapsang, no sugar, 1912", "TENOFF"
ADDRESS = {
    "first_name": "Mia",
    "last_name": "Holm",
    "address_1": "1 Dock Road",
    "address_2": "",
    "company": "",
    "postal_code": "20457",
    "city": "Hamburg",
    "country_code": "de",
    "province": "",
    "phone": "",
}
OF_ADDRESS = {**dict.fromkeys(ADDRESS, str), "province": TEXT}
TOTALS = ("total", "subtotal", "tax_total", "item_subtotal", "shipping_subtotal", "discount_subtotal")
CART = {
    **dict.fromkeys(("id", "region_id", "currency_code"), str),
    **dict.fromkeys(("email", "customer_id"), TEXT),
    **dict.fromkeys((*TOTALS, "item_total"), NUMBER),
    "region": REGION,
    "shipping_methods": list,
    "promotions": list,
    "items": [
        {
            **dict.fromkeys(("id", "created_at", "title", "product_title", "product_handle", "thumbnail"), str),
            **dict.fromkeys(("quantity", "total", "original_total"), NUMBER),
            "variant": {"title": str, "manage_inventory": bool},
        }
    ],
}
PROMOTION = {"id": str, "code": str, "is_automatic": bool, "application_method": {"value": NUMBER, "type": str}}
READY_CART = {
    **CART,
    "email": str,
    "shipping_address": OF_ADDRESS,
    "billing_address": OF_ADDRESS,
    "shipping_methods": [{"shipping_option_id": str, "name": str, "amount": NUMBER}],
    "promotions": [PROMOTION],
    "payment_collection": {"id": str, "payment_sessions": [{"provider_id": str, "status": str, "data": dict}]},
}
SHIPPING = {
    **dict.fromkeys(("id", "name", "price_type"), str),
    "amount": NUMBER,
    "insufficient_inventory": bool,
    "prices": [{"amount": NUMBER, "currency_code": str, "price_rules": list}],
    "service_zone": {"fulfillment_set": {"type": str}},
}
ORDER = {
    **dict.fromkeys(("id", "email", "created_at", "currency_code", "fulfillment_status", "payment_status"), str),
    **dict.fromkeys((*TOTALS, "display_id", "discount_total", "gift_card_total", "shipping_total"), NUMBER),
    "items": [
        {
            **dict.fromkeys(("id", "created_at", "product_title", "thumbnail"), str),
            **dict.fromkeys(("quantity", "total", "original_total"), NUMBER),
            "variant": {"title": str},
        }
    ],
    "shipping_address": OF_ADDRESS,
    "shipping_methods": [{"name": str, "total": NUMBER}],
    "payment_collections": [{"payments": [{"provider_id": str, "amount": NUMBER, "created_at": str, "data": dict}]}],
}
LISTED_ORDER = {
    "id": str,
    "display_id": int,
    "created_at": str,
    "total": NUMBER,
    "currency_code": str,
    "items": [{"id": str, "title": str, "thumbnail": str, "quantity": NUMBER}],
}
OF_CART = (
    "*items, *region, *items.product, *items.variant, *items.thumbnail, *items.metadata, +items.total, *promotions, "
)
OF_CART += "+shipping_methods.name"
OF_ORDER = "*payment_collections.payments,*items,*items.metadata,*items.variant,*items.product"
OF_LIST = "*items,+items.metadata,*items.variant,*items.product"
LISTED = f"limit=10&offset=0&order=-created_at&fields={quote(OF_LIST, safe='')}"


def open_shop() -> Browsing:
    """The shop that visitors browse, which also ships to Germany, has a promotion and takes payments."""
    shop = build()
    region = Region.objects.get(pk=shop.names["region"])
    region.payment_providers.add(PaymentProvider.objects.get(pk=PROVIDER))
    option(5, name="Parcel", of=zone("de"), currency_code="eur")
    PromotionFactory(code=CODE)
    return shop


@dataclass
class Visit:
    """A shopper's visit to a storefront. headers: the credentials, after signing in."""

    store: Caller
    shop: Browsing
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, query: str = "", *, read: Any) -> Any:
        """The answer, which has everything that is read of it."""
        return self._checked(self.store.get(path, query, **self.headers), read)

    def post(self, path: str, body: Any = b"", *, read: Any, query: str = "") -> Any:
        return self._checked(self.store.send("POST", path, body, query=query, **self.headers), read)

    def status(self, path: str, query: str = "") -> int:
        return self.store.get(path, query, **self.headers).status_code

    @staticmethod
    def _checked(response: Any, read: Any) -> Any:
        assert response.status_code == 200, response.content
        answer = response.json()
        missing = faults(read, answer)
        assert not missing, missing
        return answer

    def register(self) -> None:
        """The four calls of the register form; the cart, if there is one, is claimed by its own step."""
        login = {"email": EMAIL, "password": PASSWORD}
        self._sign_in("/auth/customer/emailpass/register", login)
        assert self.status("/store/customers/me") == 401  # by which the second storefront knows a new customer
        person = {"email": EMAIL, "first_name": "Mia", "last_name": "Holm", "phone": ""}
        self.post("/store/customers", person, read={"customer": {"email": str}})
        self._sign_in("/auth/customer/emailpass", login)

    def _sign_in(self, path: str, login: dict[str, str]) -> None:
        self.headers = {}
        token = self.post(path, login, read={"token": str})["token"]
        self.headers = {"authorization": f"Bearer {token}"}

    def browse(self) -> str:
        """From the home page to a product; the id of a variant in stock."""
        assert self.get("/store/locales", read={"locales": list})["locales"] == []
        for step in ("middleware and menu", "footer: collections", "footer: categories", "home: collections"):
            path, query, read = CALLS[step]
            self.get(path, query, read=read)
        for step in ("one region", "home: a rail", "catalogue", "product page", "fresh price and stock"):
            path, query, read = CALLS[step]
            answer = self.get(path.format_map(self.shop.names), query.format_map(self.shop.names), read=read)
        (product,) = answer["products"]
        return next(str(each["id"]) for each in product["variants"] if each["inventory_quantity"])

    def fill_cart(self, variant_id: str) -> str:
        """The id of a new cart with two of them, and a promotion."""
        made = self.post("/store/carts", {"region_id": self.shop.names["region"]}, read={"cart": {"id": str}})["cart"]
        assert made["region_id"] == self.shop.names["region"]
        path = f"/store/carts/{made['id']}"
        self.get(path, f"fields={quote('id,region_id', safe='')}", read={"cart": {"id": str, "region_id": str}})
        self.post(f"{path}/line-items", {"variant_id": variant_id, "quantity": 1}, read={"cart": {"id": str}})
        cart = self.cart(made["id"])
        (line,) = cart["items"]
        self.post(f"{path}/line-items/{line['id']}", {"quantity": 2}, read={"cart": {"id": str}})
        self.post(path, {"promo_codes": [CODE]}, read={"cart": {"id": str}})
        return str(made["id"])

    def cart(self, cart_id: str, read: Any = CART) -> Any:
        """As the layout of every page asks for it, the shipping options beside it."""
        query = f"fields={quote(OF_CART, safe='')}"
        cart = self.get(f"/store/carts/{cart_id}", query, read={"cart": read})["cart"]
        self.get("/store/shipping-options", f"cart_id={cart_id}", read={"shipping_options": list})
        return cart

    def check_out(self, cart_id: str) -> Any:
        """The addresses, delivery and payment of the checkout page; the cart as its last step shows it."""
        path = f"/store/carts/{cart_id}"
        details = {"email": EMAIL, "shipping_address": ADDRESS, "billing_address": ADDRESS}
        self.post(path, details, read={"cart": {"id": str}})
        options = self.get("/store/shipping-options", f"cart_id={cart_id}", read={"shipping_options": [SHIPPING]})
        (offered,) = options["shipping_options"]
        self.post(f"{path}/shipping-methods", {"option_id": offered["id"]}, read={"cart": {"id": str}})
        region_id = self.shop.names["region"]
        providers = self.get(
            "/store/payment-providers", f"region_id={region_id}", read={"payment_providers": [{"id": str}]}
        )
        assert [each["id"] for each in providers["payment_providers"]] == [PROVIDER]
        collection = self.post(
            "/store/payment-collections", {"cart_id": cart_id}, read={"payment_collection": {"id": str}}
        )["payment_collection"]
        self.post(
            f"/store/payment-collections/{collection['id']}/payment-sessions",
            {"provider_id": PROVIDER},
            read={"payment_collection": {"id": str}},
        )
        cart = self.cart(cart_id, READY_CART)
        (session,) = cart["payment_collection"]["payment_sessions"]
        assert (session["status"], session["provider_id"]) == ("pending", PROVIDER)
        return cart

    def place_order(self, cart_id: str) -> str:
        """The id of the order; the call has no body."""
        read = {"type": str, "order": {"id": str, "shipping_address": {"country_code": str}}}
        done = self.post(f"/store/carts/{cart_id}/complete", read=read)
        assert (done["type"], done["order"]["shipping_address"]["country_code"]) == ("order", "de")
        return str(done["order"]["id"])

    def order(self, order_id: str) -> Any:
        """As the confirmation page and the account's page of one order ask for it."""
        query = f"fields={quote(OF_ORDER, safe='')}"
        return self.get(f"/store/orders/{order_id}", query, read={"order": ORDER})["order"]

    def orders(self) -> list[Any]:
        """As the account's page asks for them."""
        found: list[Any] = self.get("/store/orders", LISTED, read={"orders": list, "count": int})["orders"]
        assert all(faults(LISTED_ORDER, each) == [] for each in found)
        return found
