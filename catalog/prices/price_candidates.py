"""The stored prices that may apply, for many price sets at once."""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from catalog.models import Price, PriceList
from catalog.prices.price_rules import ListRule, Rule
from catalog.prices.price_selection import Candidate, ListTerms
from catalog.states import PriceListStatus
from kit.database.raw_sql import Row
from kit.reads.sql.keyed_rows import KeyedRows


def load_candidates(price_set_ids: Sequence[str], currency_code: str) -> dict[str, list[Candidate]]:
    """The prices in that currency by price set, in no order; sets without any are left out.

    One statement for prices and their rules; another for their price lists and the rules of these, if there are any.
    """
    prices: dict[str, Row] = {}
    rules: dict[str, tuple[Rule, ...]] = {}
    for row in _PRICES.read(price_set_ids, currency_code):
        price_id, *_, rule_id, attribute, operator, value, deleted_at = row
        prices[price_id] = row
        if attribute is not None and deleted_at is None:
            rules[price_id] = (*rules.get(price_id, ()), Rule(attribute, operator, value, rule_id))
    lists = _with_rules(_LISTS.read(list({row[_LIST] for row in prices.values()} - {None})))
    candidates: dict[str, list[Candidate]] = {}
    for price_id, row in prices.items():
        _, price_set_id, amount, least, most, list_id, *_ = row
        if list_id is None or list_id in lists:  # a list may be deleted between the two statements
            own = rules.get(price_id, ())
            price = Candidate(price_id, amount, currency_code, least, most, own, lists.get(list_id))
            candidates.setdefault(price_set_id, []).append(price)
    return candidates


def _prices(currency_code: str) -> QuerySet[Price]:
    """Prices of lists that have ended are not loaded; `select` compares the dates exactly."""
    unended = Q(price_list__ends_at=None) | Q(price_list__ends_at__gt=Now())
    working = Q(price_list__deleted_at=None, price_list__status=PriceListStatus.ACTIVE) & unended
    prices: QuerySet[Price] = Price.objects.not_deleted()
    return prices.filter(Q(price_list=None) | working, currency_id=currency_code)


_PRICES = KeyedRows(
    _prices,
    key="price_set_id",
    columns=(
        "id",
        "price_set_id",
        "amount",
        "min_quantity",
        "max_quantity",
        "price_list_id",
        "rules__id",
        "rules__attribute",
        "rules__operator",
        "rules__value",
        "rules__deleted_at",
    ),
)
_LIST = 5
_LIST_COLUMNS = ("id", "type", "starts_at", "ends_at", "rules__attribute", "rules__value", "rules__deleted_at")
_DECODED = ("starts_at", "ends_at", "rules__value")
_LISTS = KeyedRows(PriceList.objects.all, key="id", columns=_LIST_COLUMNS, decoded=_DECODED)
_UNENDED_LISTS = KeyedRows(
    lambda: PriceList.objects.not_deleted().filter(Q(ends_at=None) | Q(ends_at__gt=Now())),
    key="status",
    columns=_LIST_COLUMNS,
    decoded=_DECODED,
)


def load_active_lists() -> list[ListTerms]:
    """All active price lists that have not ended. One statement."""
    return list(_with_rules(_UNENDED_LISTS.read([PriceListStatus.ACTIVE])).values())


def _with_rules(rows: Iterable[Row]) -> dict[str, ListTerms]:
    lists: dict[str, ListTerms] = {}
    for list_id, kind, starts_at, ends_at, attribute, values, deleted_at in rows:
        terms = lists.get(list_id) or ListTerms(list_id, kind, starts_at, ends_at)
        if attribute is not None and deleted_at is None:
            terms = terms._replace(rules=(*terms.rules, ListRule(attribute, tuple(map(str, values)))))
        lists[list_id] = terms
    return lists
