"""Invoices and credit notes: what an order was worth when they were written. Rows never change (orders/invoices).

Why: docs/decisions/invoices.md#documents-follow-the-value-of-an-order.
"""

from typing import Self

from django.db import models
from django.db.models import Q

from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField, PercentField
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order, shown_order
from orders.states import InvoiceKind, InvoiceLineKind, InvoiceReason, TaxCategory
from shop.models import Currency


class InvoiceQuerySet(ResourceQuerySet):
    """Documents, which are never deleted. `order`: the ORM path to their order."""

    order = "order__"

    def not_deleted(self) -> Self:
        return self

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All for staff with the permission; shoppers see those of the orders that they see."""
        return self.all() if actor.may("orders.view_invoice") else self.filter(shown_order(actor, order=self.order))


class InvoicePartQuerySet(InvoiceQuerySet):
    """Rows that belong to a document."""

    order = "invoice__order__"


class Invoice(models.Model):
    """An invoice, or a credit note, which takes amounts of invoices back. Amounts of both are positive.

    series_year, number: gapless for each kind and year. shown_number: as printed, such as R-2026-000012.
    corrects: of a credit note, the last invoice that has any of its lines; it may take back amounts of earlier ones.
    issued_on: the day of issued_at in the shop's time zone. supplied_on: where it is known. due_on: not set yet.
    country_code: lower-case, where the order was taxed; null if no address says.
    seller, buyer: texts by name, as orders/invoices/parties.py copies them. A buyer's are emptied by erasure.
    subtotal, total: without and with tax. paid_by: objects with `label` and `amount`, of what had been paid by then.
    created_by: the id of the staff user who asked for it; null where it followed from an event.
    """

    id = IdField(prefix="inv")
    kind = models.CharField(max_length=12, choices=InvoiceKind)
    series_year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    shown_number = models.CharField(max_length=64)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="invoices")
    corrects = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="credit_notes")
    reason = models.CharField(max_length=16, choices=InvoiceReason)
    issued_at = TimestampField()
    issued_on = models.DateField()
    supplied_on = models.DateField(null=True)
    due_on = models.DateField(null=True)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    locale = models.CharField(max_length=35, null=True)
    country_code = models.CharField(max_length=2, null=True)
    seller = models.JSONField()
    buyer = models.JSONField()
    subtotal = MoneyField()
    tax_total = MoneyField()
    total = MoneyField()
    paid_by = models.JSONField(default=list)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)

    objects = InvoiceQuerySet.as_manager()

    class Meta:
        permissions = [("correct_invoice", "Can correct invoice")]
        indexes = [
            models.Index(fields=["issued_at", "id"], name="orders_invoice_issued"),
            models.Index(fields=["issued_on"], name="orders_invoice_day"),
            models.Index(fields=["shown_number"], name="orders_invoice_shown"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["kind", "series_year", "number"], name="orders_invoice_number_taken"),
            models.CheckConstraint(condition=Q(number__gte=1), name="orders_invoice_number"),
            models.CheckConstraint(condition=Q(total__gte=0), name="orders_invoice_total"),
        ]

    def __str__(self) -> str:
        return self.shown_number


class InvoiceLine(models.Model):
    """A line of a document: goods, shipping, a bought gift card, or a refund beyond what was owed.

    reference_id: of the order's line or shipping method; null of a refund.
    unit_price, discount_total: as stated, with tax if is_tax_inclusive. subtotal, total: without and with tax.
    quantity: 0 where the price alone has changed. A line may have negative amounts: a refund that was credited before.
    combination: its rates in percent, such as "20" or "5+9.975"; "" where no tax applies. category: why none does.
    taxes: one object for each rate, with `code`, `description`, and, in 1/10,000 as they are stored, `rate` and
        `amount`, the tax on this line.
    """

    id = IdField(prefix="invln")
    invoice = models.ForeignKey(Invoice, on_delete=models.PROTECT, related_name="lines")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=InvoiceLineKind)
    reference_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    title = models.TextField()
    variant_title = models.TextField(null=True)
    sku = models.TextField(null=True)
    quantity = models.PositiveIntegerField()
    unit_price = MoneyField()
    is_tax_inclusive = models.BooleanField()
    discount_total = MoneyField()
    category = models.CharField(max_length=2, choices=TaxCategory)
    combination = models.CharField(max_length=64)
    taxes = models.JSONField(default=list)
    subtotal = MoneyField()
    tax_total = MoneyField()
    total = MoneyField()

    objects = InvoicePartQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["invoice", "position"], name="orders_invoiceline_place")]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.title}"


class InvoiceTax(models.Model):
    """One tax of a combination, over all lines of a document that have it. A combination without tax has a row of 0.

    rate: in percent. subtotal: without tax, of the whole combination. total: this tax.
    """

    id = IdField(prefix="invtx")
    invoice = models.ForeignKey(Invoice, on_delete=models.PROTECT, related_name="taxes")
    position = models.PositiveIntegerField()
    category = models.CharField(max_length=2, choices=TaxCategory)
    combination = models.CharField(max_length=64)
    code = models.TextField()
    description = models.TextField(null=True)
    rate = PercentField()
    subtotal = MoneyField()
    total = MoneyField()

    objects = InvoicePartQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["invoice", "position"], name="orders_invoicetax_place")]

    def __str__(self) -> str:
        return f"{self.code} {self.rate} %"


class InvoiceNumber(models.Model):
    """The last number of a kind in a year, and when it was taken. A transaction takes the next one at its end."""

    kind = models.CharField(max_length=12, choices=InvoiceKind)
    series_year = models.PositiveSmallIntegerField()
    last = models.PositiveIntegerField()
    taken_at = TimestampField()

    objects = models.Manager["InvoiceNumber"]()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "series_year"], name="orders_invoicenumber_series")]

    def __str__(self) -> str:
        return f"{self.kind} {self.series_year}: {self.last}"


class InvoiceFile(models.Model):
    """The PDF of a document, rendered once. path: in the storage of private files, under a random name.

    digest: SHA-256 of its content, as hexadecimal digits.
    """

    invoice = models.OneToOneField(Invoice, primary_key=True, on_delete=models.PROTECT, related_name="file")
    path = models.CharField(max_length=255, unique=True)
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["InvoiceFile"]()

    def __str__(self) -> str:
        return self.path
