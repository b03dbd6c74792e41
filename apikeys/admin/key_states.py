"""Active and revoked keys, in lists and figures."""

from django.contrib.admin import SimpleListFilter
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from kit.values.timestamps import now


def has_ended() -> Q:
    """Matches revoked keys; a revocation in the future has not happened yet."""
    return Q(revoked_at__lte=now())


class StateFilter(SimpleListFilter):
    """Active or revoked."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("active", "Active"), ("revoked", "Revoked")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        if self.value() == "active":
            return queryset.exclude(has_ended())
        return queryset.filter(has_ended()) if self.value() == "revoked" else queryset
