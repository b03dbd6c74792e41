"""Files of strangers: each limit of uploads, and cells that are no values."""

from io import BytesIO

import pytest
from openpyxl import Workbook

from catalog.models import Product
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from kit.spreadsheets import files
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import upload
from tests.catalog.spreadsheets.importing import lines, previewed, uploaded

pytestmark = pytest.mark.django_db


def _uploaded(content: bytes, name: str) -> Import:
    return upload(actor=SYSTEM, spreadsheet="products", file=BytesIO(content), name=name)


def _book(*rows: list[object]) -> bytes:
    book, file = Workbook(), BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "a.csv", "The file is empty."),
        (b"\r\n\r\n", "a.csv", "The file is empty."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0",
            "a.csv",
            "The file is neither CSV nor XLSX. Save it as one of them.",
        ),
        (b"PK\x03\x04", "a.csv", "The file is not a valid XLSX file."),
        (_book(["Title"]), "a.xlsm", "This kind of file cannot be imported. Save it as CSV or XLSX."),
        (b"a", "a.xls", "This kind of file cannot be imported. Save it as CSV or XLSX."),
        (b"Title\r\n" + b"x" * 200_000, "a.csv", None),
    ],
)
def test_what_is_no_spreadsheet_is_refused(content: bytes, name: str, message: str | None) -> None:
    with pytest.raises(InvalidData) as refused:
        preview(_uploaded(content, name), actor=SYSTEM)
    assert message is None or refused.value.message == message
    assert not [path for path in files.path_of("x", "csv").parent.glob("*") if path.suffix == ".part"]


def test_a_file_over_the_limit_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 5 * 1024 * 1024)
    with pytest.raises(InvalidData, match="The file is larger than 5 MB"):
        _uploaded(b"Title\r\n" + b"x\r\n" * 2_000_000, "a.csv")
    assert [*files.path_of("x", "csv").parent.glob("*")] == []
    assert not Import.objects.exists()


def test_the_limit_is_64_megabytes() -> None:
    assert files.MOST_BYTES == 64 * 1024 * 1024


def test_a_formula_is_a_problem_whatever_it_makes() -> None:
    one = _uploaded(_book(["Product Handle", "Product Title", "Variant SKU"], ["cup", '="Cup"', "007"]), "a.xlsx")

    preview(one, actor=SYSTEM)

    assert one.counts == {"problem": 1, "rows": 1}
    assert one.problems[0] == [2, "Product Title", "This cell has a formula. Replace it with its value."]


def test_a_path_in_a_file_name_is_ignored(private_files: object) -> None:
    one = _uploaded(b"Title\r\nCup", "../../etc/passwd.csv")

    assert one.name == "passwd.csv"
    assert files.path_of(one.pk, "csv").is_file()
    assert files.path_of(one.pk, "csv").stat().st_mode & 0o777 == 0o600
    assert files.path_of(one.pk, "csv").parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("text", ["a\0b", "x" * 256])
def test_text_that_no_column_holds_is_a_problem(text: str) -> None:
    others = [
        f"cup-{number},{'x' * 200}" for number in range(400)
    ]  # more than what is searched for signs of other files
    one = uploaded(lines("Product Handle,Product Title", *others, f"mug,{text}"))

    preview(one, actor=SYSTEM)

    assert one.counts == {"new": 400, "problem": 1, "rows": 401}
    assert one.problems[0][:2] == [402, "Product Title"]
    assert not Product.objects.exists()


@pytest.mark.parametrize(
    "address", ["javascript:x()", "//evil.example/a.png", "data:image/png;base64,", "file:///etc/passwd"]
)
def test_addresses_of_pictures_are_those_of_the_web(address: str) -> None:
    one = previewed(
        lines("Product Handle,Product Title,Product Image 1 Url,Product Thumbnail", f'cup,Cup,"{address}","{address}"')
    )

    assert one.counts == {"problem": 1, "rows": 1}
    assert [problem[:2] for problem in one.problems] == [[2, "Product Thumbnail"], [2, "Product Image 1 Url"]]


def test_many_problems_are_counted_and_the_first_are_told() -> None:
    rows = [f"thing-{number},,x" for number in range(1200)]
    one = previewed(lines("Product Handle,Product Title,Variant Price EUR", *rows))

    assert one.counts == {"problem": 1200, "rows": 1200}
    assert len(one.problems) == 1000
