"""What a message looks like: safe against what names hold, and written by the shop's own templates if it has any."""

from pathlib import Path

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from kit.messages.mails import pages
from kit.messages.mails.kinds import SHOP_NAME, RenderedMail
from kit.messages.mails.messages import message_of
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.json import JSONObject
from shop.models import Store
from tests.kit.messages.mails.conftest import Notes

ORDER: JSONObject = {
    "number": "#1001",
    "is_tax_inclusive": True,
    "lines": [{"title": "Assam <b>", "variant": "100 g", "quantity": 2, "total": "24,00 €"}],
    "shipping_methods": [{"name": "Parcel", "total": "5,00 €"}],
    "item_total": "24,00 €",
    "discount_total": "",
    "credit_line_total": "4,00 €",
    "tax_total": "",
    "total": "25,00 €",
    "shipping_address": ["Ann Lee", "4 Ropewalk Lane"],
    "billing_address": [],
}
PART: JSONObject = {"order": {"number": "#1001"}, "link": "https://shop.example/o"}
LINES: JSONObject = {"lines": [{"title": "Assam <b>", "variant": "100 g", "quantity": 2}]}
DOCUMENT: JSONObject = {
    "kind": "invoice",
    "number": "R-1",
    "lines": [{"title": "Assam <b>", "variant": "100 g", "quantity": 2, "amount": "24,00 €"}],
    "gift_cards": [{"title": "Card <b>", "quantity": 1, "amount": "10,00 €"}],
    "taxes": [{"subtotal": "20,00 €", "taxes": [{"name": "VAT <b> 20 %", "total": "4,00 €"}]}],
    "total": "34,00 €",
    "payments": [{"label": "Card <b>", "amount": "-34,00 €"}],
    "due": "0,00 €",
    "seller": {"lines": ["Tea <b>"]},
    "buyer": {"lines": ["Ann <b>"], "exemption": "Exempt <b>"},
    "issued_on": "30 Nov 2026",
}
CONTEXTS: dict[str, JSONObject] = {
    "order_placed": {"order": ORDER, "link": "https://shop.example/o"},
    "order_shipped": {
        **PART,
        **LINES,
        "parcels": [{"tracking_number": "T-1", "tracking_url": "https://parcels.example/T-1"}],
        "delivery_address": ["Ann Lee"],
    },
    "order_canceled": {**PART, **LINES, "has_gift_cards": True},
    "order_refunded": {**PART, "amount": "12,50 €", "target": "store_credit", "gift_card": ""},
    "return_requested": {
        **PART,
        **LINES,
        "return_number": 3,
        "shipping_methods": [{"name": "By post", "total": "5,00 €"}],
    },
    "return_received": {**PART, **LINES, "return_number": 3, "expected": []},
    "gift_card": {"value": "25,00 €", "code": "GIFT-1234", "expires_on": "1 May 2027"},
    "password_reset": {"link": "", "token": "abc", "minutes": 15},
    "transfer_requested": {
        "order": {"number": "#1001"},
        "link": "https://shop.example/t",
        "token": "abc",
        "days": 7,
    },
    "order_lookup": {
        "order": {"number": "#1001"},
        "link": "https://shop.example/o",
        "token": "abc",
        "minutes": 60,
    },
    "invoice": {**PART, "document": DOCUMENT, "is_attached": False},
    "credit_note": {**PART, "document": DOCUMENT, "is_attached": True},
    "invitation": {
        "link": "https://api.shop.example/admin/invitation/abc/",
        "inviter": "Ann Lee",
        "roles": ["Warehouse"],
        "hours": 72,
    },
    "webhook_switched_off": {
        "addresses": [
            {"url": "https://erp.example/", "reason": "Every delivery failed", "since": "2026-11-22 12:00 UTC"}
        ]
    },
}


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SHOP_NAME, "_value", lambda: "Tea & Co")


def message(template: str, context: JSONObject, recipient: str = "ann@example.com") -> EmailMultiAlternatives:
    return message_of(Mail(kind=template, about="a"), RenderedMail(recipient, template, context))


def page_of(made: EmailMultiAlternatives) -> str:
    return str(made.alternatives[0][0])


