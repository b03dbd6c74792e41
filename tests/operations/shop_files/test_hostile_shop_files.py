"""Files that a parser, a number type or a column cannot take are reported as problems, never as tracebacks."""

import gzip
import json
from typing import Any

import pytest
from django.core.management import CommandError

from catalog.models import MAX_DEPTH, PriceListRule, ProductCategory, ProductTag, ProductVariant
from commerce.operations.shop_files import json_text
from commerce.operations.shop_files.json_text import LONGEST_NUMBER
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

TEA = '{"products": [{"title": "Tea", "variants": [{"title": "Bag", %s}]}]}'
ACCOUNT = """{"customers": [{"email": "ann@example.com"}], "store_credit_accounts": [{"customer": "ann@example.com",
"currency_code": "eur", "transactions": [{"type": "credit", "amount": %s, "reference": "a", "reference_id": "1"}]}]}"""
SMALL = ("0e999999", "1e-999999", "0." + "1" * 390)


@pytest.fixture(params=[64 * 1024, 1, 7], ids="{}-byte chunks".format)
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_CHUNK", request.param)


def refusal(files: ShopFiles, content: str | bytes, name: str = "shop.json") -> str:
    """What the command says of a file that is no JSON, without the file's name. Nothing may have changed."""
    before, path = everything(), files.write(content, name)
    with pytest.raises(CommandError) as refused:
        files.run("load_shop", path)
    assert refused.value.returncode == 1
    assert everything() == before
    return str(refused.value).removeprefix(path)


@pytest.mark.parametrize(
    "number",
    [
        "9" * 5000,
        "-" + "9" * 5000,
        "0." + "3" * 5000,
        "1e99999999999999999999",
        "1E+99999999999999999999",
        "1e-99999999999999999999",
        "0.0e1999999999999999999",
        "1e" + "0" * 5000,
    ],
    ids=lambda number: number[:12],
)
@pytest.mark.usefixtures("chunk")
def test_a_number_that_no_number_type_holds(files: ShopFiles, number: str):
    shop = '{"products": [{"width": 1.5},\n{"width": NUMBER}, {"width": 2.5}]}'
    assert refusal(files, shop.replace("NUMBER", number)) == " is not JSON: line 2: number too long"


@pytest.mark.parametrize("name", ["shop.json", "shop.json.gz"])
def test_a_number_too_long_among_others_where_the_parser_would_crash(files: ShopFiles, name: str):
    text = '{"products":[{"width":1.5},{"width":%s},{"width":2.5}]}' % ("9" * 5000)
    assert refusal(files, text, name) == " is not JSON: line 1: number too long"


@pytest.mark.parametrize("number", ["9" * LONGEST_NUMBER, "1e999999", "1e-999999", "0e999999", "0." + "1" * 390])
@pytest.mark.parametrize(
    ("path", "shop"),
    [
        ("product_categories[0].rank", '{"product_categories": [{"name": "Tea", "rank": %s}]}'),
        ("product_categories[0].name", '{"product_categories": [{"name": %s}]}'),
        ("products[0].variants[0].prices[0].amount", TEA % '"prices": [{"currency_code": "eur", "amount": %s}]'),
        ("products[0].variants[0].variant_rank", TEA % '"variant_rank": %s'),
        ("products[0].variants[0].weight", TEA % '"weight": %s'),
        ("gift_cards[0].value", '{"gift_cards": [{"code": "TEA", "currency_code": "eur", "value": %s}]}'),
        ("store_credit_accounts[0].transactions[0].amount", ACCOUNT),
    ],
    ids=lambda value: value.partition("[")[0] + value.rpartition(".")[2] if value[0] in "pgs" else "",
)
def test_a_number_just_short_enough_is_reported_by_its_path_or_loaded(
    files: ShopFiles, path: str, shop: str, number: str
):
    content = shop.replace("%s", number)
    if (path.endswith("weight") and number in SMALL) or (path.endswith("prices[0].amount") and number in SMALL[:2]):
        files.load(content)
    else:
        (problem,) = files.refused(content)
        assert problem.startswith(f"{path}: ")
        assert len(problem) < 200


@pytest.mark.parametrize(
    ("escaped", "half"),
    [
        (r"\udc00", r"\udc00"),
        (r"\udfff\ud800", r"\udfff"),
        (r"a\ud800x", r"\ud800"),
        (r"a\uD800", r"\uD800"),
        (r"\ud83d\u0041", r"\ud83d"),
        (r"\ud83d\ud83d\ude00", r"\ud83d"),
        (r"\ud83d\ude00\ude00", r"\ude00"),
        (r"\\\udc00", r"\udc00"),
    ],
)
@pytest.mark.parametrize(
    "shop", ['{"product_tags": [\n{"value": "%s"}]}', '{"product_tags": [\n{"%s": "a"}]}', '{"\n%s": []}']
)
@pytest.mark.usefixtures("chunk")
def test_half_a_character(files: ShopFiles, shop: str, escaped: str, half: str):
    message = refusal(files, shop % escaped)
    assert message.removeprefix(" is not JSON: ") in (
        f"line {number}: {half} is half of a surrogate pair" for number in (1, 2)
    )


