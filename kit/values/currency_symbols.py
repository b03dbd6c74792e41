"""The symbols of currencies: `symbol` and `sign` are unique; `symbol_native` is used in the currency's own country.

Neither ISO 4217 nor pycountry has symbols; CLDR's come with babel, 31 MB for one column. A currency that is not in
these tables has its code as symbol.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping

_OWN: Mapping[str, str] = {
    "aed": "د.إ", "afn": "؋", "all": "L", "amd": "֏", "ang": "ƒ", "ars": "$", "aud": "$", "awg": "ƒ", "azn": "₼",
    "bam": "KM", "bbd": "$", "bdt": "৳", "bgn": "лв.", "bhd": "د.ب", "bif": "FBu", "bmd": "$", "bnd": "$", "bob": "Bs",
    "brl": "R$", "bsd": "$", "btn": "Nu.", "bwp": "P", "byn": "Br", "bzd": "$", "cad": "$", "cdf": "FC", "chf": "CHF",
    "clp": "$", "cny": "¥", "cop": "$", "crc": "₡", "cup": "$", "cve": "$", "czk": "Kč", "djf": "Fdj", "dkk": "kr.",
    "dop": "$", "dzd": "د.ج", "egp": "ج.م", "ern": "Nfk", "etb": "Br", "eur": "€", "fjd": "$", "fkp": "£", "gbp": "£",
    "gel": "₾", "ghs": "₵", "gip": "£", "gmd": "D", "gnf": "FG", "gtq": "Q", "gyd": "$", "hkd": "$", "hnl": "L",
    "htg": "G", "huf": "Ft", "idr": "Rp", "ils": "₪", "inr": "₹", "iqd": "د.ع", "irr": "﷼", "isk": "kr", "jmd": "$",
    "jod": "د.أ", "jpy": "￥", "kes": "Ksh", "kgs": "сом", "khr": "៛", "kmf": "CF", "kpw": "₩", "krw": "₩",
    "kwd": "د.ك", "kyd": "$", "kzt": "₸", "lak": "₭", "lbp": "ل.ل", "lkr": "රු", "lrd": "$", "lsl": "L", "lyd": "د.ل",
    "mad": "د.م.", "mdl": "L", "mga": "Ar", "mkd": "ден", "mmk": "K", "mnt": "₮", "mop": "MOP$", "mru": "UM",
    "mur": "Rs", "mvr": "ރ.", "mwk": "MK", "mxn": "$", "myr": "RM", "mzn": "MTn", "nad": "$", "ngn": "₦", "nio": "C$",
    "nok": "kr", "npr": "रु", "nzd": "$", "omr": "ر.ع.", "pab": "B/.", "pen": "S/", "pgk": "K", "php": "₱", "pkr": "₨",
    "pln": "zł", "pyg": "₲", "qar": "ر.ق", "ron": "lei", "rsd": "дин.", "rub": "₽", "rwf": "FRw", "sar": "ر.س",
    "sbd": "$", "scr": "SR", "sdg": "ج.س", "sek": "kr", "sgd": "$", "shp": "£", "sle": "Le", "sos": "Ssh", "srd": "$",
    "ssp": "£", "stn": "Db", "syp": "ل.س", "szl": "E", "thb": "฿", "tjs": "SM", "tmt": "T", "tnd": "د.ت", "top": "T$",
    "try": "₺", "ttd": "$", "twd": "NT$", "tzs": "TSh", "uah": "₴", "ugx": "USh", "usd": "$", "uyu": "$",
    "uzs": "so\u02bbm", "ves": "Bs.", "vnd": "₫", "vuv": "VT", "wst": "WS$", "xaf": "FCFA", "xcd": "$", "xof": "F CFA",
    "xpf": "F", "yer": "ر.ي", "zar": "R", "zmw": "K", "zwg": "ZiG",
}  # fmt: skip
_DISTINGUISHED: Mapping[str, str] = {
    "aud": "A$", "brl": "R$", "cad": "CA$", "cny": "CN¥", "eur": "€", "gbp": "£", "hkd": "HK$", "ils": "₪", "inr": "₹",
    "jpy": "¥", "krw": "₩", "mxn": "MX$", "nzd": "NZ$", "php": "₱", "twd": "NT$", "usd": "$", "vnd": "₫",
    "xaf": "FCFA", "xcd": "EC$", "xof": "F CFA", "xpf": "CFPF",
}  # fmt: skip
_SHARED = frozenset(own for own, count in Counter(own.rstrip(".") for own in _OWN.values()).items() if count > 1)


def sign(currency_code: str) -> str:
    """What people write beside an amount if no other currency has it, else `symbol`: `zł` for pln, `SEK` for sek.

    Signs that are written from right to left would turn the text around them.
    """
    own = _OWN.get(currency_code, "")
    is_own = own and own.rstrip(".") not in _SHARED and unicodedata.bidirectional(own[0]) not in ("R", "AL")
    return own if is_own and currency_code not in _DISTINGUISHED else symbol(currency_code)


def symbol(currency_code: str) -> str:
    """The symbol that no other currency has, else the code in capitals: `$` for usd, `CA$` for cad, `SEK` for sek."""
    return _DISTINGUISHED.get(currency_code, currency_code.upper())


def symbol_native(currency_code: str) -> str:
    """The symbol where the currency is at home, else the code in capitals: `$` for usd and cad, `kr` for sek."""
    return _OWN.get(currency_code, currency_code.upper())
