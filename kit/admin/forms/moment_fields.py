"""The form fields of days and moments: the browser's own, which send ISO 8601, whatever a country writes first.

Why: docs/decisions/staff.md#dates-as-people-type-them.
"""

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.utils import from_current_timezone
from django.utils.timezone import get_current_timezone_name, localtime
from unfold.widgets import INPUT_CLASSES

from kit.admin.forms.read_back import ReadBack
from kit.values.days import END_OF_DAY, day_of, first_moment, last_moment, moment_of

_YEARS = (MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31)))
_NO_DAY = "Enter a date, such as 2027-05-12."
_NO_TIME = "Enter a time, such as 08:30."
_CLASSES = " ".join(INPUT_CLASSES)


class DayWidget(forms.DateInput):
    """A day, and the time zone in which it begins and ends."""

    input_type = "date"
    template_name = "commerce/day.html"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"class": _CLASSES, **(attrs or {})}, format="%Y-%m-%d")

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return {**super().get_context(name, value, attrs), "zone": get_current_timezone_name()}


class DayField(forms.DateField):
    """A day."""

    widget = DayWidget
    default_validators = [*_YEARS]

    def to_python(self, value: Any) -> date | None:
        if not isinstance(value, str) or not value.strip():
            return super().to_python(value)
        day = day_of(value.strip())
        if day is None:
            raise ValidationError(_NO_DAY, code="invalid")
        return day


class MomentWidget(forms.MultiWidget):
    """A day and a time, and their time zone. is_end: what a day without a time means."""

    template_name = "commerce/moment.html"
    is_end = False

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        day = forms.DateInput({"type": "date", "class": _CLASSES})
        hour = forms.TimeInput({"type": "time", "step": "any", "class": _CLASSES, "aria-label": "Time"})
        super().__init__([day, hour], attrs)

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0" if id_ else ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        shown = super().get_context(name, value, attrs)
        return {**shown, "zone": get_current_timezone_name(), "is_end": self.is_end}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:  # type: ignore[override]
        day, hour = (str(part or "").strip() for part in super().value_from_datadict(data, files, name))
        return f"{day}T{hour}" if hour else day

    def decompress(self, value: Any) -> list[str]:
        """The texts of a moment to the second, or of what was sent. The end of a day has no time."""
        if not isinstance(value, datetime):
            day, _, hour = str(value or "").partition("T")
            return [day, hour]
        local = localtime(value)
        is_whole = self.is_end and local.time() == END_OF_DAY
        return [local.date().isoformat(), "" if is_whole else local.time().isoformat("seconds")]


class MomentField(ReadBack, forms.DateTimeField):
    """A moment in the shop's time zone, or in that of the text. Without a time, a day counts from its beginning.

    is_end: an end counts to the end of the day.
    """

    widget: Any = MomentWidget

    def __init__(self, *, is_end: bool = False, **kwargs: Any) -> None:
        self.is_end = is_end
        super().__init__(**kwargs)
        self.widget.is_end = is_end

    def prepare_value(self, value: Any) -> Any:
        return value

    def rendered(self, initial: object) -> str:
        return "T".join(filter(None, self.widget.decompress(initial)))

    def to_python(self, value: Any) -> datetime | None:
        if not isinstance(value, str) or not value:
            return super().to_python(value)
        day, moment = day_of(value), moment_of(value)
        if day is not None:
            return last_moment(day) if self.is_end else first_moment(day)
        if moment is None:
            has_day = day_of(value.partition("T")[0]) is not None
            raise ValidationError(_NO_TIME if has_day else _NO_DAY, code="invalid")
        return moment if moment.tzinfo else from_current_timezone(moment)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None:
            for check in _YEARS:
                check(value.date())
