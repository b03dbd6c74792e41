"""`manage.py check` says what emails of a real shop lack."""

from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def found(*, deploy: bool = True) -> set[str]:
    reports = run_checks(include_deployment_checks=deploy)
    return {report.msg for report in reports if report.id in ("commerce.W002", "commerce.E001")}


@pytest.fixture
def production(settings: Settings) -> Settings:
    settings.PRODUCTION, settings.MAIL_SERVER_IS_SET = True, True
    settings.DEFAULT_FROM_EMAIL, settings.STOREFRONT_URL = "tea@shop.example", "https://shop.example"
    return settings


def test_a_shop_with_all_of_them_is_fine(production: Settings, tmp_path: Path) -> None:
    production.MAIL_TEMPLATES = str(tmp_path)
    assert found() == set()


def test_each_that_is_missing_is_named_when_it_is_deployed(production: Settings) -> None:
    production.MAIL_SERVER_IS_SET, production.DEFAULT_FROM_EMAIL, production.STOREFRONT_URL = (
        False,
        "shop@localhost",
        "",
    )
    assert found() == {
        "Email goes to port 25 of this host: EMAIL_URL is not set.",
        "Email comes from shop@localhost: MAIL_FROM is not set.",
        "Emails have no links: STOREFRONT_URL is not set.",
    }
    assert found(deploy=False) == set()
    production.PRODUCTION = False
    assert found() == set()


def test_a_folder_of_templates_that_is_not_there_is_an_error(production: Settings, tmp_path: Path) -> None:
    production.MAIL_TEMPLATES = str(tmp_path / "gone")
    assert found(deploy=False) == {f"MAIL_TEMPLATES names no folder: '{tmp_path / 'gone'}'."}
