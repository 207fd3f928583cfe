"""English names of places and people, understood beside those of the map."""

from __future__ import annotations

ZONES: dict[str, tuple[str, ...]] = {
    "adrianople": ("Edirne",),
    "agram": ("Zagreb",),
    "alexandrie": ("Alexandria",),
    "alger": ("Algiers",),
    "ancone": ("Ancona",),
    "anvers": ("Antwerp",),
    "athenes": ("Athens",),
    "bade": ("Baden",),
    "barcelone": ("Barcelona",),
    "berne": ("Bern",),
    "bologne": ("Bologna",),
    "brousse": ("Bursa",),
    "brunn": ("Brno",),
    "bruxelles": ("Brussels",),
    "bucarest": ("Bucharest",),
    "budapest": ("Buda", "Pest", "Ofen"),
    "cadix": ("Cadiz",),
    "candie": ("Candia", "Heraklion"),
    "carthagene": ("Cartagena",),
    "christiania": ("Oslo",),
    "cleves": ("Kleve",),
    "copenhague": ("Copenhagen",),
    "corfou": ("Corfu",),
    "cracovie": ("Cracow", "Krakow"),
    "dantzig": ("Gdansk",),
    "dresde": ("Dresden",),
    "edimbourg": ("Edinburgh",),
    "genes": ("Genoa",),
    "gerone": ("Gerona", "Girona"),
    "goteborg": ("Gothenburg",),
    "grenade": ("Granada",),
    "groningue": ("Groningen",),
    "hambourg": ("Hamburg",),
    "hanovre": ("Hanover",),
    "jassy": ("Iasi",),
    "kalouga": ("Kaluga",),
    "kassel": ("Cassel",),
    "koenigsberg": ("Kaliningrad",),
    "koniggratz": ("Koniggratz",),
    "la_corogne": ("Corunna", "Coruna"),
    "la_valette": ("Valletta", "Malta"),
    "le_caire": ("Cairo",),
    "lemberg": ("Lvov", "Lwow"),
    "lisbonne": ("Lisbon",),
    "londres": ("London",),
    "lyon": ("Lyons",),
    "magdebourg": ("Magdeburg",),
    "mantoue": ("Mantua", "Mantova"),
    "marseille": ("Marseilles",),
    "mayence": ("Mainz", "Mentz"),
    "moscou": ("Moscow",),
    "naples": ("Napoli",),
    "nice": ("Nizza",),
    "nish": ("Nis",),
    "palerme": ("Palermo",),
    "pampelune": ("Pamplona",),
    "peterwardein": ("Petrovaradin",),
    "posen": ("Poznan",),
    "presbourg": ("Pressburg", "Bratislava"),
    "reims": ("Rheims",),
    "reval": ("Tallinn",),
    "riazan": ("Ryazan",),
    "saint_petersbourg": ("St Petersburg",),
    "salonique": ("Salonica", "Thessaloniki"),
    "salzbourg": ("Salzburg",),
    "saragosse": ("Saragossa", "Zaragoza"),
    "sebastopol": ("Sevastopol", "Sebastopol"),
    "seville": ("Sevilla",),
    "smyrne": ("Smyrna", "Izmir"),
    "strasbourg": ("Strassburg",),
    "szeged": ("Szegedin",),
    "tanger": ("Tangier",),
    "tarente": ("Taranto",),
    "thorn": ("Torun",),
    "valence": ("Valencia",),
    "varsovie": ("Warsaw",),
    "venise": ("Venice",),
    "vienne": ("Vienna", "Wien"),
    "vilna": ("Vilnius",),
    "widin": ("Vidin",),
    "wittemberg": ("Wittenberg",),
    "wurtzburg": ("Wurzburg",),
}

_HORSE = ("cavalry reserve", "reserve cavalry", "réserve de cavalerie")
UNITS: dict[str, tuple[str, ...]] = {
    "fr_garde": ("Guard", "Imperial Guard", "Garde impériale"),
    "ru_garde": ("Guard", "Russian Guard"),
    "pr_garde": ("Guard", "Prussian Guard"),
    "fr_res_cav": _HORSE,
    "au_res_cav": _HORSE,
    "ru_res_cav": _HORSE,
}
"""Units as people call them; each side means its own."""

