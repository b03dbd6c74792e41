"""The pages of the forms that act on an order."""

from django.contrib import messages
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.kept_list import with_list
from kit.admin.request_actor import request_actor
from kit.values.timestamps import isoformat, now
from orders.admin.actions import ACTIONS, WHOLE_ORDER, may_take
from orders.admin.forms import FORMS
from orders.admin.forms.action_form import ActionForm, stamp_of
from orders.admin.forms.submission import NotAcceptedError, changed_message, is_offered, statuses_of, submit
from orders.admin.order_state import OrderState
from orders.models import Order

_VIEW = "orders.view_order"


def action_view(
    request: HttpRequest, object_id: str, action: str, model_admin: BaseAdmin[Order], about: str = WHOLE_ORDER
) -> HttpResponse:
    """The page of the action's form. Redirects to the order once the action is done, or no longer possible."""
    if action not in FORMS:
        raise Http404
    actor = request_actor(request)
    if not (actor.may(_VIEW) and may_take(actor, ACTIONS[action])):
        raise PermissionDenied
    form = _form(request, unquote(object_id), action, unquote(about))
    address = reverse("admin:orders_order_change", args=[quote(form.order.pk)])
    if not form.is_bound and not is_offered(form, action):
        messages.error(request, f"{ACTIONS[action].label}: the order's state no longer allows this.")
        return redirect(address)
    if form.is_bound:
        try:
            level, message = submit(form, action, actor, request)
        except NotAcceptedError as reason:
            if reason.has_changed:
                form = _after_change(request, form)
        else:
            if form.shown_once:
                return model_admin.page(
                    request,
                    "orders/shown_once.html",
                    original=form.order,
                    title=f"{form.title}: {form.order}",
                    shown_once=form.shown_once,
                    message=message,
                    order_url=with_list(request, address),
                )
            messages.add_message(request, level, message)
            return redirect(address)
    return model_admin.page(
        request,
        "orders/action.html",
        original=form.order,  # whose number and link the header has, as on the order's page
        media=form.media,
        title=f"{form.title}: {form.order}, {form.order.email or 'no email'}",
        statuses=statuses_of(form.order).capitalize(),
        form=form,
        order=form.order,
        order_url=with_list(request, address),
        can_submit=is_offered(form, action),
    )


def _form(request: HttpRequest, order_id: str, action: str, about: str) -> ActionForm:
    """Raises Http404 for an unknown order, and for a fulfillment, return or payment of another order."""
    actor = request_actor(request)
    orders = Order.objects.visible_to(actor)
    order = orders.select_related("shipping_address", "billing_address", "customer").with_id(order_id)
    if order is None:
        raise Http404
    data = request.POST if request.method == "POST" else None
    return FORMS[action](data, state=OrderState(order), about=about, actor=actor)


def _after_change(request: HttpRequest, form: ActionForm) -> ActionForm:
    """The submitted form for the current order. Submitting it again acts on the current state."""
    order = Order.objects.select_related("shipping_address", "billing_address", "customer").get(pk=form.order.pk)
    data = request.POST.copy()
    shown_at = data.get("shown_at", "")
    data["shown_state"], data["shown_at"] = stamp_of(order), isoformat(now())
    fresh = type(form)(data, state=OrderState(order), about=form.about, actor=form.actor)
    fresh.is_valid()
    fresh.add_error(None, changed_message(order, shown_at))
    return fresh


ACTION_URLS = (
    ("<str:object_id>/actions/<slug:action>/", "orders_order_action", action_view),
    ("<str:object_id>/actions/<slug:action>/<str:about>/", "orders_order_action", action_view),
)
"""For `custom_urls` of the screen of orders."""
