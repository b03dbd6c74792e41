"""What a word finds, as a table; and the queries of each database's index."""

import pytest
from django.db import connection

from kit.search.queries import EntryQuery, any_of, query_for
from kit.search.text import document, fold, is_found, without_implied, words_of


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Tea", "tea"),
        ("STRASSE Straße", "strasse strasse"),
        ("Crème BRÛLÉE", "creme brulee"),
        ("ΣΊΣΥΦΟΣ Σίσυφος", "σισυφοσ σισυφοσ"),
        ("Ёлка", "елка"),
        ("ﬁne №5", "fine no5"),
        ("ガ", "ガ"),
        ("हिन्दी", "हिन्दी"),
        ("Ærø Køben Đặng Łódź", "aero koben dang lodz"),
        ("Þórður Œuvre Eiður SEẞEL ŧ ħ ŋ", "thordur oeuvre eidur sessel t h n"),
        ("IŞIK ışık İSTANBUL Istanbul Əli", "isik isik istanbul istanbul eli"),
        ("Ґанок қазақ ңұр", "ганок казак нүр"),
        ("أحمد إلى آل مدرسة", "احمد الي ال مدرسه"),
        ("مُحَمَّد كتـاب", "محمد كتاب"),
        ("کیک", "كيك"),
        ("שָׁלוֹם", "שלום"),
        ("١٢٣ ۴۵ ９", "123 45 9"),
        ("O’Brien O´Brien O`Brien Oʼbrien O＇brien", "o'brien o'brien o'brien o'brien o'brien"),
        ("T‑shirt T–shirt T－shirt T−shirt T—shirt", "t-shirt t-shirt t-shirt t-shirt t-shirt"),
        ("Kaf\u00adfee می\u200cخواهم", "kaffee ميخواهم"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


FOUND = [
    ("Green tea", "tea", True),
    ("Green tea", "ree", True),
    ("Green tea", "TEA gre", True),
    ("Green tea", "te", True),
    ("Green tea", "ea", False),
    ("Green tea", "t g", True),
    ("Green tea", "r", False),
    ("Green tea", "greentea", False),
    ("T-Shirt", "shirt", True),
    ("T-Shirt", "t-sh", True),
    ("T-Shirt", "sh", True),
    ("T-Shirt", "-s", False),
    ("T-Shirt", "-shirt", True),
    ("T-Shirt", "t-", True),
    ("ONK-0029/XL", "k-0029/x", True),
    ("ONK-0029/XL", "xl", True),
    ("ONK-0029/XL", "l", False),
    ("100% juice", "100%", True),
    ("1000 juices", "100%", False),
    ("100% juice", "%", False),
    ("%off", "%", True),
    ("a_bc", "a_b", True),
    ("axbc", "a_b", False),
    ("back\\slash", "k\\s", True),
    ("it's", "its", True),
    ("O’Brien’s", "o'brien", True),
    ("O'Brien's", "obriens", True),
    ("O’Brien’s", "BRIEN", True),
    ("obriens", "O’Brien’s", True),
    ("O'Brien", "o brien", True),
    ("O'Brien", "'", True),
    ("Montre d’or", "or", True),
    ("Montre d’or", "dor", True),
    ("Montre d’or", "d'or", True),
    ("T‑Shirt", "t-shirt", True),
    ("T-Shirt", "T–shirt", True),
    ("T-Shirt", "tshirt", True),
    ("green-tea", "greentea", False),
    ("Ölgemälde aus Łódź", "lodz", True),
    ("lodz", "Łódź", True),
    ('5" "x"', '"x"', True),
    ("Grüne Crème", "grune CREME", True),
    ("(x)", "x", True),
    ("(x)", "x)", False),
    ("日本語テキスト", "本語テ", True),
    ("日本語テキスト", "本語", True),
    ("日本語テキスト", "日本", True),
    ("宇治抹茶パウダー", "抹茶", True),
    ("宇治抹茶", "抹茶", True),
    ("宇治抹茶", "宇茶", False),
    ("宇治抹茶", "茶", False),
    ("男士短袖T恤", "t恤", True),
    ("เสื้อยืดสีแดง", "สี", True),
    ("ເສື້ອຍືດ", "ຍື", True),
    ("កាហ្វេទឹកដោះគោ", "គោ", True),
    ("လက်ဖက်ရည်", "ရည", True),
    ("유기농녹차", "녹차", True),
    ("Зеленый чай", "ый", False),
    ("supercalifragilisticexpialidocious", "califragilisticexpiali", True),
    ("supercalifragilisticexpialidocious", "califragilisticexpiala", False),
]


@pytest.mark.parametrize(("text", "search", "is_there"), FOUND)
def test_a_word_is_found(text: str, search: str, is_there: bool) -> None:
    assert is_found(words_of(search), [text]) is is_there


def test_words_may_be_found_in_different_texts_but_none_across_two() -> None:
    assert is_found(("tea", "mug"), ["Tea", None, "Mug"])
    assert not is_found(("teamug",), ["tea", "mug"])


def test_a_document_holds_every_token_once() -> None:
    assert document(["Tea tea", "T-shirt (tea)"]) == " shirt t tea tshirt\n (tea) t-shirt"
    assert document(["", None]) == "\n"


def test_words_that_tell_nothing_more_are_not_asked_for() -> None:
    assert without_implied(("leather", "eat", "le", "tea")) == ("leather", "le", "tea")


ASKED = [
    (("tea",), EntryQuery("'tea':*"), '"tea"'),
    (("te", "t"), EntryQuery("(' te') & (' t')"), '(" te") AND ("  t")'),
    (("t-shirt",), EntryQuery("'shirt':*", ("t-shirt",)), '"t-shirt"'),
    (("tea-mug",), EntryQuery("'tea' & 'mug':*", ("tea-mug",)), '"tea-mug"'),
    (("tea-",), EntryQuery("'tea'", ("tea-",)), '"tea-"'),
    (
        ("ann.sur@shop.example",),
        EntryQuery("'ann' & 'sur' & 'shop'", ("ann.sur@shop.example",)),
        '"ann.sur@shop.example"',
    ),
    (("jo@shop.example",), EntryQuery("", ("jo@shop.example",), ("jo@",)), '"jo@shop.example"'),
    (("a.b@shop",), EntryQuery("", ("a.b@shop",), (".b@",)), '"a.b@shop"'),
    (("x@a", "tea"), EntryQuery("'tea':*", ("x@a",), ("x@",)), '("x@a") AND ("tea")'),
    (("@shop.example",), EntryQuery("'shop' & 'example':*", ("@shop.example",)), '"@shop.example"'),
    (("a-b",), EntryQuery("", ("a-b",)), '"a-b"'),
    (("宇治抹",), EntryQuery("'宇治抹':*"), '"宇治抹"'),
    (("o'", "x\\"), EntryQuery("(' o''') & (' x\\\\')"), '(" o\'") AND (" x\\")'),
    (('x"y',), EntryQuery("", ('x"y',)), '"x""y"'),
    (("a" * 20,), EntryQuery("'" + "a" * 16 + "':*", ("a" * 20,)), '"' + "a" * 20 + '"'),
]


@pytest.mark.parametrize(("words", "postgresql", "sqlite"), ASKED)
def test_what_the_index_is_asked(words: tuple[str, ...], postgresql: EntryQuery, sqlite: str) -> None:
    assert query_for(words) == (EntryQuery(sqlite) if connection.vendor == "sqlite" else postgresql)


def test_two_letters_of_a_script_without_spaces_are_a_suffix_or_a_part() -> None:
    is_sqlite = connection.vendor == "sqlite"
    assert query_for(("抹茶",)) == (EntryQuery("", parts=("抹茶",)) if is_sqlite else EntryQuery("'抹茶':*"))


def test_alternatives_are_one_query_unless_they_compare_text() -> None:
    joined = any_of([query_for(("tea",)), query_for(("mug",))])
    assert joined == EntryQuery("('tea':*) | ('mug':*)" if connection.vendor == "postgresql" else '("tea") OR ("mug")')
    if connection.vendor == "postgresql":
        assert any_of([query_for(("tea",)), query_for(("t-shirt",))]) is None
