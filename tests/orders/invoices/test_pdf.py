"""PDFs: what they say, what may be read for them, and what a document may cost."""

import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader
from pytest_django import Settings

from commerce.operations.checks.pdf_check import check_invoice_pdf
from orders.invoices.printing import pdf
from orders.invoices.printing.contents import readable
from orders.invoices.printing.pages import printable
from orders.invoices.printing.pdf import PdfFailed, pdf_of
from orders.models import Invoice
from tests.orders.invoices.documents import Tax, document, line, with_card
from tests.orders.invoices.pango import needs_pango

pytestmark = [pytest.mark.once, needs_pango]
WITH_CARD = """\
Teekontor Nord GmbH
Am Sandtorkai 12
20457 Hamburg
Germany
books@teekontor.example
Ann Lee
1 Elm Street
10001 New York
New York
United States
Invoice R-2026-000001
Order #{order}
Issued 30 Nov 2026
Goods and services
Quantity Item Price Discount Tax Without tax
2 Mug 10,00 € 20 % 20,00 €
1 Tea 5,00 € 0 % 5,00 €
Gift cards, outside the scope of tax
Quantity Item Price Discount Amount
1 Gift card 54,00 € 54,00 €
A gift card is a means of payment. Tax is charged when goods are bought with it.
Tax Without tax Tax
VAT 20 % 20,00 € 4,00 €
Zero-rated, 0 % 5,00 € 0,00 €
Without tax 25,00 €
Tax 4,00 €
Gift cards, outside the scope of tax 54,00 €
Total 83,00 €
gift card -60,00 €
card -23,00 €
Amount due 0,00 €
Teekontor Nord GmbH · Tax number DE811907980 · Registration HRB 12345
Bank account DE02 1203 0000 0000 2020 51
Managing director: Ida Thode
Goods remain ours until paid.
Invoice R-2026-000001 Page 1 of 1"""


@pytest.fixture
def asked() -> Iterator[list[str]]:
    """The paths that a server was asked for; the last is its own address."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        paths.append(f"http://127.0.0.1:{server.server_port}")
        yield paths
        server.shutdown()


def text_of(content: bytes) -> list[str]:
    """The text of each page, each line with single spaces."""
    pages = [page.extract_text(extraction_mode="layout") for page in PdfReader(io.BytesIO(content)).pages]
    return ["\n".join(" ".join(text.split()) for text in page.splitlines() if text.strip()) for page in pages]


def printed(*documents: Invoice) -> list[str]:
    keys = [each.pk for each in documents]
    return text_of(pdf_of(printable(readable(Invoice.objects.filter(pk__in=keys).order_by("number")))))


@pytest.mark.django_db
def test_a_pdf_says_what_the_document_says() -> None:
    row = with_card()
    assert printed(row) == [WITH_CARD.format(order=row.order.display_id)]


@pytest.mark.django_db
def test_three_hundred_lines_break_between_lines_and_each_page_has_the_heads_of_the_columns() -> None:
    lines = [line(f"Thing {place}.", 1, "10", "10", "2", "20", sku=f"SKU-{place}") for place in range(300)]
    pages = printed(document(lines, [Tax("VAT", "20", "3000", "600")]))
    assert 8 <= len(pages) <= 14
    for place, page in enumerate(pages, start=1):
        assert page.count("Quantity Item Price Discount Tax Without tax") == ("SKU-" in page)
        assert page.endswith(f"Invoice R-2026-000001 Page {place} of {len(pages)}")
    found = "\n".join(pages)
    assert all(found.count(f"Thing {place}. 10,00 € 20 % 10,00 €\nSKU-{place}\n") == 1 for place in range(300))
    assert "Total 3.600,00 €" in pages[-1]


@pytest.mark.django_db
def test_several_documents_each_begin_on_a_page() -> None:
    first, second = printed(with_card(), document([line("Mug", 1, "10", "10", "2", "20")], [], number=2))
    assert first.endswith("\nInvoice R-2026-000001")
    assert second.endswith("\nInvoice R-2026-000002")


NETWORK = "{server}/a.png"
PLACES = [
    '<link rel="stylesheet" href="{url}">',
    '<style>@import "{url}"</style>',
    '<p style="background: url({url})">Tea',
    '<style>@font-face {{ font-family: A; src: url("{url}") }} p {{ font-family: A }}</style><p>Tea',
    '<link rel="attachment" href="{url}">',
]
URLS = [NETWORK, "file:///etc/hostname", "/etc/hostname", "package:../pdf.py", "pdf.py"]
CASES = [*((place, NETWORK) for place in PLACES), *(('<img src="{url}">', url) for url in URLS)]


@pytest.mark.parametrize(("html", "url"), CASES)
def test_neither_the_network_nor_other_files_are_read(html: str, url: str, asked: list[str]) -> None:
    with pytest.raises(PdfFailed, match=r"Error fetching|none of the packaged files"):
        pdf_of(html.format(url=url.format(server=asked[0])))
    assert asked[1:] == []


def test_pictures_beside_the_shops_templates_and_within_the_page_are_shown(tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_TEMPLATES = str(tmp_path)
    Image.new("RGB", (4, 4), "red").save(tmp_path / "logo.png")
    dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    content = pdf_of(f'<img src="package:logo.png"><img src="{dot}">')
    assert len(PdfReader(io.BytesIO(content)).pages[0].images) == 2


def limited(monkeypatch: pytest.MonkeyPatch, program: Path, *, seconds: int = 20, megabytes: int = 300) -> None:
    """Lower limits, so that the test takes less."""
    code = pdf._PROGRAM.read_text()
    lower = code.replace("SECONDS = 20", f"SECONDS = {seconds}").replace("MEMORY = 300", f"MEMORY = {megabytes}")
    program.write_text(lower)
    monkeypatch.setattr(pdf, "_PROGRAM", program)


def test_a_document_that_takes_too_much_memory_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, tmp_path / "program.py", megabytes=60)
    with pytest.raises(PdfFailed, match="MemoryError"):
        pdf_of("<table>" + "<tr><td>Tea<td>Mug" * 20_000)


def test_a_document_that_takes_too_much_time_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, tmp_path / "program.py", seconds=1)
    with pytest.raises(PdfFailed, match=r"It takes too much CPU time or memory: signal (9|24)"):
        pdf_of("<table>" + "<tr><td>Tea<td>Mug" * 5_000)
    monkeypatch.setattr(pdf, "SECONDS", 0.05)
    with pytest.raises(PdfFailed, match=r"It takes longer than 0.05 s"):
        pdf_of("<p>Tea")


def test_the_check_names_a_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.INVOICE_PDF = True
    assert check_invoice_pdf(None) == []
    program = tmp_path / "program.py"
    program.write_text("raise OSError(\"cannot load library 'libpango-1.0-0'\")")
    monkeypatch.setattr(pdf, "_PROGRAM", program)
    (warning,) = check_invoice_pdf(None)
    assert (warning.id, warning.msg) == (
        "commerce.W010",
        "Invoices cannot be made as PDFs: OSError: cannot load library 'libpango-1.0-0'",
    )
    settings.INVOICE_PDF = False
    assert check_invoice_pdf(None) == []
