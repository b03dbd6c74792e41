"""The orders that wait for staff, on the overview."""

from django.urls import reverse

from kit.admin.pages.dashboard import Panel, counted, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from orders.admin.to_do import ToDoFilter, tasks
from orders.models import Order


@panel("orders.view_order")
def waiting_panel(actor: Actor) -> Panel:
    """The number of orders for each task. One statement per task."""
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
