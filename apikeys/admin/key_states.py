"""Active and revoked keys, in lists and figures."""

from collections.abc import Mapping

from django.db.models import Q

from kit.admin.lists.condition_filter import ConditionFilter
from kit.values.timestamps import now


def has_ended() -> Q:
    """Matches revoked keys; a revocation in the future has not happened yet."""
    return Q(revoked_at__lte=now())


class StateFilter(ConditionFilter):
    """Active or revoked."""

    title = parameter_name = "state"

    def conditions(self) -> Mapping[str, Q]:
        return {"active": ~has_ended(), "revoked": has_ended()}
