"""Batches of codes in the admin site."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from carts.models import Promotion, PromotionCode
from tests.factories.carts import PromotionFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]
GIVEN = {"post": "yes", "count": "3", "beginning": "SPRING-", "length": "10", "usage_limit": "1"}


@pytest.fixture
def client() -> Client:
    return superuser()


def address(view: str, row: Any) -> str:
    return reverse(f"admin:carts_promotion_{view}", args=[row.pk])


def codes() -> list[tuple[str, int | None]]:
    return [*PromotionCode.objects.not_deleted().order_by("pk").values_list("code", "usage_limit")]


def test_staff_make_a_batch_once_and_download_it(client: Client) -> None:
    row = PromotionFactory(code="SPRING")
    page = client.get(address("make_codes", row)).content.decode()
    assert "Customers can then no longer enter SPRING" in page
    [ticket] = re.findall(r'name="ticket" value="(\w+)"', page)
    for _ in range(2):
        response = client.post(address("make_codes", row), {**GIVEN, "ticket": ticket}, follow=True)
        assert "3 codes were made for SPRING." in response.content.decode()
    assert [(code[:7], len(code), limit) for code, limit in codes()] == [("SPRING-", 17, 1)] * 3
    file = client.get(address("download_codes", row))
    assert file["Content-Disposition"] == f'attachment; filename="codes-{row.pk}.csv"'
    lines = b"".join(file.streaming_content).decode()  # type: ignore[attr-defined]
    assert lines == "\ufeffcode,usage_limit,used\r\n" + "".join(f"{code},1,0\r\n" for code, _ in codes())


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"count": "10001"}, "less than or equal to 10000"),
        ({"length": "7"}, "greater than or equal to 8"),
        ({"beginning": "a\x07"}, "control characters"),
    ],
)
def test_a_wrong_form_makes_nothing(client: Client, wrong: dict[str, str], problem: str) -> None:
    row = PromotionFactory(code="SPRING")
    page = client.post(address("make_codes", row), {**GIVEN, **wrong}).content.decode()
    assert problem in page
    assert (Promotion.objects.get().has_codes, codes()) == (False, [("SPRING", None)])


def test_buttons_are_for_those_who_may_and_promotions_that_have_codes() -> None:
    plain, automatic, coded = (
        PromotionFactory(),
        PromotionFactory(is_automatic=True),
        PromotionFactory(has_codes=True),
    )
    viewer = visitor("carts.view_promotion")
    maker = visitor("carts.view_promotion", "carts.add_promotioncode", "carts.view_promotioncode")
    for who, row, shown in (
        (viewer, coded, (False, False)),
        (maker, plain, (True, False)),
        (maker, automatic, (False, False)),
        (maker, coded, (True, True)),
    ):
        page = who.get(address("change", row)).content.decode()
        assert tuple(address(view, row) in page for view in ("make_codes", "download_codes")) == shown
    assert viewer.get(address("make_codes", plain)).status_code == 403
    assert viewer.get(address("download_codes", coded)).status_code == 403
