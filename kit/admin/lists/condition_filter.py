"""Filters of a list by conditions that its columns do not state."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from django.contrib.admin import SimpleListFilter
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest


class ConditionFilter(SimpleListFilter):
    """labels: of the choices that are called otherwise than the value in the address."""

    labels: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def conditions(self) -> Mapping[str, Q]:
        """The condition of each choice, by its value in the address."""

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(value, self.labels.get(value, value.capitalize())) for value in self.conditions()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(self.conditions().get(self.value() or "", Q()))
