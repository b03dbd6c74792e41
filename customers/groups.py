"""Customer groups, as staff maintain them. Their members are edited with the customers, who stay in deleted ones."""

from customers.models import CustomerGroup
from customers.tax_exemption import EXEMPTION, check_countries
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.verbs import RowVerbs

VERBS = RowVerbs(
    CustomerGroup,
    ("name", *EXEMPTION, "metadata"),
    check=check_countries,
    delete=delete_rows,
    restore=restore_rows,
)
