"""Maps of countries for the tests: the set-up of 1805 as a drawing, and the autumn that followed."""

from __future__ import annotations

import tomllib
from typing import Any

from pbem import paths
from pbem.kernel.drawing import (
    Battle,
    Control,
    Counter,
    Depot,
    Drawing,
    Fleet,
    Lang,
    March,
    Mark,
    Panel,
    Row,
    Score,
    Siege,
    Step,
    Supply,
    Tint,
    Track,
    Wash,
    Works,
)

NCE = paths.scenarios() / "nce"
TINTS: dict[str, Tint] = {
    "france": "france",
    "angleterre": "great_britain",
    "autriche": "austria",
    "prusse": "prussia",
    "russie": "russia",
    "espagne": "spain",
    "turquie": "turkey",
    "suede": "sweden",
    "portugal": "portugal",
}
MAJORS = tuple(TINTS)[:7]


def table(name: str) -> dict[str, Any]:
    return dict(tomllib.loads((NCE / f"{name}.toml").read_text(encoding="utf-8")))


def washes() -> list[Wash]:
    """Countries that follow a power, by their status of 1805."""
    followed: dict[str, Tint] = {}
    for country in table("countries")["country"]:
        status = country["start"].get("1805", "")
        if status == "protectorate":
            followed[country["id"]] = "france"
        elif status.startswith("ally_"):
            followed[country["id"]] = TINTS[status.removeprefix("ally_")]
    zones = table("zones")["zone"]
    return [Wash(z["id"], followed[z["country"]], True) for z in zones if z["country"] in followed]


def opening(moved: dict[str, str] | None = None) -> list[Mark]:
    """All forces, fleets and depots as they are set up; `moved` puts generals elsewhere."""
    names = {general["id"]: general["name"] for general in table("generals")["general"]}
    steps = {unit["id"]: unit["steps"] for unit in table("units")["unit"]}
    admirals = {fleet["id"]: fleet["name"] for fleet in table("fleets")["fleet"]}
    marks: list[Mark] = []
    for row in table("1805")["placement"]:
        tint, leader = TINTS.get(row["power"], "neutral"), row.get("commander", "")
        area = (moved or {}).get(leader, row.get("zone", ""))
        strength = sum(unit.get("steps", steps[unit["id"]]) for unit in row.get("units", ()))
        if strength:
            depth = min(3, len(row["units"]))
            marks.append(Counter(area, tint, str(strength), names.get(leader, ""), depth=depth))
        if row.get("mobile_depots"):
            marks.append(Depot(area, tint, mobile=True))
        fleets = row.get("fleets", ())
        if fleets:
            place = row.get("zone") or row.get("sea") or row["blockade"]
            name = admirals[fleets[0]] if len(fleets) == 1 and row["power"] in MAJORS else ""
            marks.append(Fleet(place, tint, str(len(fleets)), name, "blockade" in row))
    return marks


def autumn_1805(lang: Lang = "fr") -> Drawing:
    """Ulm and Mantua besieged, Kutuzov on the march: every kind of mark is on this sheet."""
    moved = {"napoleon": "ulm", "charles": "mantoue", "koutouzov": "brunn", "massena": "milan"}
    marks = opening(moved | {"mack": "ulm", "marmont": "wurtzburg", "jean": "innsbruck"})
    marks += washes()
    marks += [
        Counter("munich", "france", "4", "Davout", depth=2),
        Counter("mantoue", "france", "1"),
        Control("munich", "france"),
        Control("bologne", "austria"),
        Siege("ulm", "france", "2/3"),
        Siege("mantoue", "austria"),
        Works("mantoue", 1),
        Depot("strasbourg", "france"),
        Depot("vienne", "austria", 2),
        March(("lille", "metz", "mayence", "stuttgart", "ulm"), "france", "1"),
        March(("amsterdam", "dusseldorf", "mayence", "wurtzburg"), "france", "2"),
        March(("wurtzburg", "nuremberg", "munich"), "france", "3"),
        March(("venise", "mantoue"), "austria", "4"),
        March(("lublin", "tarnow", "cracovie", "olmutz", "brunn"), "russia", "5"),
        March(("munich", "salzbourg"), "austria", retreat=True),
        March(("mer_tyrrhenienne", "golfe_du_lion"), "great_britain"),
        Supply(("strasbourg", "bade", "ulm"), "france"),
        Supply(("vienne", "salzbourg", "munich", "ulm"), "austria", cut=True),
        Battle("ulm", "ulm", "Ulm"),
        Battle("golfe_de_cadix", "golfe_de_cadix"),
    ]
    fr = lang == "fr"
    rounds = ("mars", "mai", "juil.", "sept.", "oct.", "nov.", "hiver")
    months = rounds if fr else ("March", "May", "July", "Sept.", "Oct.", "Nov.", "winter")
    powers = (
        ("france", "France", 14, 7),
        ("great_britain", "Angleterre" if fr else "Great Britain", 6, 3),
        ("austria", "Autriche" if fr else "Austria", 12, 2),
        ("russia", "Russie" if fr else "Russia", 12, 2),
        ("prussia", "Prusse" if fr else "Prussia", 5, 0),
        ("spain", "Espagne" if fr else "Spain", 4, 0),
        ("turkey", "Turquie" if fr else "Turkey", 4, 0),
    )
    wealth = "{} ressources · {} cartes" if fr else "{} resources · {} cards"
    treasury: list[Row] = []
    tint: Tint
    for tint, name, money, cards in powers:  # type: ignore[assignment]
        treasury.append(Row(name, wealth.format(money, cards), tint))
    told = (
        ("1", "Napoléon : Lille – Ulm, marche forcée", "Napoléon: Lille to Ulm, forced march", "france"),
        ("2", "Marmont : Amsterdam – Wurtzbourg", "Marmont: Amsterdam to Würzburg", "france"),
        ("3", "Davout prend Munich", "Davout takes Munich", "france"),
        ("4", "Charles assiège Mantoue", "Charles besieges Mantua", "austria"),
        ("5", "Koutouzov : Lublin – Brünn", "Kutuzov: Lublin to Brünn", "russia"),
    )
    story = tuple(Row(a if fr else b, "", t, label=n) for n, a, b, t in told)  # type: ignore[arg-type]
    panels = (
        Panel("Puissances" if fr else "Powers", tuple(treasury)),
        Panel("La ronde" if fr else "The round", story),
        Panel(
            "Ravitaillement" if fr else "Supply",
            (
                Row("Napoléon, Ulm", "Strasbourg", "france"),
                Row("Mack, Ulm", "coupé" if fr else "cut", "austria"),
                Row("Charles, Mantoue", "Venise", "austria"),
                Row("Koutouzov, Brünn", "Vienne", "russia"),
            ),
        ),
    )
    return Drawing(
        "nce",
        subtitle="1805, ronde 3 · à l’Empire de jouer" if fr else "1805, round 3 · the Empire to play",
        marks=tuple(marks),
        track=Track("1805", tuple(Step(m) if i % 2 == 0 else Step() for i, m in enumerate(months)), 4),
        scores=(Score("france", "Empire", "2"), Score("allied", "Coalition", "1")),
        panels=panels,
        lang=lang,
    )