SEAS: dict[str, tuple[str, ...]] = {
    "adriatique": ("Adriatic", "Adriatic Sea"),
    "atlantique_nord": ("North Atlantic",),
    "atlantique_sud": ("South Atlantic",),
    "baltique_nord": ("North Baltic", "Northern Baltic"),
    "baltique_sud": ("South Baltic", "Southern Baltic"),
    "golfe_de_cadix": ("Gulf of Cadiz",),
    "golfe_de_gascogne": ("Bay of Biscay", "Biscay"),
    "golfe_du_lion": ("Gulf of Lion", "Gulf of Lions", "Gulf of Lyon", "golfe du Lyon"),
    "manche": ("Channel", "English Channel"),
    "mediterranee_centrale": ("Central Mediterranean",),
    "mediterranee_occidentale": ("Western Mediterranean", "West Mediterranean"),
    "mediterranee_orientale": ("Eastern Mediterranean", "East Mediterranean"),
    "mer_d_irlande": ("Irish Sea",),
    "mer_de_marmara": ("Sea of Marmara",),
    "mer_du_nord": ("North Sea",),
    "mer_egee": ("Aegean", "Aegean Sea"),
    "mer_noire": ("Black Sea",),
    "mer_tyrrhenienne": ("Tyrrhenian Sea", "Tyrrhenian"),
}

GENERALS: dict[str, tuple[str, ...]] = {
    "benningsen": ("Bennigsen",),
    "charles": ("Archduke Charles", "archiduc Charles"),
    "dokhtourov": ("Dokhturov",),
    "jean": ("Archduke John", "archiduc Jean", "John"),
    "koutouzov": ("Kutuzov", "Kutusov"),
    "tchigatchov": ("Chichagov",),
    "tormassov": ("Tormasov",),
}

COUNTRIES: dict[str, str] = {
    "algerie": "Algeria",
    "angleterre": "England",
    "autriche": "Austria",
    "bade": "Baden",
    "baviere": "Bavaria",
    "cleves": "Cleves",
    "confederation_rhin": "Confederation of the Rhine",
    "corfou": "Corfu",
    "danemark": "Denmark",
    "egypte": "Egypt",
    "espagne": "Spain",
    "finlande": "Finland",
    "hanovre": "Hanover",
    "hollande": "Holland",
    "maroc": "Morocco",
    "mecklembourg": "Mecklenburg",
    "naples": "Kingdom of Naples",
    "norvege": "Norway",
    "palatinat": "Palatinate",
    "papaute": "Papal States",
    "pologne": "Poland",
    "prusse": "Prussia",
    "royaume_baviere": "Kingdom of Bavaria",
    "royaume_italie": "Kingdom of Italy",
    "russie": "Russia",
    "sardaigne": "Sardinia",
    "saxe": "Saxony",
    "serbes": "Serbia",
    "sicile": "Sicily",
    "suede": "Sweden",
    "suisse": "Switzerland",
    "thuringe": "Thuringia",
    "tunisie": "Tunisia",
    "turquie": "Turkey",
    "westphalie": "Westphalia",
    "wurtemberg": "Württemberg",
}
"""What letters in English call them."""

PROVINCES: dict[str, tuple[str, ...]] = {
    "boheme": ("Bohemia",),
    "brandebourg": ("Brandenburg",),
    "carinthie": ("Carinthia",),
    "croatie": ("Croatia",),
    "galicie": ("Galicia",),
    "hongrie": ("Hungary",),
    "illyrie": ("Illyria",),
    "lombardie": ("Lombardy",),
    "mazovie": ("Masovia",),
    "moravie": ("Moravia",),
    "piemont": ("Piedmont",),
    "pomeranie": ("Pomerania",),
    "posnanie": ("Posnania",),
    "prusse_occidentale": ("West Prussia",),
    "prusse_orientale": ("East Prussia",),
    "silesie": ("Silesia",),
    "toscane": ("Tuscany",),
    "transylvanie": ("Transylvania",),
    "venetie": ("Venetia",),
}

BARE = ("bade", "berg", "cleves", "corfou")
"""Countries that take no article in French."""
MASCULINE = (
    *("danemark", "hanovre", "maroc", "mecklembourg", "palatinat", "portugal", "wurtemberg"),
    *("royaume_italie", "royaume_baviere", "naples"),
)
PLURAL = ("tyroliens", "chouans", "serbes")


def with_article(id: str, name: str) -> str:
    """A country as French says it: la Prusse, l'Autriche, le Danemark."""
    if id in BARE:
        return name
    if id in PLURAL:
        return f"les {name}"
    if name[0] in "AEIOUÉ":
        return f"l'{name}"
    return f"le {name}" if id in MASCULINE else f"la {name}"


def sea_with_article(name: str) -> str:
    """A sea as French says it: le Golfe du Lion, l'Adriatique, la Manche."""
    if name[0] in "AEIOU":
        return f"l'{name}"
    return f"le {name}" if name.startswith(("Golfe", "Détroit")) else f"la {name}"


def at_town(name: str) -> str:
    """French `à` before a town: à Brest, au Caire."""
    return f"au {name[3:]}" if name.startswith("Le ") else f"à {name}"
