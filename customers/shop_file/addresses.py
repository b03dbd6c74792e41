"""The addresses of a shop file's customers, matched by id, else by name within the customer."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from customers.address_details import checked_address
from customers.default_addresses import FLAGS
from customers.models import CustomerAddress
from customers.shop_file.lines import Line
from kit.editing.children import Children, Key
from kit.errors import InvalidData
from kit.shop_file.problems import Problems
from kit.shop_file.values import Boolean, DateTime, Entry, Id, Metadata, Value
from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.models.addresses import ADDRESS_TEXTS

TEXTS = ("address_name", *ADDRESS_TEXTS)
ADDRESS: Mapping[str, Value] = {
    "id": Id(prefix="cuaddr"),
    "created_at": DateTime(),
    **{name: Line() for name in TEXTS},
    **{flag: Boolean() for flag in FLAGS},
    "metadata": Metadata(),
}


class Addresses(Children[CustomerAddress]):
    """A customer's addresses. Those that the list leaves out are removed."""

    model = CustomerAddress
    parent = "customer_id"
    key = ("id",)

    def __init__(self, parents: Collection[Hashable], entries: Sequence[Entry], problems: Problems) -> None:
        """`entries`: all addresses that `parse` will be called with."""
        super().__init__(parents)
        self._problems = problems
        ids = [entry.given["id"] for entry in entries if "id" in entry.given]
        taken = CustomerAddress.objects.filter(pk__in=ids).values_list("pk", "customer_id") if ids else ()
        self._owners = dict(taken)
        self._places: dict[str, str] = {}

    def parse(self, parent: str, entries: Sequence[Entry]) -> dict[Key, dict[str, object]]:
        """The customer's addresses as the file has them, by id. Adds their problems to the list."""
        wanted: dict[Key, dict[str, object]] = {}
        for entry in entries:
            row = self._match(parent, entry, wanted)
            key = row.pk if row else entry.given.get("id") or new_id("cuaddr")
            if self._owners.get(key, parent) != parent:
                self._problems.add(f"{entry.path}.id", f"belongs to an address of {self._owners[key]}")
            if self._places.setdefault(key, entry.path) != entry.path:
                self._problems.add(entry.path, f"already appears at {self._places[key]}")
            wanted[key,] = self._values(entry, row)
        for flag in FLAGS:
            if sum(bool(values[flag]) for values in wanted.values()) > 1:
                self._problems.add(entries[-1].path, f"is not the only address with {flag}")
        return wanted

    def put_all(self, parent: str, wanted: Mapping[Key, Mapping[str, object]]) -> bool:
        """Like `replace`, but clears lost flags first: written together, they would violate the unique index."""
        for flag in FLAGS:
            losing = [
                row.pk
                for key, row in self.of(parent).items()
                if getattr(row, flag) and key in wanted and not wanted[key][flag]
            ]
            CustomerAddress.objects.filter(pk__in=losing).update(**{flag: False})
        return self.replace(parent, wanted)

    def dumped(self, parent: str) -> Iterator[JSONObject]:
        """The customer's addresses as objects of the file."""
        for row in self.of(parent).values():
            yield {
                "id": row.pk,
                **{name: getattr(row, name) for name in (*TEXTS, *FLAGS, "metadata")},
                "created_at": isoformat(row.created_at),
            }

    def _match(self, parent: str, entry: Entry, met: Collection[Key]) -> CustomerAddress | None:
        """The stored address with the object's id, else the first with its name that no earlier object has matched."""
        rows, name = self.of(parent), entry.given.get("address_name")
        if "id" in entry.given:
            return rows.get((entry.given["id"],))
        if name is None:
            self._problems.add(f"{entry.path}.address_name", "is required without an id")
        return next((row for key, row in rows.items() if row.address_name == name and key not in met), None)

    def _values(self, entry: Entry, row: CustomerAddress | None) -> dict[str, object]:
        """The row's values, always with both flags. created_at is only used for a new one."""
        address = row or CustomerAddress()
        flags = {flag: entry.given.get(flag, getattr(address, flag)) for flag in FLAGS}
        texts = {name: entry.given[name] for name in TEXTS if name in entry.given}
        try:
            values = checked_address(texts, of=address)
        except InvalidData as error:
            self._problems.add(entry.path, error.message)
            return flags
        kept = ("metadata",) if row else ("metadata", "created_at")
        return {**values, **flags, **{name: entry.given[name] for name in kept if name in entry.given}}
