"""First prices that several members of staff give at the same moment: none is lost."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from catalog.models import PriceSet, ProductVariant
from catalog.prices import price_sets
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption
from kit.database.locking import lock_rows
from tests.concurrency.crowd import at_once
from tests.factories.pricing import PriceListFactory
from tests.factories.products import VariantFactory
from tests.kit.admin.forms import row, sent
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db(transaction=True)


def currencies() -> list[str]:
    return sorted(ProductVariant.objects.get().price_set.prices.values_list("currency_id", flat=True))


def test_all_find_the_one_price_set():
    variant = VariantFactory(price_set=None)

    found = at_once(lambda _: price_sets.of_variants([variant.pk])[variant.pk], threads=8)

    assert set(found) == {ProductVariant.objects.get().price_set_id}
    assert PriceSet.objects.count() == 1


def test_on_the_screens_of_the_variant_and_of_a_price_list():
    variant, sale = VariantFactory(price_set=None), PriceListFactory()
    pages = [f"/admin/catalog/productvariant/{variant.pk}/change/", f"/admin/catalog/pricelist/{sale.pk}/change/"]
    clients = [superuser() for _ in range(4)]
    given = [
        (pages[0], {"currency": "usd"}),
        (pages[0], {"currency": "eur"}),
        (pages[1], {"currency": "gbp", "variant": variant.pk}),
        (pages[1], {"currency": "jpy", "variant": variant.pk}),
    ]
    forms = [
        row(sent(client, page), "prices", amount="5", **cells)
        for client, (page, cells) in zip(clients, given, strict=True)
    ]

    answers = at_once(lambda number: clients[number].post(given[number][0], forms[number]).status_code, threads=4)

    assert [sorted(answers[:2]), sorted(answers[2:])] == [[200, 302]] * 2  # the second learns of the first's price
    saved = [given[number][1]["currency"] for number, status in enumerate(answers) if status == 302]
    assert currencies() == sorted(saved)
    assert PriceSet.objects.count() == 1


@pytest.mark.postgresql
def test_a_load_waits_for_who_writes_a_way_of_shipping(tmp_path: Path):
    post = FulfillmentSet.objects.create(name="Post", type="shipping")
    zone = ServiceZone.objects.create(name="Europe", fulfillment_set=post)
    ShippingOption.objects.create(name="Express", service_zone=zone)
    path = tmp_path / "shop.json"
    path.write_text(json.dumps({"fulfillment_sets": [{"name": "Post"}]}))

    def load_meanwhile(_: int) -> str:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 200")
        with pytest.raises(CommandError) as refusal:
            call_command("load_shop", str(path))
        return str(refusal.value)

    with transaction.atomic():
        lock_rows(ShippingOption.objects.all())
        assert at_once(load_meanwhile, threads=1) == [
            "Other changes conflict with the file. Nothing was loaded; try again."
        ]
