"""No form of the admin site overwrites a field that was saved since the form was opened."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db import IntegrityError, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.kit.admin.forms import errors, filled_in
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

NOT_COMPARED = {"stocked_quantity", "incoming_quantity"}
"""The fields that are saved as differences; see test_conflicts.TestStock."""


def other_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Another value that the column can hold; None if there is none."""
    if isinstance(field, models.ForeignKey):
        return field.related_model._base_manager.exclude(pk=value).values_list("pk", flat=True).first()
    if isinstance(field, models.BooleanField):
        return not value
    if field.choices:
        return next(choice for choice, _ in field.flatchoices if choice != value)
    if isinstance(field, models.DateTimeField):
        return (value or timezone.now()) + timedelta(days=1)
    if isinstance(field, models.IntegerField | models.DecimalField):
        return (value or 0) + 1
    if isinstance(field, models.JSONField):
        return [*value, "other"] if isinstance(value, list) else {"other": 1}
    is_text = isinstance(field, models.CharField | models.TextField)
    return "zz" if is_text and not field.primary_key else None


def change_columns(form: Any, *, but: str = "") -> set[str]:
    """Change the columns that the form has fields for, except `but`, as another program. Returns their names."""
    columns = {column.name: column for column in form.instance._meta.concrete_fields}
    changed = set()
    for name in form.fields.keys() & columns.keys() - NOT_COMPARED - {but}:
        value = other_value(columns[name], getattr(form.instance, columns[name].attname))
        if value is None:
            continue
        try:
            with transaction.atomic():
                type(form.instance)._base_manager.filter(pk=form.instance.pk).update(**{columns[name].attname: value})
            changed.add(name)
        except IntegrityError:  # a constraint ties the column to others
            continue
    return changed


def change_links(form: Any) -> set[str]:
    """Link the row to one more row of each kind, or to none, as another program. Returns the names of the fields."""
    changed = set()
    for link in form.instance._meta.many_to_many:
        if link.name in form.fields:
            linked = getattr(form.instance, link.name)
            if other := link.related_model._base_manager.exclude(pk__in=linked.values("pk")).first():
                linked.add(other)
            elif linked.exists():
                linked.clear()
            else:
                continue
            changed.add(link.name)
    return changed


def change_all(page: Any) -> set[str]:
    """Change what the page shows of the row and its parts. Returns the fields that must now be refused."""
    expected = change_columns(page.context["adminform"].form) | change_links(page.context["adminform"].form)
    for table in page.context["inline_admin_formsets"]:
        for form in table.formset.initial_forms:
            of_parent = table.formset.fk.name
            expected |= {f"{form.prefix}-{name}" for name in change_columns(form, but=of_parent)}
    return expected


def savable_page(client: Client, model: type[models.Model]) -> Any:
    """The page of the first of a few rows whose form can be saved; None where there is none."""
    address = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
    for row in model._default_manager.order_by("-pk")[:3]:
        page = client.get(reverse(address, args=[quote(row.pk)]))
        if page.status_code == 200 and page.context.get("show_save"):
            return page
    return None


def test_every_form_refuses_each_field_that_another_program_has_changed() -> None:
    client = superuser()
    build_shop(client.user)
    missed, compared = {}, {}
    for model in admin.site._registry:
        page = savable_page(client, model)
        if page is None:
            continue
        expected = change_all(page)
        answer = client.post(page.request["PATH_INFO"], filled_in(page))
        refused = errors(answer) if answer.status_code == 200 else {}
        compared[model._meta.label] = len(expected)
        if expected - refused.keys():
            missed[model._meta.label] = (answer.status_code, expected - refused.keys())
    assert missed == {}, missed
    assert len(compared) >= 24, compared
    assert sum(compared.values()) > 100, compared