@pytest.mark.django_db
class TestHostileValues:
    EVIL = "Ann\r\nBcc: all@example.com\n\n<script>alert(1)</script>\u2028\x00 & Co"

    def test_a_line_break_in_a_name_makes_neither_a_header_nor_a_line(self, notes: Notes) -> None:
        notes.context = {"text": self.EVIL}
        queue_mail("note", about="a")
        send_due()
        (letter,) = mail.outbox
        plain = "Ann Bcc: all@example.com <script>alert(1)</script> & Co"
        assert letter.subject == f"Note a: {plain}"
        assert letter.body == f"{plain}\nfrom Tea & Co\n"
        assert letter.recipients() == ["ann@example.com"]
        raw = letter.message().as_bytes()
        assert b"\nBcc" not in raw
        assert raw.count(b"Subject:") == 1

    def test_html_in_a_name_is_text(self, notes: Notes) -> None:
        notes.context = {"text": self.EVIL}
        queue_mail("note", about="a")
        send_due()
        assert page_of(mail.outbox[0]) == (
            "<p>Ann Bcc: all@example.com &lt;script&gt;alert(1)&lt;/script&gt; &amp; Co</p><p>Tea &amp; Co</p>"
        )

    @pytest.mark.parametrize(
        "recipient", ["a@example.com, b@example.com", "a@example.com\nBcc: b@example.com", "Ann <a@example.com>", ""]
    )
    def test_a_recipient_is_one_address(self, notes: Notes, recipient: str) -> None:
        notes.recipient = recipient
        queue_mail("note", about="a")
        send_due()
        assert mail.outbox == []
        assert "The recipient is not an email address" in Mail.objects.get().error

    def test_the_shops_name_is_one_line_too(self, notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(SHOP_NAME, "_value", lambda: 'Tea\r\nBcc: b@example.com, "x" <y@example.com>')
        queue_mail("note", about="a")
        send_due()
        (letter,) = mail.outbox
        assert letter.from_email == '"Tea Bcc: b@example.com, \\"x\\" <y@example.com>" <shop@localhost>'
        assert b"\nBcc" not in letter.message().as_bytes()

    def test_a_long_subject_is_cut(self, notes: Notes) -> None:
        notes.context = {"text": "x" * 5000}
        queue_mail("note", about="a")
        send_due()
        assert len(mail.outbox[0].subject) == 200


class TestTemplates:
    @pytest.mark.parametrize("template", CONTEXTS)
    def test_each_kind_has_a_subject_a_text_and_a_page_in_the_shops_name(self, shop: None, template: str) -> None:
        made = message(template, CONTEXTS[template])
        assert made.subject
        assert "Tea & Co" in made.body
        assert "Tea &amp; Co" in page_of(made)
        for text in (made.body, page_of(made)):
            assert "{{" not in text
            assert "{%" not in text
        values = {
            "order_placed": "24,00 €",
            "order_shipped": "T-1",
            "order_canceled": "Gift cards that you bought with this order are no longer valid.",
            "order_refunded": "We have refunded",
            "return_requested": "Return shipping: By post, 5,00 € with tax. It is deducted from your refund.",
            "return_received": "Assam",
            "gift_card": "GIFT-1234",
            "password_reset": "abc",
            "transfer_requested": "https://shop.example/t",
            "order_lookup": "https://shop.example/o",
            "invoice": "34,00 €",
            "credit_note": "34,00 €",
            "invitation": "https://api.shop.example/admin/invitation/abc/",
            "webhook_switched_off": "https://erp.example/",
        }
        value = values[template]
        assert value in made.body
        assert value in page_of(made)

    def test_an_orders_page_escapes_titles_and_its_text_does_not(self, shop: None) -> None:
        made = message("order_placed", CONTEXTS["order_placed"])
        assert "  2 x Assam <b>, 100 g: 24,00 € with tax\n" in made.body
        assert "2 \u00d7 Assam &lt;b&gt;" in page_of(made)

    def test_the_text_of_an_order(self, shop: None) -> None:
        assert message("order_placed", CONTEXTS["order_placed"]).body == (
            "Thank you for your order #1001 at Tea & Co.\n\n"
            "  2 x Assam <b>, 100 g: 24,00 € with tax\n\n"
            "  Items with tax: 24,00 €\n"
            "  Parcel with tax: 5,00 €\n"
            "  Gift cards and store credit: -4,00 €\n"
            "  Total with tax: 25,00 €\n\n"
            "Shipping address:\n\n"
            "  Ann Lee\n"
            "  4 Ropewalk Lane\n\n"
            "Your order: https://shop.example/o\n"
        )

    def test_a_file_of_the_shop_takes_precedence_for_itself_alone(self, shop: None, folder: Path) -> None:
        (folder / "gift_card_subject.txt").write_text("Un cadeau de {{ shop }}")
        made = message("gift_card", CONTEXTS["gift_card"])
        assert made.subject == "Un cadeau de Tea & Co"
        assert "GIFT-1234" in made.body
        (folder / "base.html").write_text("<main>{% block content %}{% endblock %}</main>")
        assert page_of(message("gift_card", CONTEXTS["gift_card"])).startswith("<main>")

    def test_templates_of_the_shop_may_use_its_libraries(self, shop: None, folder: Path) -> None:
        (folder / "gift_card_subject.txt").write_text("{% load l10n %}{{ value|unlocalize }}")
        assert message("gift_card", CONTEXTS["gift_card"]).subject == "25,00 €"

    @pytest.mark.django_db
    def test_the_name_is_the_stores(self) -> None:
        Store.objects.update(name="Quayside Tea")
        made = message("gift_card", CONTEXTS["gift_card"])
        assert (made.subject, made.from_email) == ("A gift card from Quayside Tea", "Quayside Tea <shop@localhost>")

    def test_a_name_in_mail_from_takes_precedence(self, shop: None, settings: Settings) -> None:
        settings.DEFAULT_FROM_EMAIL = "Orders <orders@shop.example>"
        made = message("gift_card", CONTEXTS["gift_card"])
        assert made.from_email == "Orders <orders@shop.example>"
        assert made.extra_headers["Message-ID"].endswith("@shop.example>")

    def test_a_kind_adds_headers(self, shop: None) -> None:
        stop = {"List-Unsubscribe": "<https://api.shop.example/stop/1>"}
        made = message_of(Mail(kind="a", about="a"), RenderedMail("ann@example.com", "gift_card", {}, headers=stop))
        assert (made.extra_headers["List-Unsubscribe"], "Message-ID" in made.extra_headers) == (*stop.values(), True)


class TestLinks:
    def test_values_are_quoted_and_paths_are_below_the_storefront(self, settings: Settings) -> None:
        settings.STOREFRONT_URL = "https://shop.example"
        page = "/{country_code}/order/{order_id}/transfer/{token}"
        values = {"country_code": "de", "order_id": "order_1", "token": "a/b?c=ö"}
        assert pages.link(page, **values) == "https://shop.example/de/order/order_1/transfer/a%2Fb%3Fc%3D%C3%B6"
        assert pages.link("https://other.example/{token}", **values) == "https://other.example/a%2Fb%3Fc%3D%C3%B6"

    def test_without_a_storefront_there_is_none(self, settings: Settings) -> None:
        settings.STOREFRONT_URL = ""
        assert pages.link("/order/{order_id}", order_id="order_1") == ""
        assert pages.link("", token="abc") == ""


class TestTokens:
    def test_a_mail_has_one_token_however_often_it_is_rendered(self, settings: Settings) -> None:
        token = mail_token("transfer_requested", "ordtsf_1", 1)
        assert len(token) == 43
        assert mail_token("transfer_requested", "ordtsf_1", 1) == token
        others = {
            mail_token("transfer_requested", "ordtsf_1", 2),
            mail_token("transfer_requested", "ordtsf_2", 1),
            mail_token("other", "ordtsf_1", 1),
        }
        settings.SECRET_KEY = settings.SECRET_KEY[::-1]
        assert len({token, *others, mail_token("transfer_requested", "ordtsf_1", 1)}) == 5

    def test_the_digest_takes_any_text(self) -> None:
        assert len(token_digest("abc")) == len(token_digest("\ud800")) == 64
        assert token_digest("abc") != token_digest("abd")
