"""What the fields of a shop file may hold."""

from commerce.kit.shop_file.values.numbers import Amount, Number, Percent, WholeNumber, written
from commerce.kit.shop_file.values.objects import ByKey, Entry, Metadata, Object, Objects, Texts, read_object
from commerce.kit.shop_file.values.scalars import Choice, Flag, Id, Moment, Text
from commerce.kit.shop_file.values.value import Misfit, Value

__all__ = [
    "Amount",
    "ByKey",
    "Choice",
    "Entry",
    "Flag",
    "Id",
    "Metadata",
    "Misfit",
    "Moment",
    "Number",
    "Object",
    "Objects",
    "Percent",
    "Text",
    "Texts",
    "Value",
    "WholeNumber",
    "read_object",
    "written",
]
