"""One PDF for each document, made by the process of jobs; and the emails that carry it."""

import hashlib
import stat
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.task_retries import retry_task
from kit.commands import atomic_files
from kit.jobs.queues import JOB_QUEUES
from kit.messages.mails.models import Mail
from kit.messages.mails.repeating import can_be_sent
from kit.messages.mails.sending import send_due
from kit.values.timestamps import now
from orders.invoices.delivery import LONGEST_WAIT, deliver
from orders.invoices.printing import files, pdf, rendering
from orders.invoices.printing.pdf import PdfFailed
from orders.models import Invoice, InvoiceFile, Order
from tests.factories.clock import at
from tests.orders.fulfillments.shop import STAFF
from tests.orders.invoices.documents import credit_note, one_rate, with_card

PDF = b"%PDF-1.7 of a test"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.INVOICE_PDF = True
    settings.INVOICE_DIR = str(tmp_path / "invoices")
    return tmp_path / "invoices"


@pytest.fixture(autouse=True)
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was rendered. Real PDFs are made in test_pdf.py."""
    pages: list[str] = []

    def pdf_of(html: str) -> bytes:
        pages.append(html)
        return PDF

    monkeypatch.setattr(rendering, "pdf_of", pdf_of)
    return pages


def work() -> None:
    """What the process of jobs does with what is due."""
    worker = QueueWorker(JOB_QUEUES, Event(), worker_id="test", idle_seconds=0.1)
    worker.interval = 0.05
    worker.run()


def delivered(document: Invoice) -> Invoice:
    with transaction.atomic():
        deliver({document.pk: document.kind})
    return document


def sent() -> list[Any]:
    """The emails that are sent now, without the customer's others."""
    Mail.objects.exclude(kind__in=["invoice", "credit_note"]).delete()
    mail.outbox.clear()
    send_due()
    return mail.outbox


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
class TestFiles:
    def test_a_document_has_one_private_file_with_its_digest(self, folder: Path, rendered: list[str]) -> None:
        row = delivered(one_rate())
        work()
        (path,) = folder.iterdir()
        file = InvoiceFile.objects.get()
        assert (file.pk, file.path, file.size) == (row.pk, path.name, len(PDF))
        assert file.digest == hashlib.sha256(PDF).hexdigest()
        assert path.read_bytes() == PDF == files.content_of(file)
        assert [stat.S_IMODE(each.stat().st_mode) for each in (path, folder)] == [0o600, 0o700]
        assert len(path.stem) == 43
        assert row.pk not in path.name
        assert "<h1>Invoice R-2026-000001</h1>" in rendered[0]

    def test_it_is_never_rendered_again(self, folder: Path, rendered: list[str]) -> None:
        row = delivered(one_rate())
        work()
        rendering.render.enqueue(invoice_id=row.pk)
        work()
        files.keep(row, b"%PDF of another process")
        assert len(rendered) == 1
        assert [path.read_bytes() for path in folder.iterdir()] == [PDF]

    def test_a_process_killed_before_the_row_leaves_one_file(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        delivered(one_rate())
        with monkeypatch.context() as patch:
            patch.setattr(InvoiceFile.objects, "create", _killed)
            work()
        assert (len(list(folder.iterdir())), InvoiceFile.objects.count()) == (1, 0)
        retry_task(actor=STAFF, task_id=DBTaskResult.objects.get(task_path__endswith="rendering.render").pk)
        work()
        assert [path.name for path in folder.iterdir()] == [InvoiceFile.objects.get().path]

    def test_a_killed_process_is_followed_by_another(self, folder: Path) -> None:
        delivered(one_rate())
        running = DBTaskResult.objects.get(task_path__endswith="rendering.render")
        DBTaskResult.objects.filter(pk=running.pk).update(status="RUNNING", worker_ids=["test"])
        work()
        assert [path.name for path in folder.iterdir()] == [InvoiceFile.objects.get().path]

    def test_a_failed_pdf_is_listed_and_can_be_retried(self, monkeypatch: pytest.MonkeyPatch) -> None:
        delivered(one_rate())
        with monkeypatch.context() as patch:
            patch.setattr(rendering, "pdf_of", _refused)
            work()
        failed = DBTaskResult.objects.get(status="FAILED")
        assert "PdfFailed: It takes longer than 60 s" in failed.traceback
        retry_task(actor=STAFF, task_id=failed.pk)
        work()
        assert InvoiceFile.objects.count() == 1

    def test_a_full_disk_leaves_neither_a_file_nor_a_row(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        delivered(one_rate())
        with monkeypatch.context() as patch:
            patch.setattr(atomic_files.os, "fsync", _full)
            work()
        assert (list(folder.iterdir()), InvoiceFile.objects.count()) == ([], 0)

    @pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"another")])
    def test_a_file_that_was_lost_or_changed_is_not_handed_out(self, folder: Path, spoil: Any) -> None:
        delivered(one_rate())
        work()
        spoil(next(folder.iterdir()))
        with pytest.raises(files.FileLost):
            files.content_of(InvoiceFile.objects.get())

    def test_a_pdf_with_a_buyer_who_was_erased_meanwhile_is_not_kept(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = delivered(one_rate())

        def while_erasing(html: str) -> bytes:
            Invoice.objects.filter(pk=row.pk).update(buyer={})
            return PDF

        monkeypatch.setattr(rendering, "pdf_of", while_erasing)
        work()
        assert (folder.exists(), InvoiceFile.objects.count()) == (False, 0)

    def test_without_pdfs_nothing_is_queued(self, settings: Settings) -> None:
        settings.INVOICE_PDF = False
        delivered(one_rate())
        assert not DBTaskResult.objects.filter(task_path__endswith="rendering.render").exists()


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
class TestMails:
    def test_the_email_waits_for_the_pdf_and_carries_it(self) -> None:
        issued_at = now()
        with at(issued_at):
            delivered(row := one_rate(issued_at=issued_at))
        moment = issued_at + timedelta(seconds=1)
        with at(moment):
            assert sent() == []
        waiting = Mail.objects.get()
        assert (waiting.status, waiting.attempts, waiting.error) == ("waiting", 0, "")
        assert waiting.next_try_at == moment + timedelta(seconds=5)
        assert can_be_sent(waiting)
        work()
        with at(waiting.next_try_at):
            (letter,) = sent()
        assert letter.recipients() == ["ann@example.com"]
        assert letter.subject.startswith("Your invoice R-2026-000001 at ")
        assert letter.attachments == [("R-2026-000001.pdf", PDF, "application/pdf")]
        assert letter.body.startswith(f"Attached is the invoice R-2026-000001 for your order {row.order} at ")
        assert "3 x Mug" not in letter.body
        assert Mail.objects.get().status == "sent"

    def test_it_looks_less_and_less_often_and_goes_without_after_an_hour(self) -> None:
        issued_at = now()
        with at(issued_at):
            delivered(one_rate(issued_at=issued_at))
        moment, pauses = issued_at + timedelta(seconds=1), list[int]()
        while True:
            with at(moment):
                if letters := sent():
                    break
            pauses.append(round((Mail.objects.get().next_try_at - moment).total_seconds()))
            moment = Mail.objects.get().next_try_at
        assert pauses == [5, 6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072]
        assert [letter.attachments for letter in letters] == [[]]
        assert "3 x Mug, Blue: 27,00 €" in letters[0].body

    def test_without_pdfs_it_has_the_content(self, settings: Settings) -> None:
        settings.INVOICE_PDF = False
        row = delivered(with_card())
        (letter,) = sent()
        assert letter.attachments == []
        assert [line.strip() for line in letter.body.splitlines() if line.strip()] == [
            f"This is the invoice R-2026-000001 for your order {row.order} at Store.",
            "2 x Mug: 20,00 €",
            "1 x Tea: 5,00 €",
            "1 x Gift card, outside the scope of tax: 54,00 €",
            "VAT 20 % of 20,00 €: 4,00 €",
            "Total: 83,00 €",
            "gift card: -60,00 €",
            "card: -23,00 €",
            "Amount due: 0,00 €",
            "From:",
            "Teekontor Nord GmbH",
            "Am Sandtorkai 12",
            "20457 Hamburg",
            "Germany",
            "Tax number DE811907980",
            "To:",
            "Ann Lee",
            "1 Elm Street",
            "10001 New York",
            "New York",
            "United States",
            "Issued 30 Nov 2026",
            f"Your order: {letter.body.split('Your order: ')[1].strip()}",
        ]
        page = letter.alternatives[0][0]
        assert "54,00 €" in page
        assert "Outside the scope of tax" in page

    def test_a_credit_note_names_its_invoice(self, settings: Settings) -> None:
        settings.INVOICE_PDF = False
        delivered(credit_note(one_rate()))
        (letter,) = sent()
        assert letter.subject.startswith("Your credit note G-2026-000001 at ")
        assert "It takes back amounts of the invoice R-2026-000001, or of earlier ones." in letter.body
        assert "Total: 10,80 €" in letter.body
        assert "Amount due" not in letter.body

    @pytest.mark.parametrize("columns", [{"no_notification": True}, {"email": None}])
    def test_nobody_gets_one_who_gets_no_emails(self, columns: dict[str, object]) -> None:
        row = one_rate()
        Order.objects.filter(pk=row.order_id).update(**columns)
        delivered(row)
        assert sent() == []
        assert Mail.objects.get().status == "not needed"

    def test_a_document_that_is_rolled_back_causes_neither(self) -> None:
        row = one_rate()
        with transaction.atomic():
            deliver({row.pk: row.kind})
            transaction.set_rollback(True)
        assert not Mail.objects.filter(kind="invoice").exists()
        assert not DBTaskResult.objects.filter(task_path__endswith="rendering.render").exists()

    def test_a_lost_file_delays_the_email(self, folder: Path) -> None:
        row = delivered(one_rate(shown_number="R/2026/1", issued_at=now()))
        work()
        path = next(folder.iterdir())
        content = path.read_bytes()
        path.write_bytes(b"another")
        assert sent() == []
        assert can_be_sent(Mail.objects.get())
        path.write_bytes(content)
        with at(Mail.objects.get().next_try_at):
            (letter,) = sent()
        assert [each[0] for each in letter.attachments] == ["R-2026-1.pdf"]
        assert row.kind == "invoice"

    def test_an_email_goes_without_a_file_that_stays_lost(self, folder: Path) -> None:
        row = delivered(one_rate(issued_at=now()))
        work()
        next(folder.iterdir()).unlink()
        with at(row.issued_at + LONGEST_WAIT):
            assert can_be_sent(Mail.objects.get(kind="invoice"))
            (letter,) = sent()
        assert letter.attachments == []
        assert "3 x Mug, Blue: 27,00 €" in letter.body


def _killed(**columns: object) -> None:
    raise KeyboardInterrupt


def _refused(html: str) -> bytes:
    raise PdfFailed(f"It takes longer than {pdf.SECONDS} s")


def _full(descriptor: int) -> None:
    raise OSError("No space left on device")
