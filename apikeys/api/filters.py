"""The filters of GET /admin/api-keys."""

from apikeys.states import KeyType
from commerce.kit.core.filtering import RecordFilters
from commerce.kit.core.filters import ChoiceFilter, DateFilter, SearchFilter, TextFilter


class ApiKeyFilters(RecordFilters):
    """Source: behaviour.md 3.3; Medusa's list of keys."""

    q = SearchFilter(columns=("title", "redacted"))
    token = TextFilter()
    title = TextFilter()
    type = ChoiceFilter(choices=tuple(KeyType.values))
    revoked_at = DateFilter()
