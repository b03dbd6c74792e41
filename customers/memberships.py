"""A customer as a buyer: their groups, and whether they are exempt from taxes."""

from collections.abc import Sequence

from customers.models import Customer
from kit.reads.sql.keyed_rows import KeyedRows
from shop.taxes import Exemption


def buyer(customer_id: str) -> tuple[tuple[str, ...], Sequence[Exemption]]:
    """The ids of the customer's groups that are not deleted, and the exemptions of both. One statement."""
    rows = _BUYERS.read([customer_id])
    groups = [row[_OWN:] for row in rows if row[-1] is None]
    exemptions = {Exemption(*row[:_OWN]) for row in rows} | {Exemption(*row[1:-1]) for row in groups}
    return tuple(row[0] for row in groups if row[0] is not None), [*exemptions]


_OWN = len(Exemption._fields)
# A row for each group, and one without any.
_BUYERS = KeyedRows(
    Customer.objects.not_deleted,
    key="id",
    columns=(
        *Exemption._fields,
        "groups__id",
        *(f"groups__{name}" for name in Exemption._fields),
        "groups__deleted_at",
    ),
)
