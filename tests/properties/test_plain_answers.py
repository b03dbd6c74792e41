"""Lists of the demo shop, with random fields, answer what plain ORM attribute access gives, row by row.

The plain answers know the serializers' declarations and each model's `visible_to`, but no plan and no SQL of the reads.
A failure names its seed and its `fields`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db.models import ExpressionWrapper, Model, QuerySet
from rest_framework import serializers

from commerce.operations.management.commands.demo import SHOP
from customers.models import Customer
from kit.domain.actor import Actor
from kit.query.selection import MAX_DEPTH, Selection
from kit.reads.declarations import computed
from kit.reads.declarations.fields import Relation, ResourceSerializerClass, ToMany, ToOne
from kit.reads.plans.parent_links import ROOT, ParentLink, reference_keys
from kit.values.money import MoneyField
from shop.models import Store
from staff.actors import staff_actor
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, importer, storefront
from tests.contract.routes import shopper
from tests.contract.test_parity import PLACES, Place, fill
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import token_of
from tests.factories.staff import UserFactory
from tests.walks import walks

pytestmark = pytest.mark.django_db
SEEDS = range(walks(1))
ROWS = 20


@pytest.fixture(scope="module", autouse=True)
def shop(make_once: MakeOnce) -> None:
    """The demo shop, and some of everything that it does not have, such as orders."""
    make_once(lambda: (call_command("load_shop", str(SHOP), verbosity=0), fill()))


@dataclass
class Plain:
    """Answers of one caller. context: what the resource's computed values depend on."""

    actor: Actor
    context: dict[str, Any]

    def visible(self, model: type[Model]) -> "QuerySet[Any]":
        rows: QuerySet[Any] = model.objects.visible_to(self.actor)  # type: ignore[attr-defined]
        return rows

    def answer(
        self, serializer_class: ResourceSerializerClass, selection: Selection, row: Any, link: ParentLink = ROOT
    ) -> dict[str, Any]:
        fields = serializer_class._declared_fields
        shown = {name: self.value(fields[name], name, row) for name in selection.scalars}
        for name, below in selection.relations:
            if reference_keys(below) is not None and link.leads_back(serializer_class, name):
                shown[name] = reference(row, fields[name])
            else:
                shown[name] = self.related(fields[name], below, row, link)
        return shown

    def value(self, field: Any, name: str, row: Any) -> Any:
        match field:
            case computed.ConstantField():
                return field.value
            case computed.RowField():
                value = field.compute(*(raw(row, each) for each in field.columns))
                is_amount = isinstance(field.output_field, computed.MoneyValue) and value is not None
                return as_json(field.output_field, Decimal(value) / 10_000 if is_amount else value)
            case computed.SqlField():
                rows: QuerySet[Any] = QuerySet(type(row)).filter(pk=row.pk)
                is_amount = isinstance(field.output_field, computed.MoneyValue)
                value = ExpressionWrapper(field.expression, MoneyField()) if is_amount else field.expression
                return as_json(field.output_field, rows.values_list(value, flat=True).get())
            case computed.BatchField():
                return as_json(field.output_field, self.loaded(field, None, row))
        return as_json(field, getattr(row, field.source or name))

    def loaded(self, field: Any, below: Selection | None, row: Any) -> Any:
        values = tuple(attribute(row, each) for each in field.columns)
        (value,) = field.load(computed.Batch([values], self.actor, dict(self.context), below))
        return value

    def related(self, relation: Relation, below: Selection, row: Any, link: ParentLink) -> Any:
        to = relation.to()
        match relation:
            case computed.RowObject():
                return {name: self.value(to._declared_fields[name], name, row) for name in below.scalars}
            case computed.BatchRelation():
                return picked(relation, below, self.loaded(relation, below, row))
            case ToOne():
                rows = self.visible(to.Meta.model).filter(**{relation.far or "pk": getattr(row, relation.key)})
                if relation.select_related is not None:
                    rows = QuerySet(to.Meta.model).filter(pk=getattr(row, relation.key), deleted_at=None)
                one = rows.first()
                return one and self.answer(to, below, one, link.down(type(row), relation))
            case ToMany():
                rows = self.visible(to.Meta.model).filter(**{relation.key: row.pk})
                inside = link.down(type(row), relation)
                return [self.answer(to, below, each, inside) for each in in_order(rows, relation.order)]
        raise TypeError(relation)


