"""What shoppers type as their province, and the suffix of the code that they mean."""

TYPED = {
    "us": {
        "New York": "ny", "NY": "ny", "N.Y.": "ny", "Calif.": "ca", "Washington, D.C.": "dc", "tx": "tx",
        "New York State": "ny", "north carolina": "nc",
    },
    "ca": {
        "Quebec": "qc", "Québec": "qc", "B.C.": "bc", "P.E.I.": "pe", "Newfoundland": "nl", "Alta.": "ab",
        "Colombie-Britannique": "bc", "ontario": "on",
    },
    "au": {"N.S.W.": "nsw", "NSW": "nsw", "Victoria": "vic", "Vic.": "vic", "A.C.T.": "act", "Qld": "qld"},
    "gb": {
        "England": "eng", "Wales": "wls", "N. Ireland": "nir", "Kent": "ken", "City of Bristol": "bst", "Hants": "ham",
        "Co. Durham": "dur", "Stoke on Trent": "ste", "Edinburgh": "edh", "St Helens": "shn",
    },
    "ie": {"Co. Cork": "co", "County Dublin": "d", "Galway": "g", "Connacht": "c"},
    "de": {
        "Bavaria": "by", "NRW": "nw", "Nordrhein Westfalen": "nw", "Thueringen": "th", "Thuringen": "th",
        "Baden Württemberg": "bw", "Saxony": "sn", "Freistaat Bayern": "by",
    },
    "at": {"Vienna": "9", "Wien": "9", "Tyrol": "7", "Niederoesterreich": "3", "NÖ": "3", "Steiermark": "6"},
    "ch": {
        "Zurich": "zh", "Zuerich": "zh", "Geneva": "ge", "St. Gallen": "sg", "Bern": "be", "Canton de Vaud": "vd",
        "Tessin": "ti", "Basel": "bs",
    },
    "es": {
        "Catalonia": "ct", "Cataluña": "ct", "Catalunya": "ct", "Andalucia": "an", "Vizcaya": "bi", "Sevilla": "se",
        "Islas Baleares": "pm", "Comunidad de Madrid": "md", "País Vasco": "pv", "Madrid": "m",
    },
    "it": {
        "Lombardy": "25", "Toscana": "52", "Rome": "rm", "MI": "mi", "Alto Adige": "bz", "Valle d\u2019Aosta": "23",
        "Forli-Cesena": "fc", "Emilia Romagna": "45",
    },
    "fr": {
        "Ile de France": "idf", "Normandy": "nor", "PACA": "pac", "Provence Alpes Cote d'Azur": "pac", "75": "75c",
        "Val d'Oise": "95", "Bretagne": "bre",
    },
    "nl": {"North Holland": "nh", "Noord Holland": "nh", "Friesland": "fr", "Brabant": "nb"},
    "br": {"Sao Paulo": "sp", "SP": "sp", "Brasilia": "df", "Estado do Paraná": "pr", "Rio de Janeiro": "rj"},
    "mx": {"CDMX": "cmx", "D.F.": "cmx", "Nuevo Leon": "nle", "Jal.": "jal", "Estado de México": "mex", "Q.Roo": "roo"},
    "pl": {"mazowieckie": "14", "Małopolska": "12", "woj. śląskie": "24", "Lodzkie": "10", "Lower Silesia": "02"},
    "in": {"Maharashtra": "mh", "Tamilnadu": "tn", "Orissa": "od", "J&K": "jk", "UP": "up", "Andaman & Nicobar": "an"},
    "no": {"More og Romsdal": "15"},
    "dk": {"Sjaelland": "85"},
}  # fmt: skip
