"""Actions on rows whose keys cannot exist."""

import pytest

from tests.admin.visits import superuser

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["/admin/auth/group/", "/admin/otp_totp/totpdevice/", "/admin/catalog/producttag/"])
@pytest.mark.parametrize("key", ["\x00", "x", "", "9" * 40])
def test_an_action_on_a_key_that_no_row_can_have_changes_nothing(page: str, key: str) -> None:
    answer = superuser().post(page, {"action": "delete_selected", "_selected_action": key, "post": "yes"})
    assert answer.status_code in (200, 302), answer.status_code
