"""What an invoice or credit note says, as texts: the variables of its template, and of the email about it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import groupby

from django.db.models import Prefetch, QuerySet

from kit.values.json import JSON, JSONObject
from kit.values.money import percent_text
from kit.values.shown_dates import shown_date
from kit.values.written_amounts import written
from orders.models import Invoice, InvoiceLine, InvoiceTax, OrderAddress
from orders.states import TaxCategory
from shop.models.addresses import ADDRESS_TEXTS
from shop.taxes import UNNAMED

_PARTS = (
    Prefetch("lines", InvoiceLine.objects.order_by("position")),
    Prefetch("taxes", InvoiceTax.objects.order_by("position")),
)


def readable(rows: QuerySet[Invoice]) -> QuerySet[Invoice]:
    """The documents with what `contents` reads. Three statements, however many there are."""
    return rows.select_related("order", "corrects").prefetch_related(*_PARTS)


def contents(document: Invoice) -> JSONObject:
    """The document's texts; docs/operators/email.md lists them. Those that it does not have are empty."""
    code, lines, taxes = document.currency_id, list(document.lines.all()), list(document.taxes.all())
    is_tax_inclusive = any(line.is_tax_inclusive and line.tax_total for line in lines)
    shown = [_line(line, code, is_tax_inclusive=is_tax_inclusive) for line in lines]
    is_card = [line.category == TaxCategory.OUTSIDE_SCOPE for line in lines]
    cards = sum((line.total for line, found in zip(lines, is_card, strict=True) if found), Decimal(0))
    paid = [(str(each["label"]), Decimal(str(each["amount"]))) for each in document.paid_by]
    return {
        "kind": document.kind,
        "number": document.shown_number,
        "corrects": document.corrects.shown_number if document.corrects else "",
        "order": {"number": str(document.order)},
        "locale": document.locale or "",
        "issued_on": shown_date(document.issued_on),
        "supplied_on": _day(document.supplied_on),
        "due_on": _day(document.due_on),
        "seller": _party(document.seller),
        "buyer": _party(document.buyer),
        "currency_code": code.upper(),
        "is_tax_inclusive": is_tax_inclusive,
        "lines": [line for line, found in zip(shown, is_card, strict=True) if not found],
        "gift_cards": [line for line, found in zip(shown, is_card, strict=True) if found],
        "gift_card_total": written(cards, code) if any(is_card) else "",
        "taxes": [_combination(rows, code) for rows in _combinations(taxes)],
        "subtotal": written(document.subtotal - cards, code),
        "tax_total": written(document.tax_total, code),
        "total": written(document.total, code),
        "payments": [{"label": label, "amount": written(-amount, code)} for label, amount in paid],
        "due": written(document.total - sum((amount for _, amount in paid), Decimal(0)), code),
    }


def _day(day: date | None) -> str:
    return shown_date(day) if day else ""


def _party(texts: Mapping[str, str]) -> JSONObject:
    """The texts by name, and `lines`: the name and the address as on a parcel."""
    address = OrderAddress(**{name: texts.get(name) for name in ADDRESS_TEXTS})
    legal_name = texts.get("legal_name")
    return {**texts, "lines": [*([legal_name] if legal_name else []), *address.lines()]}


def _line(line: InvoiceLine, code: str, *, is_tax_inclusive: bool) -> JSONObject:
    """price: as stated, which `is_stated_otherwise` if other lines are stated with tax. amount: after the discount."""
    return {
        "kind": line.kind,
        "title": line.title,
        "variant": line.variant_title or "",
        "sku": line.sku or "",
        "quantity": line.quantity,
        "price": written(line.unit_price, code),
        "is_stated_otherwise": line.is_tax_inclusive != is_tax_inclusive,
        "discount": written(line.discount_total, code) if line.discount_total else "",
        "category": line.category,
        "rates": rates_text(line.combination),
        "amount": written(line.total if is_tax_inclusive else line.subtotal, code),
    }


def _combinations(taxes: Sequence[InvoiceTax]) -> Iterable[list[InvoiceTax]]:
    """The taxes by category and combination of rates, without what is outside the scope of tax."""
    inside = (tax for tax in taxes if tax.category != TaxCategory.OUTSIDE_SCOPE)
    return (list(rows) for _, rows in groupby(inside, key=lambda tax: (tax.category, tax.combination)))


def _combination(taxes: Sequence[InvoiceTax], code: str) -> JSONObject:
    """A combination of rates, or a category without tax: its net amount, its tax, and each of its taxes."""
    first = taxes[0]
    named: list[JSON] = [
        {"name": f"{tax.description or UNNAMED} {percent_text(tax.rate)}", "total": written(tax.total, code)}
        for tax in taxes
    ]
    is_taxed = first.category == TaxCategory.STANDARD
    return {
        "category": first.category,
        "rates": rates_text(first.combination),
        "subtotal": written(first.subtotal, code),
        "total": written(sum((tax.total for tax in taxes), Decimal(0)), code),
        "taxes": named if is_taxed else [],
    }


def rates_text(combination: str) -> str:
    """A combination of rates for people, `5 % + 9.975 %`; empty without a rate."""
    return " + ".join(percent_text(Decimal(rate)) for rate in combination.split("+") if rate)
