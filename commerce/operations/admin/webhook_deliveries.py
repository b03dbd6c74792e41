"""The screens of deliveries to webhook endpoints, and of the events that are delivered."""

from operator import attrgetter

from django.contrib import admin
from django.http import HttpRequest

from commerce.operations.admin.subject_column import SubjectColumn
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.messages.outbox.models import Event
from kit.messages.webhooks.delivery.resending import resend_event
from kit.messages.webhooks.models import Delivery
from kit.values.shown_dates import shown_moment


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin[Delivery]):
    """Deliveries, the newest first."""

    section = Section.OPERATION
    icon = "outbox"
    nothing_yet = "A delivery appears here whenever an event is sent to a webhook endpoint."
    made_on = "webhooks.webhookaddress"
    columns = (SubjectColumn(attrgetter("event.about")),)
    menu_title = "Webhook deliveries"
    menu_rank = 1

    list_display = ("event_name", "about_link", "address", "state", "attempts", "error", "due", "ended_at")
    list_filter = ("status", "address", "event__name")
    list_select_related = ("event", "address")
    search_fields = ("=id", "=event__event_id", "=event__about")
    search_help_text = "Id of the delivery, the event, or what the event is about"
    actions = ("resend_selected",)
    actions_detail = ("resend",)
    fields = (
        *("event_name", "about_link", "event_id", "address", "state", "attempts", "response_status", "error"),
        *("due", "expires_at", "created_at", "ended_at", "id"),
    )

    @admin.display(description="Event", ordering="event__name")
    def event_name(self, row: Delivery) -> str:
        return row.event.name

    @admin.display(description="Event id")
    def event_id(self, row: Delivery) -> str:
        return row.event.event_id

    @label_column(description="Status", colours={"pending": "info", "delivered": "success", "failed": "danger"})
    def state(self, row: Delivery) -> str:
        return row.status

    @admin.display(description="Next try", ordering="due_at")
    def due(self, row: Delivery) -> str | None:
        return shown_moment(row.due_at) if row.ended_at is None and row.due_at else None

    # --- Sending again -----------------------------------------------------------------------------------------------

    def has_resend_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may("webhooks.change_webhookaddress")

    def resend_chosen(self, request: HttpRequest, row: Delivery) -> None:
        """Send the event of one delivery again."""
        resend_event(actor=request_actor(request), address_id=row.address_id, event_id=row.event.event_id)

    resend_selected = bulk_action(
        "resend_chosen",
        name="resend_selected",
        description="Send selected deliveries again",
        question="Send these events again?",
        participle="sent again",
        note="The event keeps its id, so that receivers recognize one that they have had.",
        permission="resend",
        order="event",
    )
    resend = row_button("resend", resend_selected, description="Send again", icon="replay")


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin[Event]):
    """Events, the newest first."""

    section = Section.OPERATION
    icon = "bolt"
    nothing_yet = "What happens to orders, payments and stock appears here, for webhooks."
    made_on = "webhooks.webhookaddress"
    columns = (SubjectColumn(),)
    menu_rank = 2

    list_display = ("name", "about_link", "event_id", "created_at", "dispatched_at")
    list_filter = ("name",)
    search_fields = ("=event_id", "=about", "=order_of")
    search_help_text = "Id of the event, or of what it is about"
    ordering = ("-number",)
    fields = ("name", "about_link", "data", "event_id", "created_at", "dispatched_at")
