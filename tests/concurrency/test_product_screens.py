"""Two members of staff who write one product on the admin site at the same moment."""

import json
import threading
from contextlib import suppress

import pytest
from django.contrib import admin

from catalog.admin.products.products import ProductAdmin
from catalog.models import Product, ProductVariant
from kit.admin.history import conflicts
from tests.concurrency.crowd import at_once
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.kit.admin.forms import errors, row, sent
from tests.kit.admin.visits import history, superuser

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_equal_variants_one_is_made(monkeypatch):
    screen, middle = admin.site.get_model_admin(Product), threading.Barrier(2)
    save = screen.save_related

    def save_together(*given):
        """After both forms were found good, where nothing keeps one of them waiting."""
        with suppress(threading.BrokenBarrierError):
            middle.wait(timeout=1)
        save(*given)

    monkeypatch.setattr(screen, "save_related", save_together)
    size = OptionFactory(title="Size", values=["S", "M"])
    small, medium = size.values.order_by("pk")
    VariantFactory(product=size.product, title="Small", options=[small])
    address = f"/admin/catalog/product/{size.product_id}/change/?tables=1"
    clients = [superuser(), superuser()]
    forms = [
        row(sent(client, address), "variants", title=title, variant_rank="1", **{f"option_{size.pk}": medium.pk})
        for client, title in zip(clients, ("Medium", "Middle"), strict=True)
    ]
    answers = at_once(lambda number: clients[number].post(address, forms[number]), threads=2)
    assert sorted(answer.status_code for answer in answers) == [200, 302]
    assert ProductVariant.objects.filter(options=medium).count() == 1
    assert len(history()) == 1


def test_of_two_forms_of_one_product_that_are_sent_at_once_one_is_saved():
    product, clients = ProductFactory(title="Tea"), [superuser(), superuser()]
    address = f"/admin/catalog/product/{product.pk}/change/"
    titles = ("Assam", "Ceylon")
    forms = [sent(client, address, title=title) for client, title in zip(clients, titles, strict=True)]
    answers = at_once(lambda number: clients[number].post(address, forms[number]), threads=2)
    saved = next(number for number, answer in enumerate(answers) if answer.status_code == 302)
    (text,) = errors(answers[1 - saved])["title"]
    assert text.startswith(f"Current value: {titles[saved]}. Saved by {clients[saved].user} at ")
    assert (Product.objects.get().title, len(history())) == (titles[saved], 1)


@pytest.mark.postgresql
def test_without_the_lock_both_are_saved(monkeypatch):
    """The proof can fail: what is compared has to be read once the row is locked. SQLite has one writer at a time."""
    monkeypatch.setattr(ProductAdmin, "lock", lambda screen, row: None)
    middle, compare = threading.Barrier(2), conflicts.refuse_differing

    def compare_together(*given):
        middle.wait(timeout=20)
        return compare(*given)

    monkeypatch.setattr(conflicts, "refuse_differing", compare_together)
    with pytest.raises(AssertionError):
        test_of_two_forms_of_one_product_that_are_sent_at_once_one_is_saved()


def test_a_deleted_product_comes_back_by_its_button():
    variant, client = VariantFactory(), superuser()
    address = f"/admin/catalog/product/{variant.product_id}/"
    client.post(f"{address}delete/", {"post": "yes"})
    client.post(f"{address}restore/", {"post": "yes"})
    assert ProductVariant.objects.not_deleted().get() == variant


def test_of_two_grids_that_change_one_cell_at_once_one_is_saved_and_the_other_sees_it():
    variant, clients = VariantFactory(sku="old"), [superuser(), superuser()]
    address = f"/admin/catalog/product/{variant.product_id}/change/"
    cells = [{"sku": ["old", f"new-{number}"], "barcode": ["", str(number)]} for number in range(2)]
    grids = [json.dumps({"variants": [{"id": variant.pk, "cells": each}], "deleted": []}) for each in cells]
    forms = [sent(client, address, grid=grid) for client, grid in zip(clients, grids, strict=True)]
    answers = at_once(lambda number: clients[number].post(address, forms[number]), threads=2)
    saved = next(number for number, answer in enumerate(answers) if answer.status_code == 302)
    faults = answers[1 - saved].context["adminform"].form.page()["faults"]
    assert [(fault["column"], fault["current"]) for fault in faults] == [
        ("sku", f"new-{saved}"),
        ("barcode", str(saved)),
    ]
    variant.refresh_from_db()
    assert (variant.sku, variant.barcode, len(history())) == (f"new-{saved}", str(saved), 1)
