"""The codes that customers enter. Letter case and outer blanks do not matter.

Older versions accepted codes that differ only in these; such codes have their exact text as their key.
"""

from collections.abc import Collection, Mapping, Sequence

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from carts.models import Promotion, PromotionCode
from kit.domain.soft_deletion import ValueTaken
from kit.editing.states import Fault, RowsRefused
from kit.values.timestamps import now


def code_key(code: str) -> str:
    """What is unique of a code, and compared."""
    return code.strip().upper()


def taken_codes(changed: Mapping[int, Promotion]) -> list[Fault]:
    """Faults for codes that another promotion has in other letters, or that are one of a batch. One statement.

    changed: promotions with a new code, by their place in the batch.
    """
    own = {index: row for index, row in changed.items() if not row.has_codes}
    keys = {code_key(row.code): row for row in reversed(own.values())}
    held = PromotionCode.objects.not_deleted().filter(code_key__in=keys).select_related("promotion") if keys else ()
    keys |= {each.code_key: each.promotion for each in held}
    holders = {index: keys[code_key(row.code)] for index, row in own.items()}
    return [
        Fault(index, "code", ValueTaken(row, "code"))
        for index, row in own.items()
        # Promotion's own constraint refuses a code that another has letter by letter.
        if row.pk != holders[index].pk and (holders[index].has_codes or row.code != holders[index].code)
    ]


def keep_own_codes(changed: Mapping[int, Promotion]) -> None:
    """Store the codes of promotions that are entered by their own. Three statements. Raises RowsRefused."""
    own = {row.pk: row for row in changed.values() if not row.has_codes}
    stored = {each.promotion_id: each for each in _living_codes([*own])}
    codes = [stored.get(pk, PromotionCode(promotion=row)) for pk, row in own.items()]
    for code, row in zip(codes, own.values(), strict=True):
        code.code, code.code_key = row.code, code_key(row.code)
    try:
        with transaction.atomic():
            PromotionCode.objects.bulk_update(stored.values(), ["code", "code_key"])
            PromotionCode.objects.bulk_create(code for code in codes if code.promotion_id not in stored)
    except IntegrityError:  # another transaction has taken a code since the check
        faults = taken_codes(changed)
        if not faults:
            raise
        raise RowsRefused(Promotion, faults) from None


def without_code(promotion_ids: Collection[str]) -> set[str]:
    """Those of these promotions that have no code. One statement, if there are any promotions."""
    coded = PromotionCode.objects.not_deleted().filter(promotion__in=promotion_ids).values("promotion_id").distinct()
    return {*promotion_ids} - {row["promotion_id"] for row in coded} if promotion_ids else set()


def delete_codes(promotion_ids: Collection[str]) -> None:
    """Delete all codes of these promotions. One statement, if there are any promotions."""
    if promotion_ids:
        codes = PromotionCode.objects.not_deleted().filter(promotion__in=promotion_ids)
        codes.update(deleted_at=now(), updated_at=now())


def restore_codes(promotion_ids: Collection[str]) -> None:
    """Restore the codes that were deleted with these promotions, which still are. Raises ValueTaken.

    Two statements for any number of codes.
    """
    codes = PromotionCode.objects.filter(promotion__in=promotion_ids, deleted_at=F("promotion__deleted_at"))
    _refuse_taken(codes)
    try:
        with transaction.atomic():
            codes.update(deleted_at=None, updated_at=now())
    except IntegrityError:  # another transaction has taken a code since the check
        _refuse_taken(codes)
        raise


def _refuse_taken(codes: QuerySet[PromotionCode]) -> None:
    taken = codes.filter(code_key__in=PromotionCode.objects.not_deleted().values("code_key")).first()
    if taken is not None:
        raise ValueTaken(taken, "code")


def _living_codes(promotion_ids: Sequence[str]) -> Sequence[PromotionCode]:
    if not promotion_ids:
        return ()
    return list(PromotionCode.objects.not_deleted().filter(promotion__in=promotion_ids))
