"""Categories are found by their path, and new ones are added below others, in one click."""

import pytest

from catalog.models import ProductCategory
from tests.factories.catalog import CategoryFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db
LIST = "/admin/catalog/productcategory/"


@pytest.fixture(autouse=True)
def tree() -> None:
    for name in ("Women", "Men"):
        shoes = CategoryFactory(name="Shoes", handle=f"shoes-{name.lower()}", parent=CategoryFactory(name=name))
        CategoryFactory(name="Boots", handle=f"boots-{name.lower()}", parent=shoes)


@pytest.mark.parametrize(
    ("term", "handles"),
    [
        ("Men / Shoes", ["shoes-men"]),
        ("men/shoes/boo", ["boots-men"]),
        ("Women / Boots", ["boots-women"]),
        ("Shoes", ["shoes-women", "shoes-men"]),
        ("Hats / Shoes", []),
        ("/", None),
        ("\0 / Shoes", None),
    ],
)
def test_a_path_finds_what_is_below_it(term: str, handles: list[str] | None) -> None:
    answer = superuser().get(LIST, {"q": term})
    assert answer.status_code == 200
    if handles is not None:
        assert sorted(row.handle for row in answer.context["cl"].result_list) == sorted(handles)


def test_a_row_has_a_link_for_a_category_below_it() -> None:
    men, client = ProductCategory.objects.get(name="Men"), superuser()
    address = f"{LIST}add/?parent_category={men.pk}"
    assert f'<a href="{address}" aria-label="Add below Men">' in client.get(LIST).content.decode()
    submit(client, address, sent(client, address, name="Coats"))
    assert ProductCategory.objects.get(name="Coats").parent_category == men


def test_users_who_may_only_view_have_no_such_link() -> None:
    assert "Add below" not in visitor("catalog.view_productcategory").get(LIST).content.decode()
