"""Forms of the admin site, as a browser fills them in and sends them."""

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from kit.admin.history.shown_values import NAME

Values = dict[str, list[str]]
AMOUNTS = ("amount", "value", "custom_amount")


class _Fields(HTMLParser):
    """What a browser would send of the page's largest form, untouched."""

    def __init__(self) -> None:
        super().__init__()
        self.values: Values = {}
        self._select: tuple[str, bool] | None = None
        self._textarea: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name")
        if tag == "input" and name and self._is_sent(given):
            self.values.setdefault(name, []).append(given.get("value") or ("on" if _is_box(given) else ""))
        elif tag == "select" and name:
            self._select = (name, "multiple" in given)
        elif tag == "option" and self._select and "selected" in given:
            self.values.setdefault(self._select[0], []).append(given.get("value") or "")
        elif tag == "textarea" and name:
            self._textarea = name
            self.values[name] = [""]

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            name, is_multiple = self._select
            if not is_multiple:
                self.values.setdefault(name, [""])
            self._select = None
        elif tag == "textarea" and self._textarea:
            self.values[self._textarea] = [self.values[self._textarea][0].replace("\n", "\r\n")]
            self._textarea = None

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.values[self._textarea][0] += data.removeprefix("\n") if not self.values[self._textarea][0] else data

    @staticmethod
    def _is_sent(given: dict[str, str | None]) -> bool:
        if given.get("type") in ("submit", "button") or "disabled" in given:
            return False
        return not _is_box(given) or "checked" in given


def _is_box(given: dict[str, str | None]) -> bool:
    return given.get("type") in ("checkbox", "radio")


def sent(client: Client, address: str, /, **changes: Any) -> Values:
    """The page's form as it would be sent, with the changes; None is left out, as a box that is not ticked.

    A form that moves money has been confirmed.
    """
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return confirmed(client, address, changed(filled_in(answer), **changes))


def confirmed(client: Client, address: str, values: Values) -> Values:
    """The values with the answer to what the page asks about them; unchanged where it asks nothing.

    Without an amount it would carry them out instead of asking.
    """
    if "confirmed" not in values or not any(values.get(name, [""])[0] for name in AMOUNTS):
        return values
    asked = filled_in(client.post(address, values)).get("confirmed", [""])
    return {**values, "confirmed": asked}


def filled_in(answer: Any) -> Values:
    """The values of the page's form."""
    page = _Fields()
    page.feed(answer.content.decode())
    return {name: value for name, value in page.values.items() if "__prefix__" not in name and name != "q"}


def changed(values: Values, /, **changes: Any) -> Values:
    """The values with the changes."""
    merged = {**values, **{name: value if isinstance(value, list) else [value] for name, value in changes.items()}}
    return {name: value for name, value in merged.items() if value != [None]}


def row(values: Values, prefix: str, /, **cells: Any) -> Values:
    """The values with one row more in the table of that prefix."""
    number = int(values[f"{prefix}-TOTAL_FORMS"][0])
    named = {f"{prefix}-{number}-{name}": cell for name, cell in cells.items()}
    return changed(values, **named, **{f"{prefix}-TOTAL_FORMS": str(number + 1)})


def save(client: Client, address: str, values: Mapping[str, Any]) -> Any:
    """Send these values as the page's whole form, with the digests of what it shows."""
    page = client.get(address)
    return client.post(address, {NAME: page.context[NAME], **values} if page.status_code == 200 else values)


def submit(client: Client, address: str, values: Values) -> Any:
    """Send the form; it must be taken."""
    answer = client.post(address, values)
    assert answer.status_code == 302, errors(answer)
    return answer


def errors(answer: Any) -> dict[str, list[str]]:
    """The errors of the form that is shown again, by field; "" stands above the form, "images" above its table."""
    assert answer.status_code == 200, answer.status_code
    form = answer.context["adminform"].form
    reported = {"" if name == "__all__" else name: list(texts) for name, texts in form.errors.items()}
    for table in answer.context["inline_admin_formsets"]:
        formset = table.formset
        if formset.non_form_errors():
            reported[formset.prefix] = list(formset.non_form_errors())
        for part in formset.forms:
            reported |= {f"{part.prefix}-{name}": list(texts) for name, texts in part.errors.items()}
    return reported
