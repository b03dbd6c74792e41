"""Writing routes: call a verb, then answer with the resource."""

from typing import Any

from kit.rest.reads import ReadEndpoint

MASKED = "********"
"""What a dry run shows in the place of a secret, which opens nothing."""


class WriteEndpoint(ReadEndpoint):
    """Actions that call a verb: `verb(actor=self.actor, key_id=id, **self.body())`, then `return self.written(id)`.

    Body and `fields` are validated before, so that a refused request changes nothing.
    """

    def written(self, id: str, **shown_once: str) -> dict[str, Any]:
        """The resource after the change. shown_once: values that no later answer shows.

        A caller who may add or change a row is shown it, even without the permission to view such rows. Its relations
        show what the caller may see.
        """
        viewing = self.permissions.get("retrieve")
        reader = self.actor.with_permission(viewing) if viewing else self.actor
        if self.is_dry:
            shown_once = dict.fromkeys(shown_once, MASKED)
        return {self.answered(self.action).name: {**self.read(id, actor=reader), **shown_once}}

    def deleted(self, id: str) -> dict[str, Any]:
        """The answer of DeletedSerializer."""
        return {"id": id, "object": self.resource.name, "deleted": True}
