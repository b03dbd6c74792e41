"""The country and province fields of a shop file."""

from dataclasses import dataclass

from kit.domain.absent import ABSENT
from kit.errors import InvalidData
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry, InvalidValue, Object, Objects, Text, Texts
from kit.values import places


@dataclass(frozen=True, kw_only=True)
class CountryCode(Text):
    """A country by its ISO 3166-1 code, in any letter case."""

    def parse(self, raw: object) -> str:
        try:
            return places.country(super().parse(raw))
        except InvalidData as error:
            raise InvalidValue(f"'{raw}' is not an ISO 3166-1 country code") from error


@dataclass(frozen=True, kw_only=True)
class CountryCodes(Texts):
    """A list of countries."""

    def element(self) -> CountryCode:
        return CountryCode()


@dataclass(frozen=True, kw_only=True)
class Place(Object):
    """An object with a `country_code` and an optional `province`: its code, the code's suffix, or its name."""

    def read(self, raw: object, path: str, problems: Problems) -> object:
        place = super().read(raw, path, problems)
        is_place = not isinstance(place, Entry) or read_province(place, path, problems)
        return place if is_place else ABSENT


def read_province(place: Entry, path: str, problems: Problems) -> bool:
    """Replace the object's province with its code, or report that there is none. Returns whether it is sound."""
    name, country = place.given.get("province"), place.given.get("country_code")
    if not name or not place.is_sound:
        return place.is_sound
    try:
        place.given["province"] = places.province(name, country_code=country)
    except InvalidData:
        where = f"'{country}'" if country else "any country"
        problems.add(f"{path}.province", f"'{name}' is not an ISO 3166-2 province of {where}")
        place.is_sound = False
    return place.is_sound


@dataclass(frozen=True, kw_only=True)
class Places(Objects):
    """A list of places."""

    def element(self) -> Place:
        return Place(fields=self.fields, partial=self.partial)
