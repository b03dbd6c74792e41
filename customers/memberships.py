"""The groups of a customer."""

from customers.models import CustomerGroup
from kit.reads.sql.keyed_rows import KeyedRows


def groups_of(customer_id: str) -> tuple[str, ...]:
    """The ids of the customer's groups that are not deleted. One statement."""
    return tuple(group_id for (group_id,) in _GROUPS.read([customer_id]))


_GROUPS = KeyedRows(CustomerGroup.objects.not_deleted, key="customers", columns=("id",))
