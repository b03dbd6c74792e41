"""Bodies that may have `dry_run`, as the OpenAPI document shows them; an AdminEndpoint takes it out of the body."""

from functools import cache

from kit.rest.requests.input_fields import BooleanField
from kit.rest.requests.inputs import Input


class DryRunInput(Input):
    """Whether to answer as if the change were made, and to change nothing."""

    dry_run = BooleanField(required=False, help_text="Answer as if the change were made, and change nothing.")


@cache
def with_dry_run(own: type[Input] | None, *, is_row: bool) -> type[Input]:
    """The input with that field. is_row: whether batches have the same input without it, so that it needs a name."""
    if own is None:
        return DryRunInput
    name = f"{own.__name__.removesuffix('Input')}DryRunInput" if is_row else own.__name__
    return type(name, (own, DryRunInput), {"__doc__": own.__doc__})
