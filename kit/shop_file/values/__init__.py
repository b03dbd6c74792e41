"""What the fields of a shop file may hold."""

from kit.shop_file.values.numbers import Amount, Integer, Number, Percent, written
from kit.shop_file.values.objects import ByKey, Entry, Metadata, Object, Objects, Texts, read_object
from kit.shop_file.values.scalars import Boolean, Choice, DateTime, Day, Id, Text
from kit.shop_file.values.value import InvalidValue, Value

__all__ = [
    "Amount",
    "Boolean",
    "ByKey",
    "Choice",
    "DateTime",
    "Day",
    "Entry",
    "Id",
    "Integer",
    "InvalidValue",
    "Metadata",
    "Number",
    "Object",
    "Objects",
    "Percent",
    "Text",
    "Texts",
    "Value",
    "read_object",
    "written",
]
