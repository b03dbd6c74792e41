"""What pages of the admin site cost: `python -m tests.bench.staff_pages`, in the environment of a filled PostgreSQL.

Prints for each list (filtered and unfiltered), and for a product with 100 variants: its rows, its statements, the
milliseconds of CPU of this process and of PostgreSQL, and its kilobytes, plain and as the server sends them. Django's
test client requests the pages in this process, through all middleware. Medians of 20 requests, after five to warm up.
"""

import statistics
import sys
import time
from decimal import Decimal
from typing import Any

import django

django.setup()

from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog.models import Product
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import Cell, OptionState, ProductState, VariantState
from kit.domain.actor import SYSTEM
from staff.models import User
from tests.bench.searches import cpu

RUNS, WARM = 20, 5
CLERK = "clerk@shop.example"
LARGE = 100
"""The variants of the product whose page is measured."""


def address_of(model: Any, view: str = "changelist", *args: str) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}", args=args)


def large_product() -> str:
    """The id of a product with 100 variants, in prices and stock like the others."""
    product, is_new = Product.objects.get_or_create(handle="large", defaults={"title": "Large"})
    if not is_new:
        return product.pk
    sizes, colours = ([str(number) for number in range(10)] for _ in range(2))
    variants = [
        VariantState(
            values=[size, colour],
            attributes={"title": Cell(f"{size} / {colour}"), "sku": Cell(f"L-{size}-{colour}")},
            prices={"eur": Cell(Decimal(10))},
        )
        for size in sizes
        for colour in colours
    ]
    options = [OptionState("Size", sizes), OptionState("Colour", colours)]
    edit_products(actor=SYSTEM, states=[ProductState(product.pk, options=options, variants=variants)])
    return product.pk


def pages() -> dict[str, str]:
    """The addresses to measure, by name."""
    products = address_of(Product)
    large = large_product()
    found = {
        "the overview": reverse("admin:index"),
        f"product of {LARGE} variants": address_of(Product, "change", large),
        f"product of {LARGE}, in tables": f"{address_of(Product, 'change', large)}?tables=1",
        "products: search": f"{products}?q=durable",
        "products: published": f"{products}?status__exact=published",
        "products: low stock": f"{products}?stock=low",
        "products: by title": f"{products}?o=2",
        "products: page 3,000": f"{products}?p=3000",
        "products: prices and stock": f"{products}edit_prices_and_stock/",
    }
    for model in admin.site._registry:
        if model._default_manager.exists():
            found[f"list: {model._meta.verbose_name_plural}"] = address_of(model)
    return found


def measured(client: Client, address: str, server: int) -> str:
    costs = []
    for number in range(WARM + RUNS):
        here, there = time.process_time(), cpu(server)
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        if number >= WARM:
            costs.append(((time.process_time() - here) * 1000, cpu(server) - there))
    with CaptureQueriesContext(connection) as asked:
        plain = client.get(address)
    web, database = (statistics.median(each) for each in zip(*costs, strict=True))
    sizes = f"{len(plain.content) / 1000:8.0f}{len(answer.content) / 1000:8.0f}"
    return f"{answer.status_code:5}{len(asked):6}{web:8.1f}{database:8.1f}{sizes}"


def main() -> None:
    client = Client()
    client.force_login(User.objects.filter(is_superuser=True).first() or User.objects.create_superuser(CLERK))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server,) = cursor.fetchone()
    sys.stdout.write(f"{'':36}{'':5}{'SQL':>6}{'web':>8}{'DB':>8}{'kB':>8}{'gzip':>8}\n")
    for name, address in pages().items():
        if all(word in name for word in sys.argv[1:]):
            sys.stdout.write(f"{name:36}{measured(client, address, server)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
