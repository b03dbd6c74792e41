"""The admin site: the theme's, with pickers that distinguish rows of the same name."""

from typing import Any

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.db.models import Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from unfold.sites import UnfoldAdminSite

from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.kept_list import keeping_list
from kit.admin.pages.palette import palette
from kit.rest.requests.origins import is_for_staff

_LISTED = "commerce.listed_apps"


class Picker(AutocompleteJsonView):
    """The choices for the letters typed so far, labelled by the picked model's own screen."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        screen = self.model_admin
        self.labels = screen.labels(context["object_list"]) if isinstance(screen, BaseAdmin) else {}
        return context

    def serialize_result(self, obj: Model, to_field_name: str) -> dict[str, str]:
        return {**super().serialize_result(obj, to_field_name), "text": self.labels.get(obj.pk, str(obj))}


class Site(UnfoldAdminSite):  # type: ignore[misc]
    """The only admin site of the server."""

    index_title = "Overview"
    final_catch_all_view = False  # an unknown address is a 404 immediately; Django would require a login first

    def has_permission(self, request: HttpRequest) -> bool:
        """Pages of other origins get the login page, like requests without a session."""
        return is_for_staff(request) and bool(super().has_permission(request))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Computed once a request: both the theme and our menu need it, and it checks four permissions a model."""
        if app_label is not None:
            return super().get_app_list(request, app_label)  # type: ignore[no-any-return]
        if _LISTED not in request.META:
            request.META[_LISTED] = super().get_app_list(request)
        listed: list[Any] = request.META[_LISTED]
        return listed

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(keeping_list(view), cacheable)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        return Picker.as_view(admin_site=self)(request)

    def search(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponseBase:
        return palette(request)
