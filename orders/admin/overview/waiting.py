"""The orders that wait for staff, on the overview."""

from django.urls import reverse

from kit.admin.pages.dashboard import Panel, counted, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from orders.admin.to_do import ToDoFilter, tasks
from orders.models import Order


@panel
def waiting_panel(actor: Actor) -> Panel | None:
    """The number of orders for each task. One statement per task."""
    if not actor.may("orders.view_order"):
        return None
    rows, address = Order.objects.visible_to(actor), reverse("admin:orders_order_changelist")
    return Panel(
        section=Section.ORDERS,
        title="To do",
        rank=0,
        is_wide=True,
        figures=tuple(
            counted(rows.filter(condition), task.label, f"{address}?{ToDoFilter.parameter_name}={task.value}")
            for task, condition in tasks().items()
        ),
    )
