"""Rows for many keys by one statement that is compiled once. Loaders of batch fields and relations use them.

class PriceRow(NamedTuple):
    price_set_id: str
    amount: Decimal

PRICES = KeyedRows(
    lambda currency_code: Price.objects.not_deleted().filter(currency_code=currency_code),
    key="price_set_id",
    row=PriceRow,
    decoded=("amount",),
)
PRICES.read(price_set_ids, "eur")  # [PriceRow("pset_…", Decimal("10.5")), …]
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from inspect import signature
from itertools import count
from typing import Any, Generic, NamedTuple, TypeVar, overload

from django.db.models import Model, QuerySet

from kit.database.raw_sql import Row
from kit.reads.sql import statements
from kit.reads.sql.columns import Columns, maker, taker
from kit.reads.sql.placeholders import NoPlaceholder, Placeholders, Slot

_MOST_SHAPES = 64

Value = str | tuple[str, ...]
Read = TypeVar("Read")


class KeyedRows(Generic[Read]):
    """The statement of `rows`, for any keys and values.

    rows: gives the queryset for values, each a text or a tuple of texts (for `__in`). It is called once for each
        shape, so it must not depend on the values themselves. It decides which rows a caller may see.
    key: the column, or ORM path, whose value is among the keys; ids or other texts.
    row: builds a row from the columns' values, such as a NamedTuple or a dataclass. Its parameters name the columns,
        unless `columns` does. Without it, a row is the tuple of the values.
    columns: those of a row, in this order; annotations of the queryset by their names. Raw: amounts as integers of
        1/10,000, timestamps and JSON as the database's text, everything else as the driver returns it.
    decoded: the columns among them that come as Decimal, aware datetime, bool or parsed JSON instead.
    locked: whether the queryset's own rows stay locked until the transaction ends. They are locked in primary-key
        order, as kit.database.locking.lock_rows does, so that no two lockers can deadlock.
    """

    @overload
    def __init__(
        self: "KeyedRows[Row]",
        rows: Callable[..., QuerySet[Model]],
        *,
        key: str,
        columns: Sequence[str],
        decoded: Sequence[str] = (),
        locked: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self,
        rows: Callable[..., QuerySet[Model]],
        *,
        key: str,
        row: Callable[..., Read],
        columns: Sequence[str] = (),
        decoded: Sequence[str] = (),
        locked: bool = False,
    ) -> None: ...
    def __init__(
        self,
        rows: Callable[..., QuerySet[Model]],
        *,
        key: str,
        row: Callable[..., Read] | None = None,
        columns: Sequence[str] = (),
        decoded: Sequence[str] = (),
        locked: bool = False,
    ) -> None:
        self._rows = rows
        self._key = key
        self._row = row
        self._columns = tuple(columns or signature(row or tuple).parameters)
        self._decoded = tuple(decoded)
        self._locked = locked
        self._kept = lru_cache(maxsize=_MOST_SHAPES)(self._keep)

    def read(self, keys: Sequence[str], *values: Value) -> list[Read]:
        """The rows of all these keys. A row with several of them, as in many-to-many relations, is returned for each.

        Locked rows are in primary-key order, others in no particular order.

        Without keys there is no statement.
        """
        if not keys:
            return []
        kept = self._kept(tuple(len(value) if isinstance(value, tuple) else None for value in values))
        compiled = kept or self._compiled(values)
        if compiled is None:
            return []
        texts = [text for value in values for text in (value if isinstance(value, tuple) else (value,))]
        if len(keys) == 1:
            rows = compiled.one.run((keys[0], *texts))
        else:
            rows = compiled.many.run((statements.array(keys), *texts))
        objects: list[Any] = rows if compiled.take is None else list(map(compiled.take, rows))
        return objects

    def _keep(self, shape: tuple[int | None, ...]) -> "_Compiled | None":
        """The statements for all values of that shape (texts, lengths of tuples); None if the ORM converts one."""
        placeholders = Placeholders()
        numbers = count(1)
        values = [
            placeholders.value(str, next(numbers))
            if length is None
            else tuple(placeholders.value(str, next(numbers)) for _ in range(length))
            for length in shape
        ]
        compiled = self._compiled(values)
        if compiled is None:
            return None
        try:
            template = placeholders.template(compiled.many.parameters, required=range(0))
        except NoPlaceholder:
            return None
        slots = {each.number for each in template if isinstance(each, Slot)}
        if len(slots) != next(numbers):
            return None
        one, many = (statements.Statement(each.text, template) for each in (compiled.one, compiled.many))
        return _Compiled(one, many, compiled.take)

    def _compiled(self, values: Sequence[Value]) -> "_Compiled | None":
        """None if no row can match."""
        queryset = self._rows(*values).order_by(*(["pk"] if self._locked else []))
        columns = Columns()
        take = self._taker(queryset.model, columns)
        rows = statements.of(queryset.filter(**{f"{self._key}__in": [statements.KEYS]}), columns.read)
        if rows is None:
            return None
        one, many = statements.with_key(rows, Slot(0)), statements.with_keys(rows, Slot(0))
        if self._locked:
            one, many = (statements.locked(each, queryset.model) for each in (one, many))
        return _Compiled(one, many, take)

    def _taker(self, model: type[Model], columns: Columns) -> Callable[[Row], Any] | None:
        if self._row is not None:
            return maker(self._row, model, self._columns, columns, self._decoded)
        take = taker(model, self._columns, columns, self._decoded)
        return take if self._decoded else None


class _Compiled(NamedTuple):
    """The statement for one key, the one for several, and what converts each of their rows, if anything does."""

    one: statements.Statement
    many: statements.Statement
    take: Callable[[Row], Any] | None
