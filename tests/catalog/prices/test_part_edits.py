"""Prices and stock levels as the tables of the admin site write them: many rows by the same few statements."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryLevel, Price, StockMovement
from catalog.prices import price_editing
from catalog.prices.price_editing import PriceState
from catalog.states import RuleOperator
from catalog.stock import stock_level_editing
from catalog.stock.errors import StockBelowZero
from catalog.stock.stock_level_editing import LevelState
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.editing.states import RowsRefused, VersionOutdated
from kit.errors import Forbidden, NotFound
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory
from tests.factories.products import PriceSetFactory
from tests.kit.admin.forms import row, sent, submit
from tests.kit.admin.test_history import history
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db
REGION = ("region_id", RuleOperator.EQUAL.value)
GROUP = ("customer.groups.id", RuleOperator.EQUAL.value)


def put(*states: PriceState) -> list[Price]:
    return [edited.row for edited in price_editing.VERBS.put(actor=SYSTEM, states=states)]


def rules(price: Price) -> set[tuple[str, str, str]]:
    return set(price.rules.values_list("attribute", "operator", "value"))


def new(amount: int = 1, **fields: object) -> PriceState:
    return PriceState(
        **{"price_set_id": PriceSetFactory().pk, "currency_id": "usd", "amount": Decimal(amount), **fields}
    )


class TestPrices:
    def test_five_cost_as_many_statements_as_a_hundred(self) -> None:
        def statements(amount: int) -> int:
            states = [new(rules={REGION: "r", GROUP: "g"}) for _ in range(amount)]
            with CaptureQueriesContext(connection) as captured:
                made = put(*states)
                changed = [PriceState(id=one.pk, amount=Decimal(2), rules={REGION: None, GROUP: "h"}) for one in made]
                put(*changed)
                price_editing.VERBS.delete(actor=SYSTEM, ids=[one.pk for one in made])
            assert {(one.amount, *rules(one)) for one in Price.objects.filter(pk__in=[one.pk for one in made])} == {
                (Decimal(2), (*GROUP, "h"))
            }
            return len(captured)

        # SQLite limits the values of a statement, so Django splits those for the rules of a hundred prices.
        many = {"postgresql": 100, "sqlite": 40}[connection.vendor]
        assert statements(5) == statements(many)

    def test_rules_that_are_not_named_stay(self) -> None:
        (price,) = put(new(rules={REGION: "r", GROUP: "g"}))
        (edited,) = price_editing.VERBS.put(actor=SYSTEM, states=[PriceState(id=price.pk, rules={REGION: "s"})])
        assert edited.is_changed
        assert rules(price) == {(*REGION, "s"), (*GROUP, "g")}
        (edited,) = price_editing.VERBS.put(actor=SYSTEM, states=[PriceState(id=price.pk, rules={REGION: "s"})])
        assert not edited.is_changed

    @pytest.mark.parametrize(
        ("change", "field", "message"),
        [
            ({"amount": Decimal(-1)}, "amount", "Value for field 'amount' too small, expected at least: '0'"),
            ({"amount": Decimal("1.001")}, "amount", "Value for field 'amount' has more than 2 decimals"),
            ({"min_quantity": 3, "max_quantity": 2}, "max_quantity", "min_quantity"),
            ({"currency_id": "xyz"}, "currency", "xyz"),
        ],
    )
    def test_a_fault_names_its_row_and_field_and_nothing_is_written(
        self, change: dict[str, object], field: str, message: str
    ) -> None:
        with pytest.raises(RowsRefused) as refused:
            put(new(), new(**change))
        assert [(fault.index, fault.field) for fault in refused.value.faults] == [(1, field)]
        assert message in refused.value.faults[0].error.message
        assert not Price.objects.exists()

    def test_versions_permissions_and_deleted_rows(self) -> None:
        (price,) = put(new())
        with pytest.raises(RowsRefused) as refused:
            put(PriceState(id=price.pk, version=price.updated_at - timedelta(seconds=1), amount=Decimal(7)))
        assert isinstance(refused.value.faults[0].error, VersionOutdated)
        for call in (
            lambda: price_editing.VERBS.put(actor=ANONYMOUS, states=[PriceState(id=price.pk, amount=Decimal(7))]),
            lambda: price_editing.VERBS.delete(actor=ANONYMOUS, ids=[price.pk]),
        ):
            with pytest.raises(Forbidden):
                call()
        price_editing.VERBS.delete(actor=SYSTEM, ids=[price.pk])
        with pytest.raises(NotFound):
            put(PriceState(id=price.pk, amount=Decimal(7)))
        price.refresh_from_db()
        assert price.amount != 7


def levels(amount: int) -> Sequence[LevelState]:
    place = StockLocationFactory().pk
    return [
        LevelState(inventory_item_id=InventoryItemFactory().pk, location_id=place, stocked_by=5, incoming_by=1)
        for _ in range(amount)
    ]


class TestLevels:
    def test_five_cost_as_many_statements_as_a_hundred(self) -> None:
        def statements(amount: int) -> int:
            states = levels(amount)
            with CaptureQueriesContext(connection) as captured:
                made = [one.row.pk for one in stock_level_editing.VERBS.put(actor=SYSTEM, states=states)]
                changed = [LevelState(id=key, stocked_by=-2, incoming_by=3) for key in made]
                stock_level_editing.VERBS.put(actor=SYSTEM, states=changed)
            stored = InventoryLevel.objects.filter(pk__in=made)
            assert set(stored.values_list("stocked_quantity", "incoming_quantity")) == {(3, 4)}
            assert set(StockMovement.objects.filter(level__in=made).values_list("reason", "stocked_after")) == {
                ("set", 5),
                ("adjustment", 3),
            }
            return len(captured)

        assert statements(5) == statements(100)

    def test_differences_add_up_and_nothing_goes_below_zero(self) -> None:
        (level,) = (one.row for one in stock_level_editing.VERBS.put(actor=SYSTEM, states=levels(1)))
        for _ in range(2):
            stock_level_editing.VERBS.put(actor=SYSTEM, states=[LevelState(id=level.pk, stocked_by=-2)])
        with pytest.raises(StockBelowZero):
            stock_level_editing.VERBS.put(actor=SYSTEM, states=[LevelState(id=level.pk, stocked_by=-2), *levels(1)])
        assert list(InventoryLevel.objects.values_list("stocked_quantity", "incoming_quantity")) == [(1, 1)]

    def test_permissions(self) -> None:
        (level,) = (one.row for one in stock_level_editing.VERBS.put(actor=SYSTEM, states=levels(1)))
        for state in (LevelState(id=level.pk, stocked_by=1), *levels(1)):
            with pytest.raises(Forbidden):
                stock_level_editing.VERBS.put(actor=ANONYMOUS, states=[state])
        with pytest.raises(NotFound):
            stock_level_editing.VERBS.put(actor=SYSTEM, states=[LevelState(id="ilev_none", stocked_by=1)])


def test_an_items_page_changes_all_levels_at_once_and_says_so_in_the_history() -> None:
    """Statements that write; reading and checking take more."""
    client = superuser()

    def writes(places: int) -> int:
        item = InventoryItemFactory()
        page = f"/admin/catalog/inventoryitem/{item.pk}/change/"
        values = sent(client, page)
        for _ in range(places):
            place = StockLocationFactory().pk
            values = row(values, "levels", location=place, stocked_quantity="7", incoming_quantity="0")
        submit(client, page, values)
        entered = {f"levels-{n}-stocked_quantity": "9" for n in range(places)}
        with CaptureQueriesContext(connection) as captured:
            submit(client, page, sent(client, page, **entered))
        assert set(InventoryLevel.objects.filter(inventory_item=item).values_list("stocked_quantity", flat=True)) == {9}
        texts = [query["sql"] for query in captured]
        return sum(text.startswith(("INSERT", "UPDATE", "WITH")) for text in texts)

    assert writes(2) == writes(12)
    assert "Stocked (7 → 9)" in history()[-1]
