"""The spreadsheet of customers: a row for each address, the first of which has the customer's own values, too."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db.models import Prefetch, Q

from customers import address_editing, customer_editing
from customers.default_addresses import FLAGS
from customers.models import Customer, CustomerAddress, CustomerGroup, CustomerQuerySet
from customers.spreadsheets.changes import OWN, TEXTS, CustomerChange, change_of
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.spreadsheets.columns import FLAG, LINE, LONG_TEXT, Column, Columns, with_stems
from kit.spreadsheets.declarations import Importer, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, version_of
from kit.values.email_address import checked

_CUSTOMERS, _ADDRESSES = customer_editing.VERBS, address_editing.VERBS
_ALIASES = {"address_1": "Address1", "address_2": "Address2", "province": "Province Code", "postal_code": "Zip"}
"""As in Shopify's export of customers, behind `Default Address`."""

_SIGNS_IN = "The customer signs in with another email address. An import cannot change it."
_NO_ACCOUNT = (
    "No account has this email address, and only customers can open one. To add a guest, enter false in Has Account."
)


def _columns() -> Iterator[Column]:
    yield from (Column("id", "Id"), Column("email", "Email"), Column("has_account", "Has Account", FLAG))
    for name in OWN:
        aliases = ("Company",) if name == "company_name" else ()
        yield Column(name, name.replace("_", " ").title(), LONG_TEXT if name == "note" else LINE, aliases)
    yield Column("group:#", "Group {}")
    yield Column("address.id", "Address Id")
    for name in TEXTS:
        words = name.removeprefix("address_").replace("_", " ").title()
        alias = f"Default Address {_ALIASES.get(name, words)}"
        yield Column(f"address.{name}", f"Address {words}", LINE, (alias, f"Default Address {words}"))
    for name in FLAGS:
        yield Column(f"address.{name}", f"Address {name.replace('_', ' ').title()}", FLAG)


