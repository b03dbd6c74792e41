"""The screens of customer groups."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from customers import groups
from customers.admin.tax_exemption import TaxExemptionForm, tax_section
from customers.models import Customer, CustomerAddress, CustomerGroup
from kit.admin.actions.members import member_buttons
from kit.admin.forms.record_section import record_section
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section


@admin.register(CustomerGroup)
class CustomerGroupAdmin(SoftDeletionAdmin[CustomerGroup]):
    """Customer groups. Members are edited on the screens of customers."""

    section = Section.CUSTOMERS
    icon = "groups"
    nothing_yet = "A group has prices, promotions or a tax exemption of its own. Its members are chosen on their pages."
    made_on = "customers.customer"
    verbs = groups.VERBS
    buttons = member_buttons(
        Customer._meta.get_field("groups"), searched_like=CustomerAddress._meta.get_field("customer")
    )
    form = TaxExemptionForm
    deletion_note = "Its customers stay members: their membership counts again once the group is restored."

    list_display = ("name", "members", "updated_at")
    list_filter = (DeletionFilter,)
    search_fields = ("name", "=id")
    search_help_text = "Name or id"
    ordering = ("name",)
    fieldsets = (
        (None, {"fields": ("name",)}),
        tax_section(),
        record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
    )

    @admin.display(description="Customers")
    def members(self, row: Any) -> int:
        return int(row.members)

    def get_queryset(self, request: HttpRequest) -> QuerySet[CustomerGroup]:
        rows: QuerySet[CustomerGroup] = super().get_queryset(request)
        return rows.annotate(members=Count("customers"))
