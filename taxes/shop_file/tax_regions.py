"""The shop file's tax regions."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from django.db import models
from django.db.models import F

from kit.editing.changes import BATCH
from kit.shop_file.problems import Problems
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Entry, Objects, Text, read_object
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.shop_file.places import CountryCode, read_province
from taxes.editing.rate_conflicts import lock_countries
from taxes.editing.tax_region_editing import VERBS
from taxes.models import TaxRegion
from taxes.shop_file.precreated_rows import create_missing
from taxes.shop_file.rate_fields import RATE
from taxes.shop_file.rates import Rates, rates_of


class TaxRegions(RowsSection[TaxRegion]):
    """Every tax region that is not deleted, with its rates. They are known by their place.

    A dump's regions have the default rates, too, under the key that files of older versions have.
    """

    key = "tax_regions"
    prepared_before = "regions"
    natural_key = "code"
    verbs = VERBS
    fields = row_fields(
        VERBS,
        country_code=CountryCode(required=True, attribute="country_id"),
        province=Text(nullable=True),
        provider_id=Text(nullable=True),
        rates=Objects(fields=RATE, partial=True),
    )

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._made: set[str] = set()

    def prepare(self, objects: Iterable[object]) -> None:
        """Make missing tax regions with the file's ids: regions would make those of their rates with other ones."""
        entries = (read_object(raw, self.key, self.all_fields(), Problems()) for raw in objects)
        while batch := list(islice(entries, BATCH)):
            self._made |= create_missing(entry for entry in batch if read_province(entry, self.key, Problems()))

    def load_batch(self, entries: Sequence[Entry]) -> None:
        lock_countries(entry.given["country_code"] for entry in entries if "country_code" in entry.given)
        for entry in entries:
            read_province(entry, entry.path, self.problems)
        super().load_batch(entries)

    def name_of(self, entry: Entry) -> str:
        return entry.given.get("province") or entry.given.get("country_code") or ""

    def names_condition(self, names: Collection[str]) -> models.Q:
        return models.Q(province__in=names) | models.Q(province=None, country__in=names)

    def load_parts(self, placed: Sequence[Placed[TaxRegion]]) -> None:
        super().load_parts(placed)
        given = [one for one in placed if "rates" in one.entry.given]
        entries = [rate for one in given for rate in one.entry.given["rates"]]
        rates = Rates([one.row.pk for one in given if not one.is_new], entries, self.problems)
        before = self.problems.count
        for one in given:
            one.is_changed |= rates.put_only(one.row.pk, one.entry.given["rates"])
        changed = rates.write() if self.problems.count == before else ()
        for one in placed:
            one.is_changed |= one.row.pk in changed
            one.is_new |= one.row.pk in self._made

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        countries_first = F("parent").asc(nulls_first=True)
        rows = TaxRegion.objects.not_deleted().order_by(countries_first, "pk").iterator(chunk_size=BATCH)
        while batch := list(islice(rows, BATCH)):
            rates = rates_of([row.pk for row in batch])
            for row in batch:
                yield {
                    "id": row.pk,
                    "country_code": row.country_id,
                    "province": row.province,
                    "provider_id": row.provider_id,
                    "rates": rates[row.pk],
                    "metadata": row.metadata,
                    "created_at": isoformat(row.created_at),
                }
