"""The filters of GET /admin/api-keys."""

from apikeys.states import KeyType
from commerce.core.filtering import ResourceFilterSet
from commerce.core.filters import ChoiceFilter, DateFilter, SearchFilter, TextFilter


class ApiKeyFilters(ResourceFilterSet):
    """Source: behaviour.md 3.3; the peer's list of keys."""

    q = SearchFilter(columns=("title", "redacted"))
    id = TextFilter()
    token = TextFilter()
    title = TextFilter()
    type = ChoiceFilter(choices=tuple(KeyType.values))
    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()
    revoked_at = DateFilter()
