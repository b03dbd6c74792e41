"""GET /admin/api-keys: filters, order and pages."""

import json
from datetime import timedelta
from typing import Any

import pytest

from apikeys.models import ApiKey
from kit.values.timestamps import now
from staff.models import User
from tests.contract.callers import Caller, importer, invalid, refusal
from tests.contract.shelves import START
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

PATH = "/admin/api-keys"
TITLES = ["Web shop", "Till 100%", "Importer", "Old shop", "Gone shop"]
"""In the order of their making, a day apart. The third is secret, the fourth revoked, the fifth deleted as well."""


@pytest.fixture
def keys() -> dict[str, ApiKey]:
    """The keys by title."""
    made = {}
    for day, title in enumerate(TITLES):
        key = (secret_key(UserFactory(), title) if title == "Importer" else publishable_key(title=title)).key
        moment = START + timedelta(days=day)
        revoked = moment if title in ("Old shop", "Gone shop") else None
        deleted = moment if title == "Gone shop" else None
        ApiKey.objects.filter(pk=key.pk).update(
            created_at=moment, updated_at=moment, revoked_at=revoked, deleted_at=deleted
        )
        made[title] = ApiKey.objects.get(pk=key.pk)
    return made


@pytest.fixture
def staff(keys: dict[str, ApiKey]) -> Caller:
    """A member of staff, whose own key is the last one made and is titled Mine."""
    caller: User = UserFactory(is_superuser=True)
    return importer(secret_key(caller, "Mine"))


def titles(response: Any) -> list[str]:
    """The titles on a page, without the caller's own."""
    assert response.status_code == 200, response.content
    listed = response.json()
    assert list(listed) == ["api_keys", "count", "estimate_count", "offset", "limit"]
    return [key["title"] for key in listed["api_keys"] if key["title"] != "Mine"]


LIVING = TITLES[:4]
FOUND = [
    ("", LIVING),
    ("with_deleted=true", TITLES),
    ("q=shop", ["Web shop", "Old shop"]),
    ("q=SHOP+web", ["Web shop"]),
    ("q=00%25", ["Till 100%"]),
    ("q=%25", []),
    ("q=sk_", ["Importer"]),
    ("q=shop&with_deleted=true", ["Web shop", "Old shop", "Gone shop"]),
    ("type=secret", ["Importer"]),
    ("type=publishable", ["Web shop", "Till 100%", "Old shop"]),
    ("type[]=secret&type[]=publishable", LIVING),
    ("title=Importer", ["Importer"]),
    ("title[]=Importer&title[]=Web+shop", ["Web shop", "Importer"]),
    ("id={Importer}", ["Importer"]),
    ("id[]={Importer}&id[]={Gone shop}", ["Importer"]),
    ("token=[Web shop]", ["Web shop"]),
    ("token=[Importer]", []),
    ("created_at[$gte]=2026-03-04", ["Old shop"]),
    ("updated_at[$lt]=2026-03-02", ["Web shop"]),
    ("revoked_at[$gt]=1970-01-01", ["Old shop"]),
    ("revoked_at[$ne]=1970-01-01", LIVING),
    ("deleted_at[$gt]=1970-01-01&with_deleted=true", ["Gone shop"]),
    ("$or[0][type]=secret&$or[1][q]=till", ["Till 100%", "Importer"]),
    ("order=title", ["Importer", "Old shop", "Till 100%", "Web shop"]),
    ("order=-created_at", LIVING[::-1]),
    ("order=revoked_at&type=publishable", ["Old shop", "Web shop", "Till 100%"]),
    ("order=created_by&type=publishable", ["Web shop", "Till 100%", "Old shop"]),
    ("limit=2&offset=1", ["Till 100%", "Importer"]),
    ("limit=0", []),
]


@pytest.mark.parametrize(("query", "expected"), FOUND)
def test_a_list_shows(query: str, expected: list[str], staff: Caller, keys: dict[str, ApiKey]) -> None:
    for title, key in keys.items():
        query = query.replace(f"{{{title}}}", key.pk).replace(f"[{title}]", key.token or "sk_" + "0" * 64)
    assert titles(staff.get(PATH, query)) == expected


def test_counts_and_defaults(staff: Caller) -> None:
    listed = staff.get(PATH).json()
    assert (listed["count"], listed["estimate_count"], listed["offset"], listed["limit"]) == (5, 5, 0, 20)


def test_secret_tokens_are_shown_in_no_list(staff: Caller) -> None:
    by_title = {key["title"]: key for key in staff.get(PATH).json()["api_keys"]}
    assert by_title["Importer"]["token"] == ""
    assert by_title["Importer"]["redacted"].startswith("sk_")
    assert by_title["Web shop"]["token"].startswith("pk_")
    assert "digest" not in json.dumps(by_title)


def test_channels_are_sent_where_they_are_selected(staff: Caller) -> None:
    publishable_key(SalesChannelFactory(name="South"), SalesChannelFactory(name="North"), title="Two")
    (key,) = staff.get(PATH, "title=Two&fields=title,sales_channels.name").json()["api_keys"]
    assert (key["title"], [channel["name"] for channel in key["sales_channels"]]) == ("Two", ["North", "South"])
    (key,) = staff.get(PATH, "title=Two&fields=-sales_channels").json()["api_keys"]
    assert "sales_channels" not in key


REFUSED = [
    ("type=foo", "Expected: 'publishable, secret' for field 'type', but got: 'foo'"),
    ("type[]=secret&type[]=foo", "Expected: 'publishable, secret' for field 'type', but got: 'foo'"),
    ("type=null", "Expected: 'publishable, secret' for field 'type', but got: 'null'"),
    ("digest=a", "Unrecognized fields: 'digest'"),
    ("redacted=a", "Unrecognized fields: 'redacted'"),
    ("created_by=a", "Unrecognized fields: 'created_by'"),
    ("include_ancestors_tree=true", "Unrecognized fields: 'include_ancestors_tree'"),
    ("revoked_at=soon", "Expected type: 'date' for field 'revoked_at', got: 'soon'"),
    ("limit=-1", "Value for field 'limit' too small, expected at least: '0'"),
]


@pytest.mark.parametrize(("query", "message"), REFUSED)
def test_what_cannot_be_understood_is_refused_by_name(query: str, message: str, staff: Caller) -> None:
    assert refusal(staff.get(PATH, query)) == invalid(message)


@pytest.mark.parametrize("field", ["digest", "sales_channels", "sales_channels.name", "created_by.email", "nope"])
def test_other_fields_do_not_order(field: str, staff: Caller) -> None:
    assert refusal(staff.get(PATH, f"order={field}")) == (400, f"Order field {field} is not valid")


@pytest.mark.parametrize(
    "field",
    ["digest", "salt", "created_by.email", "created_by_id", "sales_channels.description", "sales_channels.api_keys"],
)
def test_what_keys_keep_to_themselves_cannot_be_selected(field: str, staff: Caller) -> None:
    assert refusal(staff.get(PATH, f"fields={field}")) == (400, f"Requested fields [{field}] are not valid")


def test_a_list_writes_nothing_but_the_use_of_the_callers_own_key(staff: Caller, keys: dict[str, ApiKey]) -> None:
    before = {key.pk: key.updated_at for key in ApiKey.objects.all()}
    staff.get(PATH)
    assert {key.pk: key.updated_at for key in ApiKey.objects.all()} == before
    used = ApiKey.objects.exclude(last_used_at=None).values_list("title", flat=True)
    assert list(used) == ["Mine"]
    assert ApiKey.objects.get(title="Mine").last_used_at <= now()
