"""GET /store/product-categories: which rows."""

import pytest

from catalog.models import ProductCategory
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.shelves import NAMES, PATH, names, stock
from tests.factories.catalog import CategoryFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def shelf(make_once: MakeOnce) -> dict[str, ProductCategory]:
    return make_once(stock)


def filled(query: str, shelf: dict[str, ProductCategory]) -> str:
    """The query with ids in place of `{Name}`."""
    for name, category in shelf.items():
        query = query.replace(f"{{{name}}}", category.pk)
    return query


JUICES = ["Juice_A", "100% Juice"]
FOUND = [
    # free text: every word in at least one of name, description, handle; any letter case; % and _ stand for themselves
    ("q=juice", JUICES),
    ("q=JUICE", JUICES),
    ("q=jUiCe+cLoUdY", ["Juice_A"]),
    ("q=everything", ["Food", "Drinks"]),
    ("q=everything+eat", ["Food"]),
    ("q=eat+everything", ["Food"]),
    ("q=+fresh%09", ["Fruit", "Vegetables"]),
    ("q=everything+sweet", []),
    ("q=", NAMES),
    ("q=++", NAMES),
    ("q=ju", JUICES),
    ("q=ui", []),
    ("q=uic", JUICES),
    ("q=a+ju", ["Juice_A"]),
    ("q=%25", []),
    ("q=00%25", ["100% Juice"]),
    ("q=10%25", []),
    ("q=_", []),
    ("q=ce_", ["Juice_A"]),
    ("q=f_od", []),
    ("q=%5C", []),
    ("q='", NAMES),  # without its apostrophe, it is empty
    ("q=%22", []),
    ("q=red,", ["Apples"]),
    ("q=pcat_", []),
    # one text or a list of texts, exactly
    ("name=Food", ["Food"]),
    ("name=food", []),
    ("name=Foo", []),
    ("name=", []),
    ("name=Food,Fruit", []),
    ("name=100%25+Juice", ["100% Juice"]),
    ("name[]=Food&name[]=Fruit", ["Food", "Fruit"]),
    ("name[0]=Food&name[1]=Fruit", ["Food", "Fruit"]),
    ("name=Food&name=Fruit", ["Food", "Fruit"]),
    ("name[]=Food,Fruit", []),
    ("name[]=null", []),
    ("name[]=Food&name[]=nobody", ["Food"]),
    ("name[]=Food&name[]=Food", ["Food"]),
    ("name=null", []),
    ("handle=100%25-juice", ["100% Juice"]),
    ("handle[]=food&handle[]=pears", ["Food", "Pears"]),
    ("description=cloudy", ["Juice_A"]),
    ("description=", ["Pears"]),
    ("id={Pears}", ["Pears"]),
    ("id[]={Pears}&id[]={Food}", ["Food", "Pears"]),
    ("id[]={Pears},{Food}", []),
    ("id=nobody", []),
    ("id=" + "x" * 400, []),
    ("parent_category_id={Food}", ["Fruit", "Vegetables"]),
    ("parent_category_id={Pears}", []),
    ("parent_category_id=null", ["Food", "Drinks"]),
    ("parent_category_id[]={Food}&parent_category_id[]={Fruit}", ["Fruit", "Apples", "Pears", "Vegetables"]),
    ("parent_category_id={Food}&parent_category_id={Fruit}", ["Fruit", "Apples", "Pears", "Vegetables"]),
    ("parent_category_id[0]={Food},{Fruit}", []),
    ("parent_category_id[]=null", ["Food", "Drinks"]),
    ("parent_category_id[]=null&parent_category_id[]={Fruit}", ["Food", "Apples", "Pears", "Drinks"]),
    ("$or[0][parent_category_id][]=null&$or[0][parent_category_id][]={Fruit}&name[]=Food", ["Food"]),
    # moments; Food was made on 2026-03-01T12:00:00.250Z, each next one a day later
    ("created_at=2026-03-02T12:00:00.250Z", ["Fruit"]),
    ("created_at=2026-03-02T14:00:00.250%2B02:00", ["Fruit"]),
    ("created_at=2026-03-02", []),
    ("created_at[]=2026-03-02T12:00:00.250Z&created_at[]=2026-03-01T12:00:00.250Z", ["Food", "Fruit"]),
    ("created_at[$gt]=2026-03-07T12:00:00.250Z", ["100% Juice"]),
    ("created_at[$gte]=2026-03-07T12:00:00.250Z", JUICES),
    ("created_at[$gte]=2026-03-07", JUICES),
    ("created_at.$gte=2026-03-07", JUICES),
    ("created_at[$lt]=2026-03-01T12:00:00.250Z", []),
    ("created_at[$lte]=2026-03-01T12:00:00.250Z", ["Food"]),
    ("created_at[$gt]=2026-03-02&created_at[$lt]=2026-03-04", ["Fruit", "Apples"]),
    ("created_at[$eq]=2026-03-02T12:00:00.250Z", ["Fruit"]),
    ("created_at[$eq][]=2026-03-02T12:00:00.250Z&created_at[$eq][]=2026-03-03T12:00:00.250Z", ["Fruit", "Apples"]),
    ("created_at[$ne]=2026-03-01T12:00:00.250Z", NAMES[1:]),
    ("created_at[$in][]=2026-03-02T12:00:00.250Z", ["Fruit"]),
    ("created_at[$nin][0]=2026-03-01T12:00:00.250Z&created_at[$nin][1]=2026-03-02T12:00:00.250Z", NAMES[2:]),
    ("updated_at[$gte]=2026-03-07", JUICES),
    ("deleted_at[$gt]=1970-01-01", []),
    ("deleted_at[$ne]=1970-01-01", NAMES),
    # joined
    ("q=juice&parent_category_id={Drinks}&created_at[$gt]=2026-03-08", ["100% Juice"]),
    ("$or[0][name]=Food&$or[1][handle]=pears", ["Food", "Pears"]),
    ("%24or%5B0%5D%5Bname%5D=Food&%24or%5B1%5D%5Bhandle%5D=pears", ["Food", "Pears"]),
    ("$or[0][name]=Food&$or[0][handle]=pears", []),
    ("$and[0][name]=Food&$and[1][handle]=food", ["Food"]),
    ("$and[0][name]=Food&$and[1][name]=Fruit", []),
    ("name=Food&$or[0][name]=Food&$or[1][name]=Fruit", ["Food"]),
    ("$or[0][q]=cloudy&$or[1][q]=sweet", ["Fruit", "Juice_A"]),
    ("$or[0][q]=&$or[1][name]=Food", NAMES),
    ("$or[0][created_at][$lt]=2026-03-02&$or[1][created_at][$gte]=2026-03-08", ["Food", "100% Juice"]),
    ("$or[0][id][]={Food}&$or[0][id][]={Pears}", ["Food", "Pears"]),
    ("$or[0][parent_category_id]=null&$or[1][name]=Pears", ["Food", "Pears", "Drinks"]),
    ("$and[0][$or][0][name]=Food&$and[0][$or][1][name]=Pears&$and[1][parent_category_id]=null", ["Food"]),
    ("$or[0][$and][0][$or][0][$and][0][name]=Food", ["Food"]),
    ("$or[1][name]=Food", ["Food"]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), FOUND)
