"""The verb that brings the prices of a price list up to date with its reductions, some variants at a time."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db import transaction
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from catalog.models import Price, PriceList, ProductVariant
from catalog.prices import price_editing
from catalog.prices.price_editing import PriceState
from catalog.prices.price_terms import Terms, terms_of
from catalog.prices.reductions.reduction import Reduction, reductions_of
from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.domain.missing_row import missing_rows
from kit.errors import NotFound
from kit.values.money import rounded

BATCH = 200
"""Variants in one transaction."""


class Counts(NamedTuple):
    """How many prices were added, changed and removed; were right; and were left as staff have set them."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    same: int = 0
    kept: int = 0

    def __add__(self, other: tuple[int, ...]) -> "Counts":  # type: ignore[override]
        return Counts(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        noun = "price" if self.added == 1 else "prices"
        kept = f", {self.kept:,} changed by hand left alone" if self.kept else ""
        return f"{self.added:,} {noun} added, {self.changed:,} changed, {self.removed:,} removed{kept}"


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one call. last: the id of its last variant; None if no variants are left."""

    variants: int
    last: str | None
    counts: Counts


def variants(price_list: PriceList, only: Reduction | None) -> QuerySet[ProductVariant]:
    """Those whose prices in the list may have to change. only: see `reduce_next`."""
    rows: QuerySet[ProductVariant] = ProductVariant.objects.filter(price_set__isnull=False)
    if only is not None:
        return rows.filter(only.condition())
    marked = Price.objects.not_deleted().filter(
        price_list=price_list.pk, price_set=OuterRef("price_set"), reduced_to__isnull=False
    )
    return rows.filter(reduce(or_, [one.condition() for one in reductions_of(price_list)], Q(Exists(marked))))


@transaction.atomic
def reduce_next(*, actor: Actor, price_list_id: str, only: Reduction | None, after: str = "") -> Step:
    """Reduce the prices of the next BATCH variants, in the order of their ids, behind the id `after`.

    Prices keep their currency, quantities and rules, and are rounded half-up to the currency's digits. A price of the
    list that the reductions wrote goes where its regular price or the reduction is gone. What staff have set by hand
    stays; with `only`, one of the list's reductions, just its products are reduced, and prices set by hand, too.

    Repeated, it changes nothing more. The number of statements does not depend on that of the prices.
    Raises NotFound, RowsRefused, Forbidden.
    """
    price_list = lock_row(PriceList.objects.not_deleted(), price_list_id)
    if price_list is None:
        raise NotFound(missing_rows(PriceList, price_list_id))
    rows = _next(price_list, only, after)
    percent_of = {price_set: percent for _, price_set, percent in rows if percent is not None}
    regular, listed = _prices(None, percent_of), _prices(price_list_id, [price_set for _, price_set, _ in rows])
    plan = _Plan()
    for (price_set, terms), price in regular.items():
        amount = rounded(price.amount * (100 - percent_of[price_set]) / 100, price.currency_id)
        stored = listed.pop((price_set, terms), None)
        if stored is None:
            plan.add(price_list_id, price_set, terms, amount)
        elif only is None and _is_set_by_hand(stored):
            plan.kept += 1
        else:
            plan.change(stored, amount)
    if only is None:
        plan.removed = [price.pk for price in listed.values() if not _is_set_by_hand(price)]
    plan.write(actor)
    return Step(len(rows), rows[-1][0] if len(rows) == BATCH else None, plan.counts)


class _Plan:
    """What is to be written."""

    def __init__(self) -> None:
        self.added: list[PriceState] = []
        self.changed: list[PriceState] = []
        self.removed: list[str] = []
        self.same = self.kept = 0

    def add(self, price_list_id: str, price_set_id: str, terms: Terms, amount: Decimal) -> None:
        state = PriceState(
            price_set_id=price_set_id,
            price_list_id=price_list_id,
            **{name: getattr(terms, name) for name in ("currency_id", "min_quantity", "max_quantity")},
            rules=dict(terms.rules),
            amount=amount,
            reduced_to=amount,
        )
        self.added.append(state)

    def change(self, stored: Price, amount: Decimal) -> None:
        if stored.amount == stored.reduced_to == amount:
            self.same += 1
        else:
            self.changed.append(PriceState(id=stored.pk, amount=amount, reduced_to=amount))

    def write(self, actor: Actor) -> None:
        if states := [*self.added, *self.changed]:
            price_editing.VERBS.put(actor=actor, states=states)
        if self.removed:
            price_editing.VERBS.delete(actor=actor, ids=self.removed)

    @property
    def counts(self) -> Counts:
        return Counts(len(self.added), len(self.changed), len(self.removed), self.same, self.kept)


def _next(price_list: PriceList, only: Reduction | None, after: str) -> list[tuple[str, str, Decimal | None]]:
    """Id and price set of the next variants, with the percentage of the last reduction that names each."""
    reductions = reductions_of(price_list)
    place = Case(
        *[When(one.condition(), then=Value(index)) for index, one in reversed([*enumerate(reductions)])],
        default=None,
        output_field=IntegerField(),
    )
    found = variants(price_list, only).filter(pk__gt=after).order_by("pk").annotate(place=place)
    rows = found.values_list("pk", "price_set_id", "place")[:BATCH]
    return [(pk, price_set, None if at is None else reductions[at].percent) for pk, price_set, at in rows]


def _prices(price_list_id: str | None, price_sets: Collection[str]) -> dict[tuple[str, Terms], Price]:
    """The prices of these sets in the list, or outside of lists, by set and terms. Two statements."""
    rows = Price.objects.not_deleted().filter(price_list=price_list_id, price_set__in=price_sets)
    return {(price.price_set_id, terms_of(price)): price for price in rows.order_by("pk").prefetch_related("rules")}


def _is_set_by_hand(price: Price) -> bool:
    """Whether a price of a list has another amount than a reduction wrote."""
    return bool(price.amount != price.reduced_to)
