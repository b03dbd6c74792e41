"""The store credit accounts of a batch of a shop file."""

from collections.abc import Collection, Mapping

from giftcards.models import StoreCreditAccount
from kit.database.locking import lock_rows
from kit.shop_file.values import Entry
from kit.values.ids import new_id

Owner = tuple[str, str]
"""A customer's id and a currency."""


def open_accounts(wanted: Mapping[Owner, Entry | None]) -> tuple[dict[Owner, StoreCreditAccount], set[str]]:
    """The accounts of these owners, locked until the transaction ends, and the ids of those that were created.

    wanted: the object that describes each account, if the file has one. Of concurrent loads one creates an account, and
    the others wait.
    """
    found = _find(wanted.keys())
    made = [_account(owner, entry) for owner, entry in wanted.items() if owner not in found]
    if not made:
        return found, set()
    StoreCreditAccount.objects.bulk_create(made, ignore_conflicts=True)
    found = _find(wanted.keys())
    return found, {row.pk for row in made} & {row.pk for row in found.values()}


def lock_accounts(ids: Collection[str]) -> dict[str, StoreCreditAccount]:
    """The accounts by id, locked until the transaction ends."""
    rows = lock_rows(StoreCreditAccount.objects.filter(pk__in=ids)) if ids else ()
    return {row.pk: row for row in rows}


def _account(owner: Owner, entry: Entry | None) -> StoreCreditAccount:
    given = entry.given if entry else {}
    columns = {name: given[name] for name in ("id", "created_at", "metadata") if name in given}
    return StoreCreditAccount(**{"id": new_id("sc_acc"), **columns}, customer_id=owner[0], currency_id=owner[1])


def _find(owners: Collection[Owner]) -> dict[Owner, StoreCreditAccount]:
    customers, currencies = {owner[0] for owner in owners}, {owner[1] for owner in owners}
    rows = StoreCreditAccount.objects.filter(customer__in=customers, currency__in=currencies)
    found = {(str(row.customer_id), row.currency_id): row for row in lock_rows(rows)} if owners else {}
    return {owner: row for owner, row in found.items() if owner in owners}
