"""The default of arguments for which None is a value."""

from enum import Enum
from typing import Final


class Absent(Enum):
    """The type of ABSENT: `parent_id: str | Absent | None = ABSENT` distinguishes "unchanged" from "none"."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
