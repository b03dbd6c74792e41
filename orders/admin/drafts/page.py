"""The page of a draft: its form, and what follows when that is submitted."""

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.kept_list import with_list
from kit.admin.request_actor import request_actor
from kit.values.shown_dates import shown_moment
from orders.admin.drafts.form import DraftForm
from orders.admin.drafts.submission import DISCARD, Submitted, discard, submit
from orders.common.open_edit import open_change_of_draft
from orders.drafts.conversion import CONVERTING
from orders.models import DraftOrder, Order
from staff.authors import author_names


def draft_page(screen: BaseAdmin[DraftOrder], request: HttpRequest, draft: DraftOrder | None) -> HttpResponse:
    """The form of the draft, or of a new one. Redirects once it was saved, or became an order."""
    actor = request_actor(request)
    if request.method == "POST" and draft is not None and DISCARD in request.POST:
        discard(request, draft, actor)
        return redirect(screen.address(draft.pk))
    form = DraftForm(request.POST if request.method == "POST" else None, draft=draft, actor=actor)
    if form.is_bound and (done := submit(request, form)) is not None:
        return _after(screen, request, done)
    opening = reverse("admin:orders_draftorder_delete", args=[quote(draft.pk)]) if draft else ""
    return screen.page(
        request,
        "orders/draft.html",
        original=draft,
        media=form.media,
        title=screen.title if draft else f"Add {screen.opts.verbose_name}",
        subtitle=draft,
        about=_about(draft),
        open_change=_begun(draft),
        form=form,
        may_convert=actor.may(CONVERTING),
        delete_url=opening and with_list(request, opening),
        list_url=with_list(request, reverse("admin:orders_draftorder_changelist")),
    )


def redirect_to_order(request: HttpRequest, cart_id: str) -> HttpResponse | None:
    """Redirects to the order that was made of the draft; None if there is none that the user may see."""
    order = Order.objects.visible_to(request_actor(request)).filter(cart_id=cart_id).first()
    if order is None:
        return None
    messages.warning(request, f"The draft became order {order}: this is its page.")
    return redirect("admin:orders_order_change", quote(order.pk))


def _after(screen: BaseAdmin[DraftOrder], request: HttpRequest, done: Submitted) -> HttpResponse:
    if done.order_id is None:
        messages.success(request, "The draft is saved.")
        return redirect(screen.address(done.draft_id))
    order = Order.objects.get(pk=done.order_id)
    messages.success(request, f"Order {order} was made of the draft.")
    if not Order.objects.visible_to(request_actor(request)).filter(pk=order.pk).exists():
        return redirect("admin:orders_draftorder_changelist")
    return redirect("admin:orders_order_change", quote(order.pk))


def _about(draft: DraftOrder | None) -> str:
    if draft is None:
        return "Nothing is reserved, and the customer sees nothing, before the order is created."
    by = author_names([draft.created_by])(draft.created_by) or "a program"
    return f"Created by {by}, {shown_moment(draft.created_at)}. Nothing is reserved before the order is created."


def _begun(draft: DraftOrder | None) -> str:
    """That a change was begun through the API, which has to end before another."""
    change = open_change_of_draft(draft.pk) if draft else None
    if change is None:
        return ""
    by = author_names([change.created_by])(change.created_by) or "A program"
    return f"{by} has begun to change this draft elsewhere."
