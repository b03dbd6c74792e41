"""`check --deploy` warns if pictures have no addresses."""

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def found() -> list[str]:
    reports = run_checks(include_deployment_checks=True)
    return [report.msg for report in reports if report.id == "commerce.W003"]


@pytest.mark.parametrize(
    ("production", "public_url", "media_url", "warns"),
    [
        (True, "", "/media/", True),
        (True, "https://api.shop.example", "/media/", False),
        (True, "", "https://cdn.shop.example/", False),
        (False, "", "/media/", False),
    ],
)
def test_one_of_the_addresses_must_be_set(
    settings: Settings, production: bool, public_url: str, media_url: str, warns: bool
) -> None:
    settings.PRODUCTION, settings.PUBLIC_URL, settings.MEDIA_URL = production, public_url, media_url
    expected = "Storefronts cannot load pictures: their URLs are relative, because PUBLIC_URL is not set."
    assert found() == ([expected] if warns else [])
