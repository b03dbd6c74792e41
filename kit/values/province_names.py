"""Names of provinces that ISO 3166-2 lacks: English and local names, abbreviations, older names.

Names are compared as places.py folds them, so that one spelling stands for those that differ in letter case, accents,
spaces, dots, hyphens and other signs: `Quebec` is `QUÉBEC`, `BC` is `B.C.`
"""

from collections.abc import Mapping

COMMON_NAMES: Mapping[str, Mapping[str, str]] = {
    "us": {
        "al": "Ala", "az": "Ariz", "ar": "Ark", "ca": "Cal, Calif", "co": "Colo", "ct": "Conn", "de": "Del",
        "dc": "Washington DC, Wash DC", "fl": "Fla", "il": "Ill", "in": "Ind", "ks": "Kan, Kans",
        "ma": "Mass", "mi": "Mich", "mn": "Minn", "ms": "Miss", "mt": "Mont", "ne": "Neb, Nebr", "nv": "Nev",
        "nh": "N Hampshire", "nj": "N Jersey", "nm": "N Mex, N Mexico", "nc": "N Carolina", "nd": "N Dak, N Dakota",
        "ok": "Okla", "or": "Ore, Oreg", "pa": "Penn, Penna", "sc": "S Carolina", "sd": "S Dak, S Dakota",
        "tn": "Tenn", "tx": "Tex", "vi": "Virgin Islands, US Virgin Islands", "wa": "Wash", "wv": "W Va, W Virginia",
        "wi": "Wis, Wisc", "wy": "Wyo",
    },
    "ca": {
        "ab": "Alta", "bc": "Colombie-Britannique", "mb": "Man", "nb": "Nouveau-Brunswick",
        "nl": "Newfoundland, Labrador, Newfoundland & Labrador, Nfld, NF, Terre-Neuve, Terre-Neuve-et-Labrador",
        "ns": "Nouvelle-Écosse", "nt": "NWT, Territoires du Nord-Ouest", "on": "Ont",
        "pe": "PEI, Île-du-Prince-Édouard, IPE", "qc": "Québec, Que, PQ", "sk": "Sask", "yt": "Yukon Territory",
    },
    "au": {"act": "Canberra", "nt": "N Territory", "sa": "S Australia", "wa": "W Australia"},
    "gb": {
        "abe": "Aberdeen", "agy": "Anglesey", "bfs": "Belfast", "bdg": "Barking & Dagenham", "bkm": "Bucks",
        "bst": "Bristol", "cam": "Cambs", "dby": "Derbys", "dnd": "Dundee", "dur": "Durham, Co Durham",
        "edh": "Edinburgh", "els": "Western Isles, Outer Hebrides, Na h-Eileanan Siar",
        "ery": "East Yorkshire, E Yorks",
        "esx": "E Sussex", "glg": "Glasgow", "gls": "Glos", "ham": "Hants", "hld": "Highlands, The Highlands",
        "hrt": "Herts", "iow": "IOW", "khl": "Hull", "lan": "Lancs", "lec": "Leics", "lin": "Lincs",
        "nbl": "Northd", "net": "Newcastle", "nir": "N Ireland, NI, Ulster", "ntt": "Notts",
        "nyk": "N Yorkshire, N Yorks", "ork": "Orkney", "oxf": "Oxon", "shr": "Salop", "sts": "Staffs",
        "vgl": "Vale of Glamorgan", "war": "Warks", "wil": "Wilts", "wor": "Worcs", "wsx": "W Sussex",
        "zet": "Shetland",
    },
    "ie": {"c": "Connacht", "d": "Baile Átha Cliath", "g": "Gaillimh", "co": "Corcaigh", "lk": "Luimneach"},
    "de": {
        "bw": "BaWü, Baden-Wuerttemberg", "by": "Bavaria", "he": "Hesse",
        "mv": "Mecklenburg-Western Pomerania, Mecklenburg-West Pomerania, Meck-Pomm",
        "ni": "Lower Saxony, Nds", "nw": "NRW, North Rhine-Westphalia",
        "rp": "Rhineland-Palatinate, RLP", "sl": "Saar", "sn": "Saxony", "st": "Saxony-Anhalt, LSA", "th": "Thuringia",
    },
    "at": {
        "1": "Bgld", "2": "Carinthia, Ktn", "3": "Lower Austria, NÖ", "4": "Upper Austria, OÖ", "5": "Sbg",
        "6": "Styria, Stmk", "7": "Tyrol", "8": "Vbg", "9": "Vienna",
    },
    "ch": {
        "ag": "Argovie, Argovia", "ai": "Appenzell Inner Rhodes", "ar": "Appenzell Outer Rhodes", "be": "Bern, Berna",
        "bl": "Baselland, Basel-Country, Bâle-Campagne", "bs": "Basel, Basle, Bâle, Basel-City, Bâle-Ville",
        "fr": "Freiburg, Friburgo", "ge": "Geneva, Genf, Ginevra", "gl": "Glaris", "gr": "Grisons, Grigioni",
        "lu": "Lucerne, Lucerna", "ne": "Neuenburg", "nw": "Nidwald", "ow": "Obwald",
        "sg": "St Gallen, St Gall, Saint-Gall, San Gallo", "sh": "Schaffhouse", "so": "Soleure", "sz": "Schwytz",
        "tg": "Thurgovie", "ti": "Tessin", "vd": "Waadt", "vs": "Wallis, Vallese", "zg": "Zoug", "zh": "Zurigo",
    },
    "es": {
        "a": "Alacant", "an": "Andalusia", "ar": "Aragon", "bi": "Biscay, Vizcaya", "c": "Coruña, Corunna",
        "cl": "Castile and León, Castilla-León", "cm": "Castile-La Mancha, Castilla La Mancha",
        "cn": "Canary Islands, Islas Canarias, Canaries", "cs": "Castelló, Castellón de la Plana", "ct": "Catalonia",
        "mc": "Region of Murcia", "md": "Community of Madrid", "na": "Navarre, Nafarroa", "gc": "Gran Canaria",
        "pm": "Balearic Islands, Balearics, Baleares, Mallorca, Majorca", "pv": "Basque Country, Euskadi",
        "se": "Seville", "ss": "Guipúzcoa", "tf": "Tenerife", "v": "València",
        "vc": "Comunitat Valenciana, Valencian Community, Comunidad de Valencia", "vi": "Araba", "z": "Saragossa",
    },
    "it": {
        "21": "Piedmont", "23": "Aosta, Aosta Valley, AO, Vallée d'Aoste", "25": "Lombardy",
        "32": "Trentino-Südtirol, Trentino-South Tyrol, Trentino-Alto Adige/Südtirol",
        "52": "Tuscany", "57": "The Marches", "62": "Latium", "75": "Apulia", "82": "Sicily", "88": "Sardinia",
        "bz": "Bozen, Alto Adige, South Tyrol, Südtirol, Bolzano-Bozen", "fi": "Florence", "ge": "Genoa",
        "mb": "Monza, Monza e della Brianza", "mi": "Milan", "mn": "Mantua", "na": "Naples", "pd": "Padua",
        "pu": "Pesaro", "rc": "Reggio di Calabria", "re": "Reggio nell'Emilia", "rm": "Rome", "sr": "Syracuse",
        "tn": "Trentino", "to": "Turin", "ve": "Venice",
    },
    "fr": {
        "20r": "Corsica, 20", "69m": "Grand Lyon", "75c": "75, Ville de Paris", "bfc": "Burgundy-Franche-Comté",
        "bre": "Brittany", "cvl": "Centre", "idf": "IDF, Paris Region", "nor": "Normandy", "pac": "PACA",
        "973": "Guyane, French Guiana", "974": "Réunion", "nc": "New Caledonia", "pf": "French Polynesia, Polynésie",
    },
    "nl": {
        "fr": "Friesland", "ge": "Guelders", "nb": "North Brabant, Brabant", "nh": "North Holland",
        "zh": "South Holland", "ze": "Zealand",
    },
    "br": {"df": "Brasília, Federal District", "rj": "Rio"},
    "mx": {
        "agu": "Ags", "bcn": "BC", "cmx": "CDMX, Mexico City, Distrito Federal, DF", "chh": "Chih", "chp": "Chis",
        "coa": "Coahuila, Coah", "dur": "Dgo", "gro": "Gro", "gua": "Gto", "hid": "Hgo",
        "mex": "Edomex, Edo Mex, State of Mexico", "mic": "Michoacán, Mich", "nle": "NL", "que": "Qro",
        "roo": "Q Roo, QR", "tam": "Tamps", "tla": "Tlax", "ver": "Veracruz",
    },
    "pl": {
        "02": "Lower Silesia, Lower Silesian, Dolny Śląsk", "04": "Kuyavia-Pomerania, Kuyavian-Pomeranian, Kujawy",
        "06": "Lublin", "08": "Lubusz", "10": "Łódź", "12": "Lesser Poland, Małopolska",
        "14": "Mazovia, Masovia, Mazovian, Masovian, Mazowsze", "16": "Opole",
        "18": "Subcarpathia, Subcarpathian, Podkarpacie", "20": "Podlasie, Podlachia",
        "22": "Pomerania, Pomeranian, Pomorze",
        "24": "Silesia, Silesian, Śląsk", "26": "Holy Cross", "28": "Warmia-Masuria, Warmian-Masurian, Warmia i Mazury",
        "30": "Greater Poland, Wielkopolska", "32": "West Pomerania, West Pomeranian, Pomorze Zachodnie",
    },
    "kr": {
        "11": "Seoul", "26": "Busan, Pusan", "27": "Daegu, Taegu", "28": "Incheon", "29": "Gwangju", "30": "Daejeon",
        "31": "Ulsan", "50": "Sejong",
    },
    "in": {
        "an": "Andaman & Nicobar", "cg": "Chattisgarh, CT", "dh": "Daman & Diu, Dadra & Nagar Haveli",
        "dl": "New Delhi, NCT of Delhi, Delhi NCT", "jk": "J&K", "od": "Orissa, OR", "py": "Pondicherry",
        "ts": "TG, Telengana", "uk": "Uttaranchal, UT, UA",
    },
}  # fmt: skip
"""By country and the code's suffix: the names, separated by commas."""

FORMS: Mapping[str, tuple[str, ...]] = {
    "us": ("State of {}", "{} State"),
    "ie": ("County {}", "Co {}"),
    "jp": ("{} ken", "{} to", "{} fu", "{} prefecture", "{}県", "{}都", "{}府"),
    "kr": ("{}특별시", "{}광역시"),
    "de": ("Land {}", "Freistaat {}"),
    "ch": ("Kanton {}", "Canton {}", "Canton de {}", "Canton du {}", "Canton of {}", "Cantone {}"),
    "nl": ("Provincie {}",),
    "br": ("Estado de {}", "Estado do {}", "Estado da {}"),
    "mx": ("Estado de {}",),
    "pl": ("Województwo {}", "Woj {}"),
}
"""By country: the phrases around a province's name, such as `County Cork`."""
