"""The spreadsheet of promotion codes: a row for each code of a batch."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from carts.models import Promotion, PromotionCode
from carts.promotions.code_batches import create_codes
from carts.promotions.codes import code_key
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.errors import InvalidData
from kit.spreadsheets.columns import LINE, WHOLE, Column, Columns
from kit.spreadsheets.declarations import Importer, Option, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, values_of

_MOST_USES = 2**31 - 1
_OWN_CODE = "Customers enter this promotion's own code, which would end. Choose “Make codes” on its page first."


class CodeImporter(Importer):
    """Adds codes. Stored ones stay as they are: only carts count their uses, and a limit is for good."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        self._promotions: dict[str, Promotion] = {}

    def lock(self, ids: Sequence[str]) -> None:
        """Lock their promotions, as those who add codes do."""
        codes = PromotionCode.objects.filter(pk__in=ids)
        lock_rows(Promotion.objects.filter(pk__in=codes.values("promotion")).only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        rows = [values_of(record) for record in records]
        keys = {code_key(row.get("code") or "") for row in rows}
        codes = PromotionCode.objects.not_deleted().filter(code_key__in=keys)
        stored = {one.code_key: one for one in codes}
        return [self._planned(*each, stored) for each in zip(records, rows, strict=True)]

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        batches: dict[tuple[str, int | None], list[str]] = defaultdict(list)
        for one in planned:
            promotion, limit, code = one.change
            batches[promotion.pk, limit].append(code)
        with reported():
            for (promotion_id, limit), codes in sorted(batches.items(), key=str):
                create_codes(actor=self.actor, promotion_id=promotion_id, codes=codes, usage_limit=limit)
        keys = {code_key(one.change[2]) for one in planned}
        made = dict(PromotionCode.objects.not_deleted().filter(code_key__in=keys).values_list("code_key", "pk"))
        return [Written(made[code_key(one.change[2])]) for one in planned]

    def _planned(self, record: Record, row: Values, stored: dict[str, PromotionCode]) -> Planned:
        code, limit = row.get("code"), row.get("usage_limit")
        if code is None and not record.problems:
            record.refuse("Enter a code.", "code")
        promotion: Promotion | None = None
        with Refusing(record, "promotion"):
            promotion = self._promotion(row.get("promotion") or self.options.get("promotion_id", ""))
        known = stored.get(code_key(code or ""))
        if known and promotion is not None and known.promotion_id != promotion.pk:
            record.refuse("Another promotion has this code. Enter a different one.", "code")
        if known and "usage_limit" in row and limit != known.usage_limit:
            record.refuse("The usage limit of an existing code cannot be changed.", "usage_limit")
        elif limit is not None and not 1 <= limit <= _MOST_USES:
            record.refuse(f"Enter a number from 1 to {_MOST_USES:,}.", "usage_limit")
        if known:
            return Planned(record, known.code, known.pk, is_changed=False)
        if row.get("used"):
            record.refuse("This code has been used. To add it with no uses, leave this cell empty.", "used")
        if promotion and not promotion.has_codes:
            record.refuse(_OWN_CODE, "promotion")
        return Planned(record, code or str(record.number), change=(promotion, limit, code))

    def _promotion(self, text: str) -> Promotion:
        """By its id or its code."""
        if text not in self._promotions:
            if not text:
                raise InvalidData("Enter a promotion, or choose one for the whole file.")
            rows: Any = Promotion.objects.not_deleted()
            found = rows.filter(pk=text).first() or rows.filter(code=text).first()
            if found is None:
                raise InvalidData("No promotion has this code or id.")
            if found.is_automatic:
                raise InvalidData("This promotion applies automatically, so it has no codes.")
            self._promotions[text] = found
        return self._promotions[text]


class CodeSpreadsheet(Spreadsheet):
    """An export has the codes of all promotions, or of one."""

    key = "promotion_codes"
    title = "Promotion codes"
    options = {"promotion_id": Option("The promotion of codes for which the file names none.")}
    importing = ("carts.view_promotion", "carts.view_promotioncode", "carts.add_promotioncode")
    exporting = ("carts.view_promotioncode", "carts.export_promotioncode")
    recorded = PromotionCode
    importer = CodeImporter
    columns = Columns(
        (
            Column("promotion", "Promotion", aliases=("Promotion Id", "Promotion Code")),
            Column("code", "Code", LINE, ("Discount Code",)),
            Column("usage_limit", "Usage Limit", WHOLE),
            Column("used", "Used", WHOLE, is_imported=False),
        )
    )

    def key_of(self, values: Values) -> str:
        return code_key(values.get("code") or "")

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        codes = PromotionCode.objects.visible_to(actor).filter(promotion__has_codes=True, promotion__deleted_at=None)
        if options.get("promotion_id"):
            codes = codes.filter(promotion=options["promotion_id"])
        for batch in batches_of(codes.select_related("promotion")):
            for one in batch:
                own = {name: getattr(one, name) for name in ("code", "usage_limit", "used")}
                yield [{"promotion": one.promotion.code, **own}]


PROMOTION_CODES = CodeSpreadsheet()
