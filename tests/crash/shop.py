"""Fills a database for the crash test: `python -m tests.crash.shop CARDS`, in that database's environment.

Writes as JSON the publishable key, and of each card its id, its code, and id and token of the customer who redeems it.
"""

import sys
from decimal import Decimal
from itertools import cycle

import django
import orjson

django.setup()

from django.core.management import call_command

from apikeys.issuance import issue
from apikeys.states import KeyType
from giftcards.cards import issuing
from kit.domain.actor import SYSTEM
from shop.models import Currency
from tests.bench.shopper_data import signed_in

CUSTOMERS = 40
CURRENCIES = ("eur", "usd")
VALUE = Decimal(25)


def main() -> None:
    cards = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    customers = [signed_in(f"customer{number}@shop.example") for number in range(CUSTOMERS)]
    issued = []
    for number, code in enumerate(CURRENCIES):
        Currency.objects.get_or_create(code=code)
        share = cards // len(CURRENCIES) + (number < cards % len(CURRENCIES))
        issued += issuing.issue(actor=SYSTEM, terms=issuing.Terms(value=VALUE, currency_code=code), count=share)
    rows = [
        (card.pk, card.code, customer.pk, token)
        for card, (customer, token) in zip(issued, cycle(customers), strict=False)
    ]
    key = issue(actor=SYSTEM, title="Storefront", type=KeyType.PUBLISHABLE)
    sys.stdout.buffer.write(orjson.dumps({"publishable": key.token, "cards": rows}))


if __name__ == "__main__":
    main()
