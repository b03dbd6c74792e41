"""The types of a JSON value, as `json.loads` returns it and a JSONField holds it.

`isinstance(value, dict)` narrows a `JSON` to a `JSONObject`. A `dict[str, str]` is not a `JSON`, since a `JSON` can
take values of any type: annotate the dict as a `JSONObject` where it is built.
"""

from typing import TypeAlias

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
JSONObject: TypeAlias = dict[str, JSON]
