"""What verbs have queued."""

from kit.messages.mails.models import Mail


def mails() -> list[tuple[str, str, int, bool]]:
    """Of each email the kind, what it is about, the number, and whether a stranger can cause it."""
    return list(Mail.objects.order_by("created_at", "pk").values_list("kind", "about", "number", "is_for_guest"))
