"""Buttons that other modules add to a screen, above its list or above the form of each row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse


@dataclass(frozen=True, slots=True)
class Button:
    """view: a function marked as a row_action, which gets the screen before what others get.

    may: whether the user may use it. is_offered: whether a row is in a state for it. keeps_filters: whether the view
    gets the filters of the list.
    """

    view: Callable[..., HttpResponseBase]
    may: Callable[[HttpRequest], bool]
    is_offered: Callable[[Any], bool] = lambda row: True
    keeps_filters: bool = False

    @property
    def name(self) -> str:
        """The name of the action and of its address."""
        return self.view.__name__


def enter_buttons(screen: Any) -> None:
    """Make the views and who may use them methods of the screen, where the theme looks for both."""
    for place, buttons in (("actions_detail", screen.buttons), ("actions_list", screen.list_buttons)):
        for button in buttons:
            setattr(screen, button.name, button.view)
            setattr(screen, f"has_{button.name}_permission", _permission(button))
        setattr(screen, place, tuple(dict.fromkeys([*getattr(screen, place), *(button.name for button in buttons)])))


def is_not_deleted(row: Any) -> bool:
    """For Button.is_offered; also of rows without soft deletion."""
    return getattr(row, "deleted_at", None) is None


def is_offered(screen: Any, request: HttpRequest, row: Any, name: str) -> bool:
    """Whether the row is in a state for that button, as the button says, or else the screen."""
    own = next((button for button in screen.buttons if button.name == name), None)
    return bool(own.is_offered(row) if own else screen.offers_action(request, row, name))


def keep_filters(screen: Any, request: HttpRequest, answer: HttpResponseBase) -> None:
    """Keep the filters of the list in the links of its buttons."""
    if not (isinstance(answer, TemplateResponse) and request.GET):
        return
    keeping = {button.name for button in screen.list_buttons if button.keeps_filters}
    for action in (answer.context_data or {}).get("actions_list", ()):
        if action["path"].rstrip("/").rpartition("/")[2] in keeping:
            action["path"] += f"?{request.GET.urlencode()}"


def _permission(button: Button) -> Callable[..., bool]:
    return lambda _, request, object_id=None: button.may(request)
