"""Pictures that are stored as paths are returned as URLs that a browser can load from any page."""

from typing import Any

import pytest

from catalog.admin.thumbnails import picture
from kit.values.public_address import absolute
from tests.contract.callers import Caller, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.products import ImageFactory, ProductFactory
from tests.kit.graphql.calls import ask, data

SHOP = "https://api.shop.example"


@pytest.fixture(autouse=True)
def public_url(settings: Any) -> None:
    settings.PUBLIC_URL = SHOP


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def cart(store: Caller) -> Any:
    product = ProductFactory(title="Mug", handle="mug", thumbnail="/media/mug.png")
    variant = make.sold_variant(10, product=product)
    image = ImageFactory(product=product, url="/media/mug 2.png", rank=0)
    ImageFactory(product=product, url="https://pictures.example/mug.png", rank=1)
    variant.images.add(image)
    return make.cart(variant)


@pytest.mark.parametrize(
    ("stored", "answered"),
    [
        ("/media/mug.png", f"{SHOP}/media/mug.png"),
        ("/", f"{SHOP}/"),
        ("", ""),
        ("mug.png", "mug.png"),
        ("//pictures.example/mug.png", "//pictures.example/mug.png"),
        ("http://pictures.example/mug.png", "http://pictures.example/mug.png"),
        ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
    ],
)
def test_a_path_becomes_an_address_and_an_address_stays(stored: str, answered: str) -> None:
    assert absolute(stored) == answered


def test_rest_answers_addresses_wherever_a_picture_is(store: Caller, cart: Any) -> None:
    (product,) = store.get("/store/products?fields=thumbnail,*images,*variants.images").json()["products"]
    assert product["thumbnail"] == f"{SHOP}/media/mug.png"
    assert [image["url"] for image in product["images"]] == [
        f"{SHOP}/media/mug 2.png",
        "https://pictures.example/mug.png",
    ]
    assert [image["url"] for image in product["variants"][0]["images"]] == [f"{SHOP}/media/mug 2.png"]
    (line,) = store.get(f"/store/carts/{cart.pk}?fields=*items,items.product.thumbnail").json()["cart"]["items"]
    assert line["thumbnail"] == line["product"]["thumbnail"] == f"{SHOP}/media/mug.png"


def test_graphql_answers_the_same(store: Caller, cart: Any) -> None:
    document = "query ($id: ID!) { cart(id: $id) { items { thumbnail product { small: thumbnail images { url } } } } }"
    (line,) = data(ask(store, document, {"id": cart.pk}))["cart"]["items"]
    assert line == {
        "thumbnail": f"{SHOP}/media/mug.png",
        "product": {
            "small": f"{SHOP}/media/mug.png",
            "images": [{"url": f"{SHOP}/media/mug 2.png"}, {"url": "https://pictures.example/mug.png"}],
        },
    }


def test_a_picture_that_nobody_gave_stays_null(store: Caller) -> None:
    ProductFactory(thumbnail=None)
    assert [each["thumbnail"] for each in store.get("/store/products?fields=thumbnail").json()["products"]] == [None]


def test_no_public_url_leaves_the_path(settings: Any) -> None:
    settings.PUBLIC_URL = ""
    assert absolute("/media/mug.png") == "/media/mug.png"


def test_staffs_screens_show_paths_of_their_own_server() -> None:
    """Their policy allows pictures of the server itself, which staff may reach by another name, and of https."""
    assert 'src="/media/mug.png"' in picture("/media/mug.png")
