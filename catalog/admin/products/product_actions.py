"""What can be done with products besides editing them."""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from catalog.models import Product
from catalog.products import statuses
from catalog.products.product_editing import duplication
from catalog.products.product_editing.duplication import PERMISSIONS
from catalog.states import ProductStatus
from kit.admin.actions.bulk_action import bulk_action
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.regrouping import regroup_selected
from kit.admin.actions.row_action import row_action
from kit.admin.actions.tickets import TICKET
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button, is_not_deleted
from kit.admin.request_actor import may_all, request_actor
from kit.errors import DomainError
from kit.messages.mails.pages import link
from kit.safety.idempotency.replay import Answer, fingerprint, run_once
from kit.values.ids import new_ulid
from shop.models import Country, Store

FORM_KEYS = "catalog.admin.duplicate"
VIEWING = ("catalog.view_product", "catalog.change_product")
"""Django lets those who may change rows view them."""


GROUPS = ("collection", "categories", "tags", "sales_channels", "type")
"""What products are organised by."""

Screen = BaseAdmin[Product]


@row_action(description="View in the storefront", icon="open_in_new")
def view_in_storefront(screen: Screen, request: HttpRequest, object_id: str) -> HttpResponse:
    """Redirect to the storefront's page."""
    if not (page := storefront_page(screen.get_object_or_404(request, object_id))):
        raise Http404
    return redirect(page)


@row_action(description="Duplicate", icon="content_copy")
def duplicate(screen: Screen, request: HttpRequest, object_id: str) -> HttpResponse:
    """Ask, then open the copy. A form that is submitted twice creates one."""
    key = screen.get_object_or_404(request, object_id).pk
    if not is_confirmed(request):
        return _ask_to_duplicate(screen, request, key)
    try:
        answer = run_once(
            actor=request_actor(request).mark,
            key=f"{FORM_KEYS} {request.POST.get(TICKET) or new_ulid()}"[:255],
            fingerprint=fingerprint("POST", request.path, "", b""),
            work=partial(_duplicated, request, key),
        )
    except DomainError as refusal:
        screen.message_user(request, refusal.message, messages.ERROR)
        return redirect(screen.address(key))
    copy = Product.objects.get(pk=answer.body.decode())
    screen.message_user(request, f"{copy} was created as a draft.", messages.SUCCESS)
    return redirect(screen.address(copy.pk))


def _ask_to_duplicate(screen: Screen, request: HttpRequest, key: str) -> HttpResponse:
    rows = screen.get_queryset(request).filter(pk=key)
    question = "Duplicate this product?"
    note = "The copy is a draft with the same details, pictures, variants and prices, without codes and stock."
    return ask(
        screen, request, rows, action="duplicate", question=question, note=note, button="Duplicate", is_once=True
    )


def _duplicated(request: HttpRequest, key: str) -> Answer:
    """The id of the copy."""
    copy = duplication.duplicate(actor=request_actor(request), product_id=key)
    LogEntry.objects.log_actions(
        str(request.user.pk), [copy], ADDITION, change_message=f"Duplicated from {key}.", single_object=True
    )
    return Answer(200, copy.pk.encode())


def storefront_page(product: Product) -> str:
    """The URL of the product in the storefront, for a country of the default region; "" without a page."""
    page = settings.PRODUCT_PAGE
    region = Store.objects.values_list("default_region", flat=True).get() if "{country_code}" in page else None
    codes = Country.objects.filter(region=region).order_by("pk") if region else Country.objects.none()
    country = codes.values_list("pk", flat=True).first() or ""
    if "{country_code}" in page and not country:
        return ""
    return link(page, country_code=country, handle=product.handle, product_id=product.pk)


def publish(screen: Screen, request: HttpRequest, row: Product) -> str | None:
    """Publish one of the selected products."""
    return _set_status(request, row, ProductStatus.PUBLISHED)


def draft(screen: Screen, request: HttpRequest, row: Product) -> str | None:
    """Move one of the selected products to draft."""
    return _set_status(request, row, ProductStatus.DRAFT)


def _set_status(request: HttpRequest, row: Product, status: ProductStatus) -> str | None:
    return statuses.set_product_status(actor=request_actor(request), product_id=row.pk, status=status).message


publish_selected = bulk_action(
    "publish",
    name="publish_selected",
    description="Publish selected products",
    question="Publish the selected products?",
    participle="published",
    note="Storefronts show them in their sales channels.",
    button="Publish",
)
draft_selected = bulk_action(
    "draft",
    name="draft_selected",
    description="Move selected products to draft",
    question="Move the selected products to draft?",
    participle="moved to draft",
    note="Storefronts no longer show them.",
    button="Move to draft",
)


@admin.action(description="Organise selected products", permissions=["change"])
def organise_selected(screen: Any, request: HttpRequest, queryset: QuerySet[Product]) -> HttpResponse | None:
    """Put them into collections, categories and the like, or take them out."""
    return regroup_selected(screen, request, queryset, action="organise_selected", relations=GROUPS)


def _is_shown_in_storefront(row: Product) -> bool:
    return row.deleted_at is None and row.status == ProductStatus.PUBLISHED and bool(storefront_page(row))


BUTTONS = (
    Button(view_in_storefront, lambda request: any(map(request_actor(request).may, VIEWING)), _is_shown_in_storefront),
    Button(duplicate, may_all(*PERMISSIONS), is_not_deleted),
)