def test_a_filter_finds(query: str, expected: list[str], store: Caller, shelf: dict[str, ProductCategory]) -> None:
    assert names(store.get(PATH, f"fields=name&{filled(query, shelf)}")) == expected


def test_filters_leave_relations_and_trees_alone(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    (apples,) = store.get(PATH, "name=Apples&q=red&include_ancestors_tree=true").json()["product_categories"]
    assert apples["parent_category"]["parent_category"]["name"] == "Food"
    (food,) = store.get(PATH, "name=Food&include_descendants_tree=true").json()["product_categories"]
    assert [child["name"] for child in food["category_children"]] == ["Fruit", "Vegetables"]


def test_a_search_folds_the_letter_case_of_every_script(store: Caller) -> None:
    CategoryFactory(name="Grün")
    for word in ("GR%C3%9CN", "gr%C3%BC", "GRUN"):
        assert names(store.get(PATH, f"fields=name&q={word}")) == ["Grün"]


REFUSED = [
    ("foo=bar", "Unrecognized fields: 'foo'"),
    ("is_active=true", "Unrecognized fields: 'is_active'"),
    ("is_internal=true", "Unrecognized fields: 'is_internal'"),
    ("rank=0", "Unrecognized fields: 'rank'"),
    ("mpath=a", "Unrecognized fields: 'mpath'"),
    ("path=a", "Unrecognized fields: 'path'"),
    ("Name=a", "Unrecognized fields: 'Name'"),
    ("name__icontains=a", "Unrecognized fields: 'name__icontains'"),
    ("parent_category.name=a", "Unrecognized fields: 'parent_category'"),
    ("$not[0][name]=a", "Unrecognized fields: '$not'"),
    ("=a", "Unrecognized fields: ''"),
    ("[]=a", "Unrecognized fields: '[]'"),
    ("name[=a", "Unrecognized fields: 'name['"),
    ("foo=1&bar[]=2&baz[a]=3", "Unrecognized fields: 'foo, bar, baz'"),
    ("name[$ne]=Food", "Expected type: 'string' for field 'name', got: '[object Object]'"),
    ("name[$like]=F%25", "Expected type: 'string' for field 'name', got: '[object Object]'"),
    ("id[$like]=a", "Unrecognized operator '$like' for field 'id'"),
    ("id[$gt][]=a", "Expected type: 'string' for field 'id', got: 'a'"),
    ("q[]=a", "Expected type: 'string' for field 'q', got: 'a'"),
    ("q=a&q=b", "Expected type: 'string' for field 'q', got: 'a,b'"),
    ("q=" + "a" * 1001, "Value for field 'q' too big, expected at most: '1000' characters"),
    ("q=" + "+".join("abcdefghi"), "The searches of field 'q' hold more than 8 words in one request"),
    ("created_at=yesterday", "Expected type: 'date' for field 'created_at', got: 'yesterday'"),
    ("created_at=", "Expected type: 'date' for field 'created_at', got: ''"),
    ("created_at=2026-02-30", "Expected type: 'date' for field 'created_at', got: '2026-02-30'"),
    ("created_at=null", "Expected type: 'date' for field 'created_at', got: 'null'"),
    ("created_at[$gte]=1772366400000", "Expected type: 'date' for field 'created_at', got: '1772366400000'"),
    ("updated_at[$lt]=nope", "Expected type: 'date' for field 'updated_at', got: 'nope'"),
    ("created_at[gte]=2026-03-01", "Unrecognized operator 'gte' for field 'created_at'"),
    ("created_at[$foo]=2026-03-01", "Unrecognized operator '$foo' for field 'created_at'"),
    ("created_at[$like]=2026", "Unrecognized operator '$like' for field 'created_at'"),
    ("created_at[$gt][$gt]=2026-03-01", "Expected type: 'date' for field 'created_at', got: '[object Object]'"),
    ("created_at[$gt][]=2026-03-01", "Expected type: 'date' for field 'created_at', got: '2026-03-01'"),
    ("$or=a", "Expected type: 'array' of objects for field '$or', got: 'a'"),
    ("$or[]=a", "Expected type: 'array' of objects for field '$or', got: 'a'"),
    ("$or[name]=a", "Expected type: 'array' of objects for field '$or', got: '[object Object]'"),
    ("$or[0]=a", "Expected type: 'array' of objects for field '$or', got: 'a'"),
    ("$or[][name]=a", "Unrecognized fields: '$or[][name]'"),
    ("$or[0][foo]=a", "Unrecognized fields: 'foo'"),
    ("$or[0][is_internal]=true", "Unrecognized fields: 'is_internal'"),
    ("$or[0][limit]=1", "Unrecognized fields: 'limit'"),
    ("$or[0][fields]=id", "Unrecognized fields: 'fields'"),
    ("$or[0][order]=id", "Unrecognized fields: 'order'"),
    ("$or[0][with_deleted]=true", "Unrecognized fields: 'with_deleted'"),
    ("$or[0][include_ancestors_tree]=true", "Unrecognized fields: 'include_ancestors_tree'"),
    ("$or[0][created_at]=x", "Expected type: 'date' for field 'created_at', got: 'x'"),
    ("$and[0][$or][0][created_at][$foo]=x", "Unrecognized operator '$foo' for field 'created_at'"),
    ("$or[0][$or][0][$or][0][$or][0][$or][0][id]=a", "'$or' is nested deeper than 4 levels"),
    ("&".join(f"$or[{number}][id]=a" for number in range(51)), "More than 50 conditions in one request"),
    ("&".join(f"id[]={number}" for number in range(1001)), "More than 1000 values in the lists of one request"),
    ("name=a&name[]=b", "the field 'name[]' is given in two ways at once"),
    ("name[]=a&name[0]=b", "the field 'name' is given in two ways at once"),
    ("q=%00", "NUL character in field 'q'"),
    ("q=%FF", "the query string is not valid UTF-8 near '%FF'"),
    ("q=100%", "bad percent-encoding near '100%'"),
    ("include_ancestors_tree=yes", "Expected type: 'boolean' for field 'include_ancestors_tree', got: 'yes'"),
    ("include_descendants_tree=", "Expected type: 'boolean' for field 'include_descendants_tree', got: ''"),
    ("with_deleted=1", "Expected type: 'boolean' for field 'with_deleted', got: '1'"),
    ("with_deleted[]=true", "Expected type: 'boolean' for field 'with_deleted', got: 'true'"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "message"), REFUSED, ids=lambda case: str(case)[:50])
def test_what_cannot_be_understood_is_refused_by_name(query: str, message: str, store: Caller) -> None:
    response = store.get(PATH, query)
    assert refusal(response) == invalid(message)
    assert response.json()["type"] == "invalid_data"


@pytest.mark.parametrize("amount", [65, 1000])
def test_long_lists_are_looked_up(amount: int, store: Caller, shelf: dict[str, ProductCategory]) -> None:
    ids = [shelf["Pears"].pk, *(f"pcat_{number}" for number in range(amount - 1))]
    assert names(store.get(PATH, "&".join(["fields=name", *(f"id[]={each}" for each in ids)]))) == ["Pears"]
