"""The history of what was done on the admin site."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.core.exceptions import ValidationError
from django.urls import reverse

from catalog.admin.variants.option_values import OptionValues
from tests.factories.customers import CustomerFactory
from tests.factories.inventory import stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import OptionFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import changed, errors, filled_in, sent, submit
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.every(2), pytest.mark.once, pytest.mark.django_db]


def history() -> list[str]:
    return [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]


def page_of(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[quote(row.pk)])


def values_of(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_form_that_is_saved_as_it_is_shown_has_changed_nothing() -> None:
    client = superuser()
    build_shop(client.user)
    saved, changed = set(), []
    for model in admin.site._registry:
        for row in model._default_manager.order_by("pk")[:3]:
            page = client.get(page_of(row))
            if page.status_code != 200 or not page.context.get("show_save"):
                continue
            before, entries = values_of(row), LogEntry.objects.count()
            submit(client, page_of(row), filled_in(page))
            row.refresh_from_db()
            if history()[entries:] or values_of(row) != before:
                changed.append((model._meta.label, history()[entries:]))
            saved.add(model._meta.label)
    assert changed == []
    assert len(saved) >= 24, sorted(saved)


class TestWhatIsSaid:
    def test_a_price_and_a_status_are_shown_before_and_after(self) -> None:
        client, variant = superuser(), VariantFactory(title="Large", sku="TEE-L", product__title="Tee")
        sale = PriceListFactory(status="draft", title="Summer")
        price(variant, "5", price_list=sale)
        given = {"status": "active", "description": "Hot.", "prices-0-amount": "4.5", "prices-0-min_quantity": "2"}
        submit(client, page_of(sale), sent(client, page_of(sale), **given))
        (entry,) = history()
        assert entry == (
            "Changed Description and Status (Draft → Active). "
            "Changed Amount (5.00 → 4.50) and From quantity (none → 2) for price “$4.50 for Tee / Large (TEE-L)”."
        )

    def test_stock_is_shown_with_its_place(self) -> None:
        client, variant = superuser(), VariantFactory(sku="TEE")
        level = stock(variant, 5)
        values = sent(client, page_of(variant))
        (field,) = [name for name in values if name.startswith("levels") and name.endswith("-0-stocked_quantity")]
        submit(client, page_of(variant), values | {field: ["12"]})
        assert history() == [f"Changed Stocked (5 → 12) for inventory level “{level.location}”."]

    def test_switches_rows_and_lists_are_named_as_on_the_form(self) -> None:
        client, region = superuser(), RegionFactory(name="Europe", currency_id="usd")
        given = {"is_tax_inclusive": "on", "currency": "eur", "name": "Abroad"}
        submit(client, page_of(region), sent(client, page_of(region), **given))
        assert history() == ["Changed Name, Currency (US Dollar (USD) → Euro (EUR)) and Is tax inclusive (no → yes)."]

    def test_a_persons_texts_are_shown_by_name_alone(self) -> None:
        client, customer = superuser(), CustomerFactory(first_name="Nell")
        submit(client, page_of(customer), sent(client, page_of(customer), first_name="Nelly"))
        assert history() == ["Changed First name."]


class TestOptionValues:
    @pytest.mark.parametrize(
        ("typed", "values"),
        [
            ("S, M,L", ["S", "M", "L"]),
            ("S\r\nM\r\n", ["S", "M"]),
            ('"Red, matte"\r\nBlue', ["Red, matte", "Blue"]),
            ('15"\r\n"1,5 l"', ['15"', "1,5 l"]),
            (",,S,", ["S"]),
        ],
    )
    def test_they_are_read_by_lines_and_commas(self, typed: str, values: list[str]) -> None:
        field = OptionValues()
        assert field.clean(typed) == values
        assert field.clean(field.prepare_value(values)) == values
        assert not field.has_changed(values, field.prepare_value(values).replace("\n", "\r\n"))

    def test_what_may_be_one_value_or_two_is_asked(self) -> None:
        client, option = superuser(), OptionFactory(title="Size", values=["S"])
        tables = f"{page_of(option.product)}?tables=1"
        values = sent(client, tables, **{"product_options-0-values": "36,37"})
        field = next(name for name in values if name.endswith("-0-values"))
        answer = client.post(tables, changed(values, **{field: "36,37"}))
        assert errors(answer) == {
            field: ["Is '36,37' one value or several? Put each value on its own line, or quote one that has a comma."]
        }
        assert "36,37" in answer.content.decode()

    def test_what_no_database_holds_is_refused_in_any_line(self) -> None:
        with pytest.raises(ValidationError):
            OptionValues().clean("S\nM\0")