class CustomerImporter(Importer):
    """Finds customers by id, or by email and whether they have an account. Addresses that a file lacks stay."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        rows = CustomerGroup.objects.not_deleted().values_list("pk", "name")
        self._groups = {text: key for key, name in rows for text in (name, key)}

    def lock(self, ids: Sequence[str]) -> None:
        lock_rows(Customer.objects.filter(pk__in=ids).only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        firsts = [record.rows[0][1] for record in records]
        emails = [self._email(*each) for each in zip(records, firsts, strict=True)]
        ids = {row["id"] for row in firsts if row.get("id")}
        rows = with_parts(Customer.objects.not_deleted().filter(Q(pk__in=ids) | Q(email__in={*emails} - {None})))
        found = {key: row for row in rows for key in (row.pk, (row.email, row.has_account))}
        planned = [self._planned(*each, found) for each in zip(records, firsts, emails, strict=True)]
        refuse_repeated(records, [one.id or one.label for one in planned], self.claimed)
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        changes: list[CustomerChange] = [one.change for one in planned]
        with reported():
            owners = [one for one in changes if one.stored is None or one.values]
            states = [_CUSTOMERS.state(id=one.id or None, **one.values) for one in owners]
            for one, edited in zip(owners, _CUSTOMERS.put_inside(actor=self.actor, states=states), strict=True):
                one.id = edited.row.pk
            parts = [(one, *part) for one in changes for part in one.addresses]
            states = [
                _ADDRESSES.state(**({"id": stored.pk} if stored else {"customer_id": one.id}), **values)
                for one, stored, values in parts
            ]
            rows = [edited.row for edited in _ADDRESSES.put_inside(actor=self.actor, states=states)] if states else []
        new = [(one, row) for (one, stored, _), row in zip(parts, rows, strict=True) if one.stored and stored is None]
        return [
            Written(
                one.id,
                exported_rows(one.stored, self.fields) if one.stored else (),
                [(row.pk, f"Address: {row}") for owner, row in new if owner is one],
            )
            for one in changes
        ]

    def _email(self, record: Record, row: Values) -> str | None:
        with Refusing(record, "email"):
            return checked(row["email"]) if row.get("email") else None
        return None

    def _planned(self, record: Record, row: Values, email: str | None, found: dict[Any, Customer]) -> Planned:
        has_account = row.get("has_account")
        if row.get("id"):
            stored = found.get(row["id"])
            if stored is None:
                record.refuse("No customer has this id. To add a customer, leave the cell empty.", "id")
            elif has_account not in (None, stored.has_account):
                record.refuse("An import cannot change whether a customer has an account.", "has_account")
            elif stored.has_account and email not in (None, stored.email):
                record.refuse(_SIGNS_IN, "email")
        else:
            kinds = (True, False) if has_account is None else (has_account,)
            stored = next((found[email, kind] for kind in kinds if (email, kind) in found), None)
            if stored is None and has_account:
                record.refuse(_NO_ACCOUNT, "email")
            elif email is None and not record.problems:
                record.refuse("Enter an email address.", "email")
        change = change_of(record, stored, email, self._groups_of(record, row))
        label = email or (stored and stored.email) or record.key
        version = version_of(exported_rows(stored)) if stored else ""
        return Planned(record, str(label), stored.pk if stored else None, version, not change.is_empty, change)

    def _groups_of(self, record: Record, row: Values) -> list[str] | None:
        """The ids of the groups, None for a file without columns of groups."""
        fields = [name for name in row if name.startswith("group:")]
        ids = list[str]()
        for name in fields:
            if row[name] in self._groups:
                ids.append(self._groups[row[name]])
            elif row[name]:
                record.refuse("No customer group has this name or id.", name)
        return sorted({*ids}) if fields else None


class CustomerSpreadsheet(Spreadsheet):
    """Passwords are neither imported nor exported, and erased customers neither found nor exported."""

    key = "customers"
    title = "Customers"
    importing = (
        *("customers.add_customer", "customers.change_customer"),
        *("customers.add_customeraddress", "customers.change_customeraddress"),
    )
    exporting = ("customers.view_customer", "customers.view_customeraddress", "customers.export_customer")
    recorded = Customer
    importer = CustomerImporter
    columns = Columns(_columns())

    def key_of(self, values: Values) -> str:
        account = values.get("has_account")
        return values.get("id") or (f"{values['email'].lower()} {account or ''}" if values.get("email") else "")

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        for batch in batches_of(with_parts(Customer.objects.visible_to(actor))):
            yield from map(exported_rows, batch)


def with_parts(customers: CustomerQuerySet) -> CustomerQuerySet:
    """Those that are not erased, with their groups and addresses."""
    groups, addresses = CustomerGroup.objects.not_deleted(), CustomerAddress.objects.not_deleted()
    parts = (Prefetch("groups", groups.order_by("pk")), Prefetch("addresses", addresses.order_by("pk")))
    return customers.filter(erased_at=None).prefetch_related(*parts)


def exported_rows(customer: Customer, fields: Collection[str] | None = None) -> list[Values]:
    """fields: those to write, besides the ones that identify; None for all."""
    keys: Values = {"id": customer.pk, "email": customer.email, "has_account": customer.has_account}
    groups = [group.name for group in customer.groups.all()] or [None]
    own = {name: getattr(customer, name) for name in OWN}
    rows = [
        {**keys, "address.id": one.pk, **{f"address.{name}": getattr(one, name) for name in (*TEXTS, *FLAGS)}}
        for one in customer.addresses.all()
    ] or [dict(keys)]
    rows[0] |= own | {f"group:{place}": name for place, name in enumerate(groups, 1)}
    if fields is None:
        return rows
    stems = {field.partition(":")[0] for field in fields} | {*keys, "address.id"}
    return [with_stems(row.items(), stems) for row in rows]


CUSTOMERS = CustomerSpreadsheet()
