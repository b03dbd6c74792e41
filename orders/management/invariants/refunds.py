"""The invariants of refunds of orders: every refunded amount belongs to a part of one refund."""

from django.db.models import CharField, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat

from giftcards.models import Transaction, TransactionGroup
from giftcards.spending.holds import ORDER
from giftcards.states import EntryType
from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import GrantedRefund, Order, RefundPart
from payments.states import Act


def _unequal_parts() -> QuerySet[Model]:
    refunds: QuerySet[Model] = GrantedRefund.objects.annotate(
        parted=Sum("parts__amount", default=0), number=F("order__display_id")
    )
    return refunds.exclude(amount=F("parted"))


def _unequal_allowances() -> QuerySet[Model]:
    orders: QuerySet[Model] = Order.objects.annotate(allowed=Sum("refunds__allowance", default=0))
    return orders.exclude(allowance_total=F("allowed"))


def _unequal_credit() -> QuerySet[Model]:
    to_accounts = Q(refunds__parts__account__isnull=False)
    orders: QuerySet[Model] = Order.objects.annotate(
        credited=Sum("refunds__parts__amount", filter=to_accounts, default=0)
    )
    return orders.exclude(credit_refunded_total=F("credited"))


def _numbered(parts: QuerySet[RefundPart]) -> QuerySet[RefundPart]:
    numbered: QuerySet[RefundPart] = parts.annotate(number=F("refund__order__display_id"))
    return numbered


def _unfounded_payments() -> QuerySet[RefundPart]:
    """Parts of a payment of another order, or whose intent does not match them."""
    is_own = Q(payment__collection__order_id=F("refund__order_id"))
    is_asked = Q(intent__act=Act.REFUND, intent__amount=F("amount"), intent__session=F("payment__session"))
    founded = is_own & (Q(intent=None) | is_asked)
    return _numbered(RefundPart.objects.exclude(payment=None)).exclude(founded)


def _unfounded_credit() -> QuerySet[RefundPart]:
    """Parts that were not credited to their account."""
    is_of_part = Q(code=OuterRef("code")) | Q(code__startswith=Concat(OuterRef("code"), Value(":")))
    groups = TransactionGroup.objects.filter(is_of_part, account=OuterRef("account")).order_by().values("account")
    credited = Subquery(groups.annotate(sum=Sum("credits")).values("sum"))
    code = Concat(Value("refund:"), "refund_id", Value(":"), "account_id", output_field=CharField())
    parts = RefundPart.objects.exclude(account=None).annotate(code=code)
    credited_parts = parts.annotate(credited=Coalesce(credited, Value(0), output_field=MoneyField()))
    return _numbered(credited_parts).exclude(amount=F("credited"))


def _unrecorded_credit() -> QuerySet[Transaction]:
    """Ledger entries that refund an order without a part of a refund.

    A shop file has entries of orders that this shop never had.
    """
    parts = RefundPart.objects.filter(refund__order=OuterRef("reference_id"), account=OuterRef("group__account"))
    credited: QuerySet[Transaction] = Transaction.objects.filter(type=EntryType.CREDIT, reference=ORDER)
    return credited.filter(Exists(Order.objects.filter(pk=OuterRef("reference_id")))).exclude(Exists(parts))


REFUND_INVARIANTS = (
    Invariant(_unequal_parts, "Refund {id} of order {number} is {amount}, but its parts add up to {parted}"),
    Invariant(
        _unequal_allowances,
        "Order {display_id} has allowances of {allowance_total}, but its refunds have {allowed}",
    ),
    Invariant(
        _unequal_credit,
        "Order {display_id} has {credit_refunded_total} refunded as credit, but its refunds have {credited}",
    ),
    Invariant(
        _unfounded_payments,
        "Part {id} of a refund of order {number} is {amount}, but its payment or intent is of another refund",
    ),
    Invariant(
        _unfounded_credit,
        "Part {id} of a refund of order {number} is {amount}, but account {account_id} was not credited with it",
    ),
    Invariant(_unrecorded_credit, "Entry {id} of {amount} refunds an order, but belongs to no refund"),
)
