"""Campaigns, as staff maintain them. The promotions of a deleted one go on without it."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction

from carts.models import Campaign, Promotion
from carts.promotions.promotion_terms import first_of
from carts.states import BudgetType
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import locked
from kit.editing.reporting import reported, touch
from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.money import LARGEST, exact
from kit.values.text import is_storable


def _check(edits: RowEdits[Campaign], states: Sequence[Any]) -> None:
    """One statement where the currency of a budget changes."""
    changed = {row.pk: row for row in edits.rows if row.pk in edits.replaced("budget_currency_id")}
    promotions = Promotion.objects.not_deleted().filter(campaign__in=changed) if changed else ()
    problems = [(each.campaign_id, currency_problem(each, changed[each.campaign_id])) for each in promotions]
    unfit = {campaign_id: problem for campaign_id, problem in problems if problem}
    for index, row in enumerate(edits.rows):
        is_another = row.pk in {**changed, **edits.replaced("budget_type")}
        problem = None if edits.is_refused(index) else _fault(row, is_another=is_another, unfit=unfit.get(row.pk))
        if problem:
            edits.refuse(index, problem[0], InvalidData(problem[1]))


def _fault(row: Campaign, *, is_another: bool, unfit: str | None) -> tuple[str, str] | None:
    """is_another: whether the budget gets another type or currency. unfit: why a promotion does not go with it."""
    kind, limit, currency = row.budget_type, row.budget_limit, row.budget_currency_id
    is_early = row.starts_at is not None and row.ends_at is not None and row.starts_at >= row.ends_at
    return first_of(
        (
            is_another and kind is not None and row.budget_used > 0,
            "budget_type",
            "The budget has been used, and keeps its type and currency",
        ),
        (is_early, "ends_at", "The campaign ends before it starts"),
        (kind is None and limit is not None, "budget_limit", "A limit needs the budget's type: usage or spend"),
        (kind != BudgetType.SPEND and currency is not None, "budget_currency", "Only a budget to spend has a currency"),
        (kind == BudgetType.SPEND and currency is None, "budget_currency", "A budget to spend needs a currency_code"),
        (limit is not None and limit <= 0, "budget_limit", "The limit of a budget must be above 0"),
        (
            limit is not None and limit < row.budget_used,
            "budget_limit",
            f"The budget is already used up to {Decimal(row.budget_used).normalize():f}",
        ),
        (unfit is not None, "budget_currency", str(unfit)),
    ) or _fault_of_digits(limit, currency)


def _fault_of_digits(limit: Decimal | None, currency: str | None) -> tuple[str, str] | None:
    if limit is None:
        return None
    if currency is None:
        is_whole = limit == limit.to_integral_value() and limit <= LARGEST
        whole = f"The limit of a budget of uses must be a whole number, at most {LARGEST:f}"
        return None if is_whole else ("budget_limit", whole)
    try:
        exact(limit, currency, field="limit")
    except InvalidData as refusal:
        return "budget_limit", refusal.message
    return None


def with_currency(ids: Collection[str | None]) -> dict[str, Campaign]:
    """Those of these campaigns whose budget has a currency, by id. At most one statement."""
    named = [*filter(None, ids)]
    rows = Campaign.objects.filter(pk__in=named, budget_currency__isnull=False) if named else ()
    return {row.pk: row for row in rows}


def currency_problem(promotion: Promotion, campaign: Campaign) -> str | None:
    """Why the promotion cannot belong to the campaign."""
    if campaign.budget_currency_id in (None, promotion.currency_id):
        return None
    return f"The budget is in {campaign.budget_currency_id}, and {promotion.code} has " + (
        f"the currency {promotion.currency_id}" if promotion.currency_id else "no currency_code"
    )


def _delete(model: type[Campaign], ids: Sequence[str], *, actor: Actor) -> None:
    """Locks promotions before campaigns, as the completion of a cart does."""
    promotions = Promotion.objects.filter(campaign__in=[key for key in ids if is_storable(key)])
    lock_rows(promotions.only("pk"))
    delete_rows(model, ids, actor=actor)
    unlinked = [*promotions.values_list("pk", flat=True)]
    Promotion.objects.filter(pk__in=unlinked).update(campaign=None)
    touch(Promotion, unlinked)


VERBS = RowVerbs(
    Campaign,
    (
        *("name", "description", "campaign_identifier", "starts_at", "ends_at"),
        *("budget_type", "budget_limit", "budget_currency_id", "metadata"),
    ),
    check=_check,
    delete=_delete,
)


@transaction.atomic
@reported()
def change_promotions(*, actor: Actor, id: str, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
    """Put promotions into a campaign, also those of another one, and take others out.

    Raises NotFound (the campaign), InvalidData (unknown promotions, another currency), Forbidden.
    """
    actor.require("carts.change_campaign")
    actor.require("carts.change_promotion")
    named = [key for key in (*add, *remove) if is_storable(key)]
    rows = {row.pk: row for row in lock_rows(Promotion.objects.not_deleted().filter(pk__in=named))}
    campaign = locked(Campaign, [id])[id]  # after promotions, as the completion of a cart locks them
    for field, keys in {"add": add, "remove": remove}.items():
        if unknown := sorted({*keys} - {*rows}):
            raise InvalidData(missing("Promotion", *unknown, field=field))
    for index, key in enumerate(add):
        if problem := currency_problem(rows[key], campaign):
            raise InvalidData(f"add[{index}]: {problem}")
    gone = [key for key in remove if rows[key].campaign_id == id and key not in add]
    Promotion.objects.filter(pk__in=[*add]).update(campaign=campaign)
    Promotion.objects.filter(pk__in=gone).update(campaign=None)
    touch(Promotion, [*add, *gone])
    touch(Campaign, [id])
