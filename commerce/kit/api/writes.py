"""Writing routes: a verb, then the answer that shows what became of it."""

from typing import Any

from commerce.kit.api.reads import ReadEndpoint


class WriteEndpoint(ReadEndpoint):
    """Actions that call a verb: `verb(actor=self.actor, key_id=id, **self.body())`, then `return self.written(id)`.

    Body and `fields` are known to be good by then, so that what is refused has changed nothing.
    """

    def written(self, id: str, **shown_once: str) -> dict[str, Any]:
        """The resource as it now is, with values that no later answer shows.

        Read as the caller, who for this one answer may view such rows: whoever may add or change one is shown it,
        and nobody writes to be told that it cannot be found. What hangs below shows as the caller's own rights have it.
        """
        viewing = self.permissions.get("retrieve")
        reader = self.actor.with_permission(viewing) if viewing else self.actor
        return {self.answered(self.action).name: {**self.read(id, actor=reader), **shown_once}}

    def deleted(self, id: str) -> dict[str, Any]:
        """The answer of DeletedSerializer."""
        return {"id": id, "object": self.resource.name, "deleted": True}
