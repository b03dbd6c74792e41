"""What a newcomer gets from the demo."""

import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import Client

from apikeys.models import ApiKey
from catalog.models import ProductCategory
from commerce.operations.management.commands.demo import STAFF_EMAIL

pytestmark = pytest.mark.django_db


def demo() -> str:
    told = StringIO()
    call_command("demo", "--no-serve", stdout=told)
    return told.getvalue()


def field(told: str, name: str) -> str:
    match = re.search(rf"{name} +(.+)", told)
    assert match
    return match[1]


def test_the_printed_key_and_login_work(client: Client) -> None:
    told = demo()
    answer = client.get(
        "/store/product-categories?limit=0", headers={"x-publishable-api-key": field(told, "Storefront key")}
    )
    hidden = {"winter-boxes", "staff-samples"}
    assert answer.json()["count"] == ProductCategory.objects.exclude(handle__in=hidden).count() == 24
    assert authenticate(username=STAFF_EMAIL, password=field(told, "Password")) is not None


def test_a_second_demo_changes_nothing() -> None:
    first = demo()
    before = list(ProductCategory.objects.order_by("id").values()), list(ApiKey.objects.values())
    second = demo()
    assert (list(ProductCategory.objects.order_by("id").values()), list(ApiKey.objects.values())) == before
    assert field(second, "Storefront key") == field(first, "Storefront key")
    assert field(second, "Password").startswith("as before")
    assert authenticate(username=STAFF_EMAIL, password=field(first, "Password")) is not None


def test_a_second_demo_keeps_what_was_tried_out() -> None:
    demo()
    ProductCategory.objects.filter(handle="tea").update(description="Mine")
    demo()
    assert ProductCategory.objects.get(handle="tea").description == "Mine"


def test_production_refuses_it(settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="for development"):
        demo()
    assert not ProductCategory.objects.exists()
