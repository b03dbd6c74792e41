"""Products of every script are found as readers of that script expect, on both databases."""

from urllib.parse import quote

import pytest

from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db

TITLES = {
    "宇治抹茶パウダー": ["抹茶", "パウダー", "治抹", "ﾊﾟｳﾀﾞｰ", "宇治 抹茶"],
    "男士短袖T恤": ["短袖", "T恤", "ｔ恤"],
    "เสื้อยืดสีแดง": ["สี", "แดง", "เสื้อ"],
    "ເສື້ອຍືດສີແດງ": ["ສີ", "ແດງ"],
    "កាហ្វេទឹកដោះគោ": ["គោ", "ទឹក"],
    "လက်ဖက်ရည်": ["ရည်", "ဖက်"],
    "유기농녹차": ["녹차", "농녹"],
    "O’Brien’s Stout": ["o'brien", "obriens", "O’Brien's", "o`brien", "brien"],
    "T‑shirt Łódź": ["t-shirt", "T–shirt", "tshirt", "lodz", "ŁÓDŹ"],
    "Smørrebrød på Ærø": ["smorrebrod", "aero", "SMØRREBRØD", "ærø"],
    "Đèn lồng": ["den long", "đèn", "DEN"],
    "IŞIK Kılıf": ["isik", "ışık", "kilif", "KILIF"],
    "Þórður": ["thordur", "Þór", "þórður"],
    "Großer Weißwein": ["weisswein", "GROSSER", "weißw"],
    "شاي أخضر": ["اخضر", "أَخْضَر", "شاى"],
    "Montre d’or": ["or", "d'or", "d’or"],
}


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


def found(store: Caller, search: str) -> list[str]:
    answer = store.get("/store/products", f"fields=title&q={quote(search)}").json()
    assert answer["count"] == len(answer["products"])
    return [product["title"] for product in answer["products"]]


def test_each_title_is_found_by_what_its_readers_type(store: Caller) -> None:
    for title in TITLES:
        ProductFactory(title=title)
    missed = [
        (title, search)
        for title, searches in TITLES.items()
        for search in searches
        if title not in found(store, search)
    ]
    assert missed == []
    for search in ("宇茶", "茶", "抹 茶", "ชา", "greentea"):
        assert found(store, search) == []


def test_two_letters_are_found_beside_other_words_and_in_alternatives(store: Caller) -> None:
    tea, other = ProductFactory(title="宇治抹茶パウダー"), ProductFactory(title="抹茶ラテ")
    VariantFactory(product=tea, sku="MT-100")
    assert found(store, "抹茶 mt-100") == [tea.title]
    answer = store.get("/store/products", f"fields=title&$or[0][q]={quote('抹茶')}&$or[1][q]=none").json()
    assert (answer["count"], {each["title"] for each in answer["products"]}) == (2, {tea.title, other.title})
    answer = store.get("/store/product-variants", f"q={quote('mt−100')}&fields=sku").json()
    assert [each["sku"] for each in answer["variants"]] == ["MT-100"]
