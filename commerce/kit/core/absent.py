"""What a caller leaves unsaid, where None is a value of its own."""

from enum import Enum
from typing import Final


class Absent(Enum):
    """The type of ABSENT: `parent_id: str | Absent | None = ABSENT` tells "leave it" from "none"."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
