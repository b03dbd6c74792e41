"""The limits of codes and the budgets of campaigns, as completed carts take them.

Each counter moves by one conditional update, in the order of ids, and CHECK constraints back it: no race passes a
limit. Callers hold a transaction and the locks of the promotions.
Why: docs/decisions/carts.md#the-uses-of-a-promotion-are-rows.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache

from django.db.models import F, Q, Value

from carts.errors import PromotionUsedUp
from carts.models import Campaign, PromotionCode
from carts.states import BudgetType
from kit.database.raw_sql import fetch
from kit.database.sql_names import table
from kit.values.money import MoneyField, major, stored

_ONE = Decimal(1)


def take_codes(promotions: Mapping[str, str]) -> None:
    """Count a use of each code. promotions: what to name in an error, by the code's id. Raises PromotionUsedUp."""
    for code_id in sorted(promotions):
        if not fetch(_use(), [code_id]):
            raise PromotionUsedUp(promotions[code_id])


def give_back_codes(code_ids: Iterable[str]) -> None:
    """Take back a use of each code."""
    for code_id in sorted(code_ids):
        PromotionCode.objects.filter(pk=code_id, used__gt=0).update(used=F("used") - 1)


def take_budgets(claims: Sequence[tuple[str | None, int, str]]) -> list[int | None]:
    """Take from the budgets: a cart once of a number of uses, of an amount all that its promotions take off.

    claims: of each promotion its campaign, what it takes off in 1/10,000, and what to name in an error.
    Returns what each has taken, in the same unit. Raises PromotionUsedUp.
    """
    ids = sorted({campaign_id for campaign_id, _, _ in claims if campaign_id is not None})
    kinds = dict(Campaign.objects.filter(pk__in=ids).values_list("pk", "budget_type")) if ids else {}
    taken: list[int | None] = [None] * len(claims)
    counted: set[str] = set()
    for index, (campaign_id, amount, _) in enumerate(claims):
        if campaign_id is None or kinds.get(campaign_id) is None:
            continue
        is_amount = kinds[campaign_id] == BudgetType.SPEND
        taken[index] = amount if is_amount else 0 if campaign_id in counted else stored(_ONE)
        counted.add(campaign_id)
    for campaign_id in ids:
        of_campaign = [index for index, claim in enumerate(claims) if claim[0] == campaign_id]
        together = _amount(sum(taken[index] or 0 for index in of_campaign))
        campaigns = Campaign.objects.filter(
            Q(budget_limit=None) | Q(budget_used__lte=F("budget_limit") - together), pk=campaign_id
        )
        if together.value and not campaigns.update(budget_used=F("budget_used") + together):
            raise PromotionUsedUp(claims[of_campaign[0]][2])
    return taken


def give_back_budgets(taken: Iterable[tuple[str | None, int | None]]) -> None:
    """Give back what a cart has taken. taken: by campaign, as `take_budgets` has returned it."""
    together = Counter[str]()
    for campaign_id, amount in taken:
        if campaign_id is not None and amount:
            together[campaign_id] += amount
    for campaign_id in sorted(together):
        Campaign.objects.filter(pk=campaign_id).update(budget_used=F("budget_used") - _amount(together[campaign_id]))


@cache
def _use() -> str:
    """By hand, since each order with a code runs it: the ORM takes a millisecond to write it."""
    return (
        f"UPDATE {table(PromotionCode)} SET used = used + 1 "  # noqa: S608 - a name of our own
        "WHERE id = %s AND (usage_limit IS NULL OR used < usage_limit) RETURNING 1"
    )


def _amount(units: int) -> Value:
    """An amount in 1/10,000, for a column of amounts."""
    return Value(major(units), output_field=MoneyField())
