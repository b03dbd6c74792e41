"""What staff see when another transaction holds the row of their form for longer than a request waits."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.db.models import Model

from commerce.kit.admin.conflicts import BUSY
from tests.admin.forms import sent, submit
from tests.admin.visits import history, refusals, reported, superuser
from tests.concurrency.test_idempotency import short_wait
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def held(row: Model) -> Iterator[None]:
    """By a transaction of another connection; on SQLite, that holds the whole database."""
    other = connection.copy()
    with other.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("BEGIN")
            cursor.execute(f"SELECT 1 FROM {row._meta.db_table} WHERE id = %s FOR UPDATE", [row.pk])
        else:
            cursor.execute("BEGIN IMMEDIATE")
        with short_wait():
            yield
        cursor.execute("ROLLBACK")
    other.close()


@pytest.mark.postgresql
def test_a_form_comes_back_with_what_was_entered_and_can_be_sent_again() -> None:
    product, client = ProductFactory(title="Tea"), superuser()
    page = f"/admin/catalog/product/{product.pk}/change/"
    values = sent(client, page, title="Assam")
    with held(product):
        answer = client.post(page, values)
        assert (refusals(answer), answer.context["adminform"].form["title"].value()) == ([BUSY], "Assam")
    product.refresh_from_db()
    assert (product.title, history()) == ("Tea", [])
    submit(client, page, values)
    product.refresh_from_db()
    assert product.title == "Assam"


@pytest.mark.postgresql
def test_the_form_of_a_screen_that_writes_through_a_verb_comes_back_too() -> None:
    category, client = CategoryFactory(name="Tea"), superuser()
    page = f"/admin/catalog/productcategory/{category.pk}/change/"
    values = sent(client, page, name="Coffee")
    with held(category):
        assert refusals(client.post(page, values)) == [BUSY]
    submit(client, page, values)
    category.refresh_from_db()
    assert category.name == "Coffee"


def test_a_deletion_by_a_verb_is_refused_with_a_message() -> None:
    category, client = CategoryFactory(), superuser()
    with held(category):
        answer = client.post(f"/admin/catalog/productcategory/{category.pk}/delete/", {"post": "yes"})
        assert reported(answer) == [BUSY]
    category.refresh_from_db()
    assert category.deleted_at is None


def test_any_other_page_is_a_409() -> None:
    group, client = Group.objects.create(name="Night"), superuser()
    client.raise_request_exception = False
    with held(group):
        answer = client.post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"})
    assert (answer.status_code, answer.json()["type"]) == (409, "QueryRunnerAlreadyReleasedError")
    assert Group.objects.filter(pk=group.pk).exists()
