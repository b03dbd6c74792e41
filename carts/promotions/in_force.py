"""When promotions are in force, as conditions of statements. prefix: the ORM path that leads to the promotion."""

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from carts.models import Promotion, PromotionGate
from carts.states import PromotionStatus


def within_dates(prefix: str) -> Q:
    """Of a promotion or campaign: starts_at is reached, ends_at is not."""
    starts, ends = f"{prefix}starts_at", f"{prefix}ends_at"
    return (Q(**{starts: None}) | Q(**{f"{starts}__lte": Now()})) & (Q(**{ends: None}) | Q(**{f"{ends}__gt": Now()}))


def below_limit(prefix: str) -> Q:
    """Of a promotion or code: it has uses left, or no usage_limit."""
    limit = f"{prefix}usage_limit"
    return Q(**{limit: None}) | Q(**{f"{prefix}used__lt": F(limit)})


def _in_budget(campaign: str) -> Q:
    limit = f"{campaign}budget_limit"
    return Q(**{limit: None}) | Q(**{f"{campaign}budget_used__lt": F(limit)})


def in_force(prefix: str) -> Q:
    """All conditions of a promotion that is in force, for a cart that has not claimed a use of it."""
    campaign = f"{prefix}campaign__"
    runs = Q(**{f"{prefix}campaign": None}) | within_dates(campaign) & _in_budget(campaign)
    is_active = Q(**{f"{prefix}status": PromotionStatus.ACTIVE.value, f"{prefix}deleted_at": None})
    return is_active & within_dates(prefix) & below_limit(prefix) & runs


def for_all_carts() -> QuerySet[Promotion]:
    """Automatic promotions without a gate that apply now, but for limits and budgets."""
    rows: QuerySet[Promotion] = Promotion.objects.filter(automatic(""), within_dates(""), is_gated=False)
    return rows


def open_gates() -> QuerySet[PromotionGate]:
    """The gates of automatic promotions that apply now, but for limits and budgets."""
    return PromotionGate.objects.filter(automatic("promotion__"), within_dates("promotion__"))


def automatic(prefix: str) -> Q:
    """Of an active automatic promotion."""
    return Q(**{f"{prefix}is_automatic": True, f"{prefix}status": _ACTIVE, f"{prefix}deleted_at": None})


_ACTIVE = RawSQL(f"'{PromotionStatus.ACTIVE.value}'", ())  # noqa: S611 - a constant
"""No parameter: for a value that a partial index depends on, SQLite plans each run of the whole statement again."""
