"""The screens of campaigns."""

from django.contrib import admin

from carts.models import Campaign
from carts.promotions.campaign_editing import VERBS
from carts.states import BudgetType
from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from kit.values.written_amounts import written
from shop.admin.currency_choices import put_shop_currencies_first


class CampaignForm(SoftDeletionForm):
    """The verbs check what a budget needs, and name the field."""

    class Meta:
        help_texts = {
            "campaign_identifier": "A name for reports that no other campaign has, such as spring-2027.",
            "budget_type": "Of completed carts, or of what the promotions take off.",
            "budget_limit": "A number of carts, or an amount in the currency. Once used up, none of them applies.",
            "budget_currency": "Of a budget to spend: its promotions have this currency, too.",
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "budget_currency" in self.fields:
            put_shop_currencies_first(self.fields["budget_currency"], stored=self.instance.budget_currency_id)

    def _get_validation_exclusions(self) -> set[str]:
        """All: the verbs check columns and constraints, and name the field."""
        return {field.name for field in Campaign._meta.get_fields()}


@admin.register(Campaign)
class CampaignAdmin(SoftDeletionAdmin[Campaign]):
    """Promotions that share dates and a budget; which ones, their own pages say."""

    section = Section.CATALOGUE
    icon = "campaign"
    nothing_yet = "A campaign gives promotions dates and a budget in common. You choose it on the promotions' pages."
    verbs = VERBS
    form = CampaignForm
    deletion_note = "Its promotions go on without its dates and budget."
    shows_deleted = False
    actions = ("delete_selected",)
    actions_detail = ()

    list_display = ("name", "campaign_identifier", "starts_at", "ends_at", "budget")
    search_fields = ("name", "campaign_identifier", "=id")
    search_help_text = "Name, identifier or id"
    readonly_fields = ("budget", "id", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "campaign_identifier", "starts_at", "ends_at", "description")}),
        ("Budget", {"fields": ("budget_type", ("budget_limit", "budget_currency"), "budget")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )

    @admin.display(description="Used of its budget")
    def budget(self, row: Campaign) -> str:
        """`£40.00 of £100.00`, or `3 of 50`."""
        if row.budget_type is None:
            return ""
        used, limit = (
            None
            if amount is None
            else written(amount, row.budget_currency_id)
            if row.budget_type == BudgetType.SPEND and row.budget_currency_id
            else f"{amount:.0f}"
            for amount in (row.budget_used, row.budget_limit)
        )
        return f"{used} of {limit}" if limit else f"{used}"