def attribute(row: Any, path: str) -> Any:
    for name in path.split("__"):
        row = None if row is None else getattr(row, name)
    return row


def raw(row: Any, path: str) -> Any:
    """The value as the database has it: amounts in 1/10,000."""
    value = attribute(row, path)
    return int(value * 10_000) if isinstance(value, Decimal) else value


def reference(row: Any, relation: Any) -> dict[str, Any] | None:
    key = getattr(row, relation.key)
    return None if key is None else {"id": key}


def as_json(field: Any, value: Any) -> Any:
    if isinstance(value, datetime):
        moment = value.astimezone(UTC)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(field, computed.PictureAddress) and value is not None:
        return f"{settings.PUBLIC_URL}{value}" if value.startswith("/") else value
    if isinstance(field, serializers.BooleanField) and value is not None:
        return bool(value)
    return value


def picked(relation: Any, below: Selection, value: Any) -> Any:
    """The selected names of what a call has loaded."""
    if relation.many:
        return [chosen(relation.to(), below, each) for each in value]
    return None if value is None else chosen(relation.to(), below, value)


def chosen(serializer_class: ResourceSerializerClass, selection: Selection, value: Any) -> dict[str, Any]:
    fields = serializer_class._declared_fields
    return {name: value[name] for name in selection.scalars} | {
        name: picked(fields[name], below, value[name]) for name, below in selection.relations
    }


def in_order(rows: "QuerySet[Any]", columns: Sequence[str]) -> list[Any]:
    """Python sorts: by code point, what has no value last, or first where descending."""
    found = sorted(rows, key=lambda row: row.pk)
    for column in reversed(columns):
        name = column.removeprefix("-")
        found.sort(
            key=lambda row: ((value := attribute(row, name)) is None, 0 if value is None else value),
            reverse=column.startswith("-"),
        )
    return found


def paths(serializer_class: ResourceSerializerClass, depth: int) -> Iterator[str]:
    """Every scalar, and every relation with a star, down to that depth."""
    for name, field in serializer_class._declared_fields.items():
        if not isinstance(field, Relation):
            yield name
        elif depth:
            yield f"*{name}"
            for below in paths(field.to(), depth - 1):
                star, path = ("*", below[1:]) if below.startswith("*") else ("", below)
                yield f"{star}{name}.{path}"


def asked_by(place: Place) -> tuple[Caller, Actor]:
    """Who reads there: a storefront, the customer who has orders, or a superuser."""
    if place.caller == "admin":
        user = UserFactory(is_superuser=True)
        return importer(secret_key(user)), staff_actor(user)
    key = publishable_key(title="Plain")
    channel = Store.objects.get().default_sales_channel_id
    if place.caller == "store":
        return storefront(key), Actor("anonymous", None, (channel,), key.key.pk)
    customer: Customer = shopper()
    token = token_of(customer)
    headers = {"x_publishable_api_key": key.token, "Authorization": f"Bearer {token}"}
    return Caller(**headers), Actor("customer", customer.pk, (channel,), key.key.pk)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PLACES)
def test_a_list_is_what_plain_attribute_access_gives(name: str, seed: int) -> None:
    place = PLACES[name]
    resource, dice = place.resource, random.Random(f"{name} {seed}")  # noqa: S311 - a seeded one comes again
    offered = list(paths(resource.serializer_class, min(2, MAX_DEPTH)))
    fields = ",".join(dice.sample(offered, min(len(offered), dice.randint(1, 12))))
    caller, actor = asked_by(place)
    response = caller.get(place.path, f"fields={fields}&limit={ROWS}&order={resource.key}")
    assert response.status_code == 200, (fields, response.content)
    context = resource.context_parameters.parse({}, actor) if resource.context_parameters else {}
    plain = Plain(actor, dict(context))
    own = {"customer_id": actor.id} if name == "orders" else {}  # others are shown by id alone
    rows = in_order(plain.visible(resource.serializer_class.Meta.model).filter(**own), [])
    selection = resource.list_field_set.parse(fields)
    expected = [plain.answer(resource.serializer_class, selection, row) for row in rows[:ROWS]]
    expected = orjson.loads(orjson.dumps(expected))  # calls may give JSON that is written already
    assert response.json()[resource.plural] == expected, f"seed {seed}: {fields}"
    assert response.json()["count"] == len(rows)
