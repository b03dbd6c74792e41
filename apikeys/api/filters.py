"""The filters of GET /admin/api-keys."""

from apikeys.states import KeyType
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import ChoiceFilter, DateFilter, SearchFilter, TextFilter


class ApiKeyFilters(RecordFilters):
    """API keys, by the columns that Medusa's list filters by."""

    q = SearchFilter(columns=("title", "redacted"))
    token = TextFilter()
    title = TextFilter()
    type = ChoiceFilter(choices=tuple(KeyType.values))
    revoked_at = DateFilter()
