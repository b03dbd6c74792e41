"""The icon font of the admin site has each icon that is in use, and little else."""

import pytest
from fontTools.ttLib import TTFont

from tests.kit.admin.icon_font import CUT, WHOLE, is_of_admin_site, ligatures, used
from tests.packages import ROOT

pytestmark = pytest.mark.once


def test_each_icon_in_use_is_in_it() -> None:
    icons = used(frozenset(ligatures(TTFont(WHOLE))))
    assert {"search", "delete", "package_2", "drag_indicator", "arrow_circle_up"} <= icons  # ours and the theme's
    missing = icons - ligatures(TTFont(CUT)).keys()
    assert not missing, f"{sorted(missing)} are missing: run 'make icons'"


def test_words_of_other_code_are_no_icons() -> None:
    """`database` is a package of the kit, and the theme's font has an icon of that name."""
    icons = used(frozenset(ligatures(TTFont(WHOLE))))
    assert icons & {"database", "fingerprint", "queue"} == set()
    for path in ("kit/rest/responses/errors.py", "catalog/states.py"):
        assert not is_of_admin_site(ROOT / path)
    for path in ("commerce/settings.py", "staff/device_admin.py", "kit/admin/sections.py", "staff/templates/x.html"):
        assert is_of_admin_site(ROOT / path)


def test_it_is_a_tenth_of_the_whole_font() -> None:
    assert CUT.stat().st_size < WHOLE.stat().st_size / 10
