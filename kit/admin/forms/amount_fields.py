"""The form fields of amounts, percentages, counts and measures.

Why: docs/decisions/staff.md#amounts-as-people-type-them.
"""

from decimal import Decimal
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.admin.forms.read_back import ReadBack
from kit.errors import InvalidData
from kit.values.money import exact
from kit.values.typed_amounts import ANY, PERCENT, WHOLE, NotRead, Scale, read, scale_of, without_mark, without_sign


class TypedNumber(ReadBack):
    """Mixin of the fields: a text field, since a number field of the browser drops what it does not understand.

    is_signed: whether it can be negative; the number pad of a phone has no minus, so it then shows all keys.
    """

    pad = "decimal"
    widget = UnfoldAdminTextInputWidget

    def __init__(self, *, is_signed: bool = False, **kwargs: Any) -> None:
        self.is_signed = is_signed
        super().__init__(**kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        pad = "text" if self.is_signed else self.pad
        return {**super().widget_attrs(widget), "inputmode": pad, "autocomplete": "off"}

    def scale(self) -> Scale:
        """Which numbers are possible in the form as it was sent."""
        return ANY

    def bare(self, text: str) -> str:
        """The number in a text with its unit."""
        return text

    def prepare_value(self, value: Any) -> Any:
        return f"{value:f}" if isinstance(value, Decimal) else value

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str) or not value.strip():
            return super().to_python(value)
        try:
            return super().to_python(read(self.bare(value), self.scale()))
        except NotRead as reason:
            raise ValidationError(str(reason), code="invalid") from reason


class AmountField(TypedNumber, forms.DecimalField):
    """An amount. currency_code: its currency; otherwise that of the form's field `currency`."""

    def __init__(self, *, currency_code: str = "", **kwargs: Any) -> None:
        self.currency_code = currency_code
        super().__init__(**kwargs)

    def currency(self) -> str:
        """The code; empty for an amount without a currency."""
        form = self._bound.form
        if self.currency_code or "currency" not in form.fields:
            return self.currency_code
        return str(form["currency"].value() or "").strip().lower()

    def scale(self) -> Scale:
        code = self.currency()
        return scale_of(code) if code else ANY

    def bare(self, text: str) -> str:
        code = self.currency()
        return without_sign(text, code) if code else text

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and (code := self.currency()):
            try:
                exact(value, code)
            except InvalidData as refusal:
                raise ValidationError(refusal.message, code=refusal.type) from refusal


class MovedAmount(AmountField):
    """An amount that is moved: more than 0, and no more than a column holds."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=Decimal("0.0001"), max_digits=15, decimal_places=4, **kwargs)


class PercentageField(TypedNumber, forms.DecimalField):
    """A percentage or rate. Nobody types more than 100, but the form may show more, up to `max_value`."""

    def scale(self) -> Scale:
        return PERCENT

    def bare(self, text: str) -> str:
        return without_mark(text, ("%",))

    def to_python(self, value: Any) -> Any:
        number, most = super().to_python(value), cast("Decimal | None", self.max_value)
        if isinstance(value, str) and number is not None:
            MaxValueValidator(min(PERCENT.most, most or PERCENT.most))(number)
        return number


class CountField(TypedNumber, forms.IntegerField):
    """A whole number, such as one of pieces."""

    pad = "numeric"

    def scale(self) -> Scale:
        return WHOLE


class MeasureField(TypedNumber, forms.FloatField):
    """A length or weight."""
