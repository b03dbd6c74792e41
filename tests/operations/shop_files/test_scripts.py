"""Shop files in the scripts of the world load twice without a change, and their dump is what it was, byte for byte.

Titles have marks that combine with letters, some apart from the letter where one sign for both exists.
"""

import unicodedata
from typing import Any

import pytest

from catalog.models import Product, ProductCategory, ProductCollection
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db


def apart(text: str) -> str:
    """With its marks apart from their letters, as some keyboards and file systems have them."""
    decomposed = unicodedata.normalize("NFD", text)
    assert decomposed != text
    return decomposed


# The category, one below it, a collection and a product, each with its handle; option, values, tags and type.
SCRIPTS: dict[str, tuple[list[tuple[str, str]], list[str]]] = {
    "Arabic": (
        [
            ("شاي", "شاي"),
            (apart("شاي أخضر"), "شاي-أخضر"),
            ("مختارات الرّبيع", "مختارات-الرّبيع"),
            ("شايٌ بالنّعناع ٢٥٠", "شايٌ-بالنّعناع-٢٥٠"),
        ],
        ["الحجم", "صغيرٌ", "كبير", apart("جديدٌ آخر"), "عُضويّ", "أوراق"],
    ),
    "Cyrillic": (
        [
            ("Чай", "чай"),
            (apart("Зелёный чай"), "зелёный-чай"),
            ("Весенняя подборка", "весенняя-подборка"),
            (apart("Київський ЧАЙ"), "київський-чай"),
        ],
        ["Размер", "Малый", apart("Большой"), "новый", apart("йод"), "Листовой"],
    ),
    "Devanagari": (
        [
            ("चाय", "चाय"),
            ("हरी चाय", "हरी-चाय"),
            ("वसंत की पसंद", "वसंत-की-पसंद"),
            ("\u0958ीमती हिन्दी किताब", "\u0915\u093cीमती-हिन्दी-किताब"),
        ],
        ["आकार", "छोटा", "बड़ा", "नया", "जैविक", "पत्ती"],
    ),
    "Greek": (
        [
            (apart("Τσάι"), "τσάι"),
            ("Πράσινο τσάι", "πράσινο-τσάι"),
            ("ΕΠΙΛΟΓΕΣ ΤΗΣ ΑΝΟΙΞΗΣ", "επιλογες-της-ανοιξης"),
            (apart("Χαμομήλι Ναΐς"), "χαμομήλι-ναΐς"),
        ],
        [apart("Μέγεθος"), "Μικρό", "Μεγάλο", "νέο", apart("βιολογικό"), "Φύλλα"],
    ),
    "Hebrew": (
        [
            ("תה", "תה"),
            ("תֵּה יָרֹק", "\u05ea\u05b5\u05bc\u05d4-\u05d9\u05b8\u05e8\u05b9\u05e7"),
            ("מבחר האביב", "מבחר-האביב"),
            ("תה 'נענע' מס\u05f3 5", "תה-נענע-מס-5"),
        ],
        ["גודל", "קָטָן", "גדול", "חדש", "אורגני", "עלים"],
    ),
    "Thai": (
        [
            ("ชา", "ชา"),
            ("ชาเขียว", "ชาเขียว"),
            ("คัดสรรฤดูใบไม้ผลิ", "คัดสรรฤดูใบไม้ผลิ"),
            ("น้ำผึ้ง", "น\u0e49\u0e4d\u0e32ผึ้ง"),
        ],
        ["ขนาด", "เล็ก", "ใหญ่", "ใหม่", "อินทรีย์", "ใบชา"],
    ),
    "Japanese": (
        [
            ("お茶", "お茶"),
            (apart("がんこ抹茶"), "がんこ抹茶"),
            ("春のおすすめ", "春のおすすめ"),
            ("宇治　ﾊﾟｳﾀﾞｰ", "宇治-パウダー"),
        ],
        ["サイズ", "小", apart("大きなボトル"), "新着", "有機", apart("リーフ パック")],
    ),
}


def shop_of(script: str) -> dict[str, list[Any]]:
    """A file without ids and handles."""
    names, (option, small, large, *tags, kind) = SCRIPTS[script]
    (parent, at), (child, below), (collection, chosen), (title, _) = names
    return {
        "product_categories": [{"name": parent}, {"name": child, "parent": at}],
        "product_collections": [{"title": collection, "metadata": {child: [title, 1.5]}}],
        "product_types": [{"value": kind}],
        "product_tags": [{"value": tag} for tag in tags],
        "products": [
            {
                "title": title,
                "subtitle": child,
                "description": f"{parent}\n{collection}",
                "status": "published",
                "type": kind,
                "collection": chosen,
                "tags": tags,
                "categories": [at, below],
                "options": [{"title": option, "values": [small, large]}],
                "variants": [
                    {"title": value, "sku": f"{number}-{small}", "options": {option: value}}
                    for number, value in enumerate((small, large))
                ],
                "metadata": {option: large},
            }
        ],
    }


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_file_loads_twice_unchanged_and_dumps_the_same(files: ShopFiles, script: str) -> None:
    content, (names, _) = shop_of(script), SCRIPTS[script]
    made = {f"{key}: {len(rows)} created, 0 updated, 0 unchanged" for key, rows in content.items()}
    assert set(files.load(content)) == made
    handles = [
        *ProductCategory.objects.order_by("path").values_list("name", "handle"),
        *ProductCollection.objects.values_list("title", "handle"),
        *Product.objects.values_list("title", "handle"),
    ]
    assert handles == names
    before = everything()
    files.dump(name="first.json")
    for again in (content, (files.directory / "first.json").read_bytes()):
        assert all(", 0 updated, " in line and ": 0 created, " in line for line in files.load(again))
    assert everything() == before
    files.dump(name="second.json")
    assert (files.directory / "second.json").read_bytes() == (files.directory / "first.json").read_bytes()
