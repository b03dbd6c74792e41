"""What an order costs after a change, case by case."""

import pytest

from orders.changes.computation import ComputedOrder, computed
from tests.orders.changes.build import actions, as_written, placed_order, units
from tests.orders.changes.cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=[case.number for case in CASES])
def test_a_change_leads_to_these_amounts(case: Case) -> None:
    order = placed_order(case)
    after = computed(order, actions(case), carry_over=case.carry_over)
    text = " ".join(refusal.message for refusal in after.refusals)
    assert bool(text) == bool(case.refusals)
    assert [part for part in case.refusals if part not in text] == []
    if case.total is not None:
        assert after.totals.total == units(case.total)
        assert after.pending_difference == units(case.pending or "")
    assert {name: _amount(after, name) for name in case.totals} == {
        name: units(amount) for name, amount in case.totals.items()
    }
    again = computed(as_written(order, after), [])
    assert (again.totals, again.pending_difference) == (after.totals, after.pending_difference)
    assert not any(each.is_changed for each in again.lines)
    if case.off:
        taken = {line.line.id: sum(each.stored.shown_amount for each in line.line.discounts) for line in after.lines}
        assert {name: amount for name, amount in taken.items() if amount} == {
            name: units(amount) for name, amount in case.off.items()
        }


def _amount(after: ComputedOrder, name: str) -> int:
    line_id, _, is_tax = name.partition(" ")
    [totals] = [line.totals for line in after.lines if line.line.id == line_id]
    return totals.tax_total if is_tax else totals.total
