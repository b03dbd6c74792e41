"""Gift cards and store credit in the shop file: a load makes no money twice, and a dump loses none."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.models import Customer
from giftcards.models import StoreCreditAccount
from giftcards.verification.verification import discrepancies
from kit.values.timestamps import now
from tests.factories.giftcards import spend
from tests.giftcards.books import books, groups, unguarded
from tests.giftcards.shop_file.contents import (
    KEYS,
    LOSSES,
    OPENING,
    PAID,
    PENDING,
    REDEEMED,
    account,
    cards,
    empty,
)
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db


class TestRoundTrip:
    def test_an_empty_shop_becomes_the_same_and_dumps_the_same_bytes(self, files: ShopFiles, ledger: Customer):
        before = [[{**row, "updated_at": None} for row in rows] for rows in books()]
        files.dump("--with-credentials", "--only", *KEYS, name="first.json")
        empty()
        files.run("load_shop", str(files.directory / "first.json"))
        files.dump("--with-credentials", "--only", *KEYS, name="second.json")
        assert (files.directory / "first.json").read_bytes() == (files.directory / "second.json").read_bytes()
        after = [[{**row, "updated_at": None} for row in rows] for rows in books()]
        for then, is_now in zip(before, after, strict=True):
            if "group_id" not in then[0] and "account_id" in then[0]:
                for row in (*then, *is_now):
                    row["created_at"] = None  # of groups, which is that of their credits
        assert after == before
        assert list(discrepancies()) == []

    def test_without_credentials_too(self, files: ShopFiles, ledger: Customer):
        first = files.dump("--only", *KEYS)
        empty()
        files.load(first)
        assert files.dump("--only", *KEYS) == first
        assert groups(StoreCreditAccount.objects.get(customer=ledger, currency="usd").pk) == [
            *(Decimal(0), Decimal(0), Decimal("4.34"), Decimal("10.5"))
        ]

    def test_a_second_load_changes_no_row(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        before = everything()
        lines = files.load(content)
        assert everything() == before
        assert lines == [f"{key}: 0 created, 0 updated, {len(objects)} unchanged" for key, objects in content.items()]

    def test_what_a_guest_has_left_can_still_be_spent(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        empty()
        files.load(content)
        rest = StoreCreditAccount.objects.get(gift_card__value=30)
        spend(rest.pk, 19, order_id="cart_2")
        assert list(discrepancies()) == []

    def test_later_debits_take_from_the_same_groups_as_in_the_first_shop(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        empty()
        files.load(content)
        own = StoreCreditAccount.objects.get(customer=ledger, currency="usd")
        spend(own.pk, 5, order_id="cart_3")
        assert groups(own.pk) == [Decimal(0), Decimal(0), Decimal(0), Decimal("9.84")]

    def test_cards_and_accounts_of_erased_customers_stay_behind(self, files: ShopFiles, ledger: Customer):
        Customer.objects.filter(pk=ledger.pk).update(deleted_at=now(), email=None, has_account=False)
        content = files.dump("--only", *KEYS)
        assert {one["customer"] for one in content["gift_cards"]} == {None, "bob@example.com"}
        assert [one["customer"] for one in content["store_credit_accounts"]] == ["bob@example.com"]
        empty()
        files.load(content)


class TestTheWholeLedger:
    def test_more_rows_take_no_more_statements(self, files: ShopFiles):
        def shop(number: int) -> dict[str, Any]:
            emails = [f"{number}-{index}@example.com" for index in range(number)]
            redeemed = [{**REDEEMED, "code": email, "customer": email} for email in emails]
            guests = [
                {**PENDING, "code": f"G{email}", "status": "redeemed", "guest_account": {"transactions": [PAID]}}
                for email in emails
            ]
            accounts = [account(OPENING, PAID, customer=email)["store_credit_accounts"][0] for email in emails]
            return {
                "customers": [{"email": email} for email in emails],
                **cards(*redeemed, *guests),
                "store_credit_accounts": accounts,
            }

        def statements(number: int) -> int:
            with CaptureQueriesContext(connection) as taken:
                files.load(shop(number))
            return len(taken)

        assert [statements(3), statements(3)] == [statements(20), statements(20)]

    def test_a_load_that_leaves_it_wrong_loads_nothing(self, files: ShopFiles, ann: Customer):
        (problem,) = files.refused(account({**OPENING, "reference": "order"}))
        own = StoreCreditAccount.objects.count()
        assert own == 0
        assert problem.startswith("the ledger: order opening took 0")

    def test_all_of_it_is_verified_after_a_load_that_writes_to_it(self, files: ShopFiles, ledger: Customer):
        with unguarded():
            StoreCreditAccount.objects.filter(customer=ledger).update(credits=1000)
        tags = {"product_tags": [{"value": "a"}]}
        assert all(line.startswith(LOSSES) for line in files.refused({**tags, **cards(PENDING)}))
        files.load(tags)
