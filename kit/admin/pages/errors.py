"""Errors that signed-in staff see as a page with the menu; for everybody else, kit/rest/responses/errors.py decides."""

from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views import csrf

from kit.admin.pages.missing_permission import missing_permission, permitted_act
from kit.rest.responses import errors


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403: what the user lacks, and which roles have it."""
    if not _is_for_staff(request):
        return errors.permission_denied(request, exception)
    permission = missing_permission(request)
    if permission is None:
        return _page(request, 403, "Not allowed", "The shop does not allow this here, or not in the present state.")
    act = permitted_act(permission)
    app_label, _, codename = permission.partition(".")
    roles = Group.objects.filter(permissions__content_type__app_label=app_label, permissions__codename=codename)
    names = list(roles.order_by("name").values_list("name", flat=True))
    help_text = f"These roles may: {', '.join(names)}." if names else "No role may."
    return _page(
        request,
        403,
        f"You may not {act}",
        f"None of your roles has the permission to {act}.",
        f"{help_text} A superuser can change your roles, or what they may do.",
    )


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    if not _is_for_staff(request):
        return errors.page_not_found(request, exception)
    return _page(
        request,
        404,
        "Page not found",
        "Nothing is at this address.",
        "Ctrl+K finds pages, products, orders and customers.",
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """For settings.CSRF_FAILURE_VIEW: a form from before the user signed in again, or without its cookie."""
    if not _is_for_staff(request):
        return csrf.csrf_failure(request, reason)
    text = "Nothing was saved: you have signed in again since the page was opened, or the browser has lost its cookies."
    return _page(
        request, 403, "This form is out of date", text, "Go back, copy what you entered, reload and send it again."
    )


def _is_for_staff(request: HttpRequest) -> bool:
    """Whether a page of the admin site was asked for by a browser in which a member of staff has signed in."""
    is_page = request.path.startswith(reverse("admin:index")) and "text/html" in request.headers.get("Accept", "")
    return is_page and hasattr(request, "user") and admin.site.has_permission(request)


def _page(request: HttpRequest, status: int, title: str, text: str, help_text: str = "") -> HttpResponse:
    context = {**admin.site.each_context(request), "title": title, "text": text, "help": help_text}
    return render(request, "admin/error.html", context, status=status)
