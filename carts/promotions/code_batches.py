"""Batches of codes, which open a promotion in the place of its own code: single-use codes, codes of a partner.

Why: docs/decisions/carts.md#generated-codes-have-at-least-40-random-bits.
"""

import io
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction

from carts.models import Promotion, PromotionCode
from carts.models.promotion_parts import LONGEST_CODE
from carts.promotions.codes import code_key
from carts.promotions.promotion_editing import VERBS as PROMOTIONS
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import locked
from kit.editing.reporting import reported, touch
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, listed
from kit.values import text
from kit.values.csv_format import CsvFormat
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Five random bits each. I and 1, O and 0 are mistaken for each other."""
SHORTEST, USUAL, LONGEST = 8, 10, 32
"""Random letters of a code."""
LONGEST_PREFIX = 32
MOST_AT_ONCE = 10_000
COLUMNS = ("code", "usage_limit", "used")
_PAGE = 2_000


@transaction.atomic
@reported()
def create_codes(
    *,
    actor: Actor,
    promotion_id: str,
    count: int | None = None,
    prefix: str = "",
    length: int = USUAL,
    codes: Sequence[str] | None = None,
    usage_limit: int | None = None,
) -> list[str]:
    """Add codes to a promotion: `count` random ones, or those given. From the first on, its own code is only a name.

    prefix: what random codes begin with. length: of random letters. usage_limit: of completed carts, for each code;
    None for no limit. The number of statements does not depend on that of the codes.
    Raises NotFound (the promotion), InvalidData naming the field, Forbidden.
    """
    actor.require("carts.add_promotioncode")
    promotion = locked(Promotion, [promotion_id])[promotion_id]
    if promotion.is_automatic:
        raise InvalidData("An automatic promotion applies without codes, and has none")
    if (count is None) == (codes is None):
        raise InvalidData("Send either 'count' or 'codes'")
    if not promotion.has_codes:
        editor = actor.with_permission("carts.change_promotion")
        PROMOTIONS.put_inside(actor=editor, states=[PROMOTIONS.state(id=promotion_id, has_codes=True)])
    touch(Promotion, [promotion_id])
    common = {"promotion_id": promotion_id, "usage_limit": usage_limit}
    return _insert_chosen(codes, common) if codes is not None else _insert_random(count or 0, prefix, length, common)


def _insert_random(count: int, prefix: str, length: int, common: dict[str, Any]) -> list[str]:
    text.checked(prefix, field="prefix", longest=LONGEST_PREFIX, one_line=True)
    if prefix != prefix.strip():
        raise InvalidData("Value for field 'prefix' must not begin or end with blanks")
    made: list[str] = []
    while len(made) < count:  # again for the few that another promotion has
        drawn = {prefix + "".join(secrets.choice(LETTERS) for _ in range(length)) for _ in range(count - len(made))}
        made += _insert(sorted(drawn), common)
    return made


def _insert_chosen(codes: Sequence[str], common: dict[str, Any]) -> list[str]:
    if len({code_key(code) for code in codes}) < len(codes):
        raise InvalidData("Value for field 'codes' must not have a code twice; letter case does not matter")
    for code in codes:
        text.checked(code, field="codes", longest=LONGEST_CODE, may_be_blank=False, one_line=True)
    made = _insert(codes, common)
    if len(made) < len(codes):
        taken = sorted({*codes} - {*made})
        raise InvalidData(f"Value for field 'codes' has codes that are taken: {listed(taken)}")
    return made


def _insert(codes: Sequence[str], common: dict[str, Any]) -> list[str]:
    """Store those codes that are not taken. Returns these. One statement, two if some are."""
    moment = now()
    rows = [
        {
            "id": new_id("procode"),
            "code": code,
            "code_key": code_key(code),
            "used": 0,
            "created_at": moment,
            "updated_at": moment,
            **common,
        }
        for code in codes
    ]
    if raw_rows.insert(PromotionCode, rows, ignore_conflicts=True) == len(rows):
        return [*codes]
    made = PromotionCode.objects.filter(pk__in=[row["id"] for row in rows])
    return [*made.order_by("pk").values_list("code", flat=True)]


def csv_lines(promotion_id: str, csv_format: CsvFormat) -> Iterator[str]:
    """The promotion's codes with COLUMNS as parts of a file, a statement for each 2,000 codes, by id."""
    buffer = io.StringIO()
    lines = csv_format.writer(buffer)
    lines.writerow(COLUMNS)
    codes, last = PromotionCode.objects.not_deleted().filter(promotion=promotion_id).order_by("pk"), ""
    while page := list(codes.filter(pk__gt=last).values_list("pk", *COLUMNS)[:_PAGE]):
        lines.writerows((csv_format.text(code), "" if limit is None else limit, used) for _, code, limit, used in page)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
        last = page[-1][0]
    yield buffer.getvalue()


def _check_batches(rows: Sequence[PromotionCode]) -> None:
    promotions = {row.promotion_id for row in rows}
    if Promotion.objects.filter(pk__in=promotions, has_codes=False).exists():
        raise InvalidData("The promotion's own code is changed with the promotion")


def _delete(model: type[PromotionCode], ids: Sequence[str], *, actor: Actor) -> None:
    delete_rows(model, ids, actor=actor, check=_check_batches)


VERBS = RowVerbs(PromotionCode, ("promotion_id",), delete=_delete)
"""Deleted codes open nothing; open carts lose them with their next change."""