@pytest.mark.parametrize("octets", [b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82"])
@pytest.mark.parametrize("shop", [b'{"product_tags": [{"value": "a%sb"}]}', b'{"product_tags": [{"a%sb": 1}]}', b"{%s"])
@pytest.mark.usefixtures("chunk")
def test_bytes_that_are_no_utf_8(files: ShopFiles, shop: bytes, octets: bytes):
    assert refusal(files, shop % octets) == " is not JSON: it is not UTF-8"


@pytest.mark.parametrize(
    ("escaped", "value"),
    [
        (r"\ud83d\ude00\uD83D\uDE00", "😀😀"),
        ("😀č", "😀č"),
        (r"\\udc00 \\\\ud800 \" \u010d", '\\udc00 \\\\ud800 " č'),
        ("1e99999999999999999999", "1e99999999999999999999"),
        ("9" * 200 + r"\"" + "e" * 50, "9" * 200 + '"' + "e" * 50),
        (r"\\", "\\"),
    ],
)
@pytest.mark.usefixtures("chunk")
def test_texts_that_only_look_so_are_loaded_as_they_are(files: ShopFiles, escaped: str, value: str):
    files.load('{"product_tags": [{"value": "TEXT"}, {"value": "z"}]}'.replace("TEXT", escaped))
    assert set(ProductTag.objects.values_list("value", flat=True)) == {value, "z"}


@pytest.mark.parametrize("name", ["shop.json", "shop.json.gz"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_is_read_as_editors_save_it(files: ShopFiles, encoding: str, name: str):
    content = '{"product_tags": [{"value": "Tëa 抹茶"}]}\r\n'.encode(encoding)
    files.run("load_shop", files.write(content, name))
    assert ProductTag.objects.get().value == "Tëa 抹茶"


def test_a_gzipped_file_needs_no_name_of_its_own(files: ShopFiles):
    files.run("load_shop", files.write(gzip.compress(b'{"product_tags": [{"value": "Tea"}]}'), "shop.json"))
    files.run("load_shop", files.write(b'{"product_tags": [{"value": "Tea"}]}', "plain"))
    assert ProductTag.objects.get().value == "Tea"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04\x14\0", "it is a ZIP file, as spreadsheets (.xlsx) are; load JSON"),
        (b"%PDF-1.7", "it is a PDF file; load JSON"),
        (b"SQLite format 3\0", "it is an SQLite database; load JSON"),
        ('{"product_tags": [{"value": "Tëa"}]}'.encode("cp1252"), "it is not UTF-8"),
        ('{"product_tags": []}'.encode("utf-16") + b"a", "it is not UTF-16"),
    ],
)
def test_another_file_is_refused_by_what_it_is(files: ShopFiles, content: bytes, message: str):
    assert refusal(files, content) == f" is not JSON: {message}"


def test_a_long_text_of_digits_is_loaded(files: ShopFiles):
    files.load({"product_categories": [{"name": "Tea", "description": "9" * 200_000}]})
    assert ProductCategory.objects.get().description == "9" * 200_000


@pytest.mark.parametrize(
    ("shop", "problem"),
    [
        ('{"product_tags": [{"value": "a"}, {"value": "b", "value": "c"}]}', 'product_tags[1]: has "value" twice'),
        (
            '{"product_categories": [{"name": "Tea", "metadata": {"a": {"b": 1, "c": {"b": 1}, "b": 2}}}]}',
            'product_categories[0]: has "b" twice',
        ),
    ],
)
def test_a_name_that_is_twice_in_an_object(files: ShopFiles, shop: str, problem: str):
    assert files.refused(shop) == [f"{problem} in an object"]


def test_a_name_may_be_in_several_objects(files: ShopFiles):
    files.load({"product_categories": [{"name": "Tea", "metadata": {"name": {"name": [{"name": 1}, {"name": 2}]}}}]})
    assert ProductCategory.objects.get().metadata == {"name": {"name": [{"name": 1}, {"name": 2}]}}


def test_a_rules_attribute_is_one_of_those_that_are_known(files: ShopFiles):
    def price_lists(*names: str) -> dict[str, Any]:
        return {"price_lists": [{"title": "x", "rules": {name: ["v"] for name in names}}]}

    expected = "expected region_id or currency_code or country_code or province or customer.id or customer.groups.id"
    assert files.refused(price_lists("region_id", "regio_id", "k" * 255)) == [
        f"price_lists[0].rules.regio_id: {expected} as the name",
        f"price_lists[0].rules.{'k' * 60}…: {expected} as the name",
    ]
    assert files.refused(price_lists("k" * 256)) == ["price_lists[0].rules: has a key of more than 255 characters"]
    files.load(price_lists("region_id"))
    assert PriceListRule.objects.get().attribute == "region_id"


def test_no_rank_follows_the_last_there_is(files: ShopFiles):
    def products(*ranks: int | None) -> dict[str, Any]:
        variants = [
            {"title": title, "options": {"S": title}} | ({} if rank is None else {"variant_rank": rank})
            for title, rank in zip("ab", ranks, strict=True)
        ]
        return {"products": [{"title": "x", "options": [{"title": "S", "values": ["a", "b"]}], "variants": variants}]}

    assert files.refused(products(2**31 - 1, None)) == [
        "products[0].variants[1].variant_rank: is required: another variant's is 2147483647"
    ]
    files.load(products(2**31 - 2, None))
    assert set(ProductVariant.objects.values_list("variant_rank", flat=True)) == {2**31 - 2, 2**31 - 1}


@pytest.mark.parametrize("step", [1, -1], ids=["parents first", "parents last"])
def test_a_chain_of_very_many_categories(files: ShopFiles, step: int):
    chain = [{"name": f"n{depth}", "parent": f"n{depth - 1}" if depth else None} for depth in range(2500)]
    (problem,) = files.refused(json.dumps({"product_categories": chain[::step]}))
    index = MAX_DEPTH + 1 if step == 1 else len(chain) - MAX_DEPTH - 2
    assert problem == f"product_categories[{index}]: is more than {MAX_DEPTH} levels below a root category"
