"""The shop file's customers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch

from auth.account_types.identities import LoadedAccount, load_identities, password_hashes
from customers.customer_editing import LINES
from customers.models import Customer, CustomerGroup
from customers.shop_file.addresses import ADDRESS, Addresses
from customers.shop_file.groups import EXEMPTION, CustomerGroups
from customers.shop_file.lines import Line
from customers.tax_exemption import COUNTRIES, kept_countries
from kit.editing.changes import BATCH
from kit.safety.password_hash import hash_of
from kit.shop_file.problems import Problems
from kit.shop_file.references import NamesOf, Target
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Entry, Metadata, Objects, Text, Value
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from staff.shop_file import Email

_GROUPS = NamesOf(target=Target(CustomerGroup, "name", CustomerGroups.key))
_OWN = (*LINES, "note", "metadata", "is_tax_exempt")


class Customers(RowsSection[Customer]):
    """All customers. A new customer with a password gets an account; it is clear text, or a hash as dumped.

    If a guest and an account have the same email, the file means the account.
    """

    key = "customers"
    prefix = "cus"
    model = Customer
    natural_key = "email"
    fields: ClassVar[Mapping[str, Value]] = {
        "email": Email(required=True),
        "password": Text(may_be_blank=False),
        **{name: Line() for name in LINES},
        **EXEMPTION,
        "groups": _GROUPS,
        "note": Text(nullable=True),
        "metadata": Metadata(),
        "addresses": Objects(fields=ADDRESS, partial=True),
    }

    @classmethod
    def matchable(cls) -> models.QuerySet[Customer]:
        return _matchable()

    def values(self, entry: Entry, row: Customer | None) -> dict[str, object]:
        values = super().values(entry, row)
        values.pop("addresses", None)
        password = values.pop("password", None)
        if COUNTRIES in values:
            values[COUNTRIES] = kept_countries(values[COUNTRIES])
        if row is None:
            return {**values, "has_account": password is not None}
        if row.has_account and values.get("email", row.email) != row.email:
            self.refuse(entry, f"the customer {row.pk} signs in with another, which cannot be changed", field="email")
        return values

    def load_parts(self, placed: Sequence[Placed[Customer]]) -> None:
        super().load_parts(placed)
        load_identities(
            [
                LoadedAccount(one.row.pk, one.entry.given["email"], hash_of(one.entry.given["password"]))
                for one in placed
                if one.is_new and "password" in one.entry.given
            ]
        )
        entries = [address for one in placed for address in one.entry.given.get("addresses", ())]
        addresses = Addresses([one.row.pk for one in placed if not one.is_new], entries, self.problems)
        for one in placed:
            if "addresses" in one.entry.given:
                before = self.problems.count
                wanted = addresses.parse(one.row.pk, one.entry.given["addresses"])
                if self.problems.count == before:
                    one.is_changed |= addresses.put_all(one.row.pk, wanted)
        addresses.write()

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        groups = Prefetch("groups", _GROUPS.target.rows())
        rows = (
            _matchable().filter(email__isnull=False).order_by("pk").prefetch_related(groups).iterator(chunk_size=BATCH)
        )
        while batch := list(islice(rows, BATCH)):
            ids = [row.pk for row in batch]
            addresses = Addresses(ids, (), Problems())
            hashes = password_hashes(ids) if with_credentials else {}
            for row in batch:
                yield {
                    "id": row.pk,
                    "email": row.email,
                    **({"password": hashes[row.pk]} if row.pk in hashes else {}),
                    **{name: getattr(row, name) for name in _OWN},
                    COUNTRIES: row.tax_exempt_countries or [],
                    "tax_exempt_until": cls.fields["tax_exempt_until"].dumped(row, "tax_exempt_until"),
                    "groups": _GROUPS.dumped(row, "groups"),
                    "addresses": list(addresses.dumped(row.pk)),
                    "created_at": isoformat(row.created_at),
                }


def _matchable() -> models.QuerySet[Customer]:
    """Customers that are not deleted, without guests whose email belongs to an account."""
    accounts = Customer.objects.not_deleted().filter(email=OuterRef("email"), has_account=True)
    rows: models.QuerySet[Customer] = Customer.objects.not_deleted().exclude(Exists(accounts), has_account=False)
    return rows
