# ruff: noqa: E741, B023, F403, F405
"""What must hold of the set-ups: places, forces that fit their counters, victory conditions."""

import functools
import operator

from .board_checks import *

# ---------------------------------------------------------------- scenarios
TYPE = {
    "I": "infantry",
    "C": "cavalry",
    "Gd": "guard",
    "A": "artillery",
    "Lt": "light",
    "insurrection": "insurrection",
}
LAND = ("I", "M", "C", "Gd", "A")


TESTS = {
    "sea_control",
    "ships_lost",
    "ships_lost_more",
    "corps_in",
    "occupy_all",
    "occupy_at_least",
    "occupy_fewer_than",
    "occupy_at_most",
    "not_occupied",
    "no_enemy_in_area",
    "leader_lost",
    "losses",
    "losses_both",
    "losses_share",
    "armistice",
    "any_of",
    "all_of",
    "otherwise",
}


def at_areas(at, where):
    """ids mentioned by a place, checked; returns the areas it may mean (None = not bound to areas)."""
    keys = set(at)
    ok = {
        "area",
        "city",
        "besieging",
        "besieged",
        "one_of",
        "split_areas",
        "split_cities",
        "each",
        "each_city",
        "provinces",
        "minors",
        "home",
        "controlled_by",
        "with_corps_of",
        "coast_of",
        "naval",
        "each_province_marked",
        "each_province_capital_of",
        "rule",
        "pick",
        "template",
        "in",
        "except",
        "except_provinces",
        "if",
        "corps",
        "or_garrisons",
        "or_cities_of_minors",
        "limit_capital",
        "limit_other",
        "limit_province",
        "limit_city",
        "present_at_start_of_turn",
        "with_own_corps_or_garrison",
        "note",
    }
    need(keys <= ok, f"{where}: place keys {sorted(keys - ok)}")
    out, bound = set(), False
    for k in ("area", "city", "besieging", "besieged"):
        if k in at:
            need(at[k] in AREA, f"{where}: {k} {at[k]}")
            if k != "area":
                need("city" in AREA.get(at[k], {}), f"{where}: {at[k]} has no city")
            out |= {at[k]} & set(AREA)
            bound = True
    for k in ("one_of", "split_areas", "split_cities", "each", "each_city"):
        for a in at.get(k, []):
            need(a in AREA, f"{where}: {k} {a}")
            if k in ("split_cities", "each_city"):
                need("city" in AREA.get(a, {}), f"{where}: {a} has no city")
            out |= {a} & set(AREA)
            bound = True
    for p in at.get("provinces", []):
        need(p in PROV, f"{where}: province {p}")
        out |= set(PROV.get(p, {}).get("areas", []))
        bound = True
    for m in at.get("minors", []):
        need(m in MINOR, f"{where}: minor {m}")
        out |= {a for p in PROV.values() if p["owner"] == m and p["kind"] != "home" for a in p["areas"]}
        bound = True
    for h in at.get("home", []):
        need(h in MAJORS, f"{where}: home {h}")
        out |= {a for p in PROV.values() if p["owner"] == h and p["kind"] == "home" for a in p["areas"]}
        bound = True
    for k in ("controlled_by",):
        for h in at.get(k, []):
            need(h in MAJORS, f"{where}: {k} {h}")
    for n in at.get("with_corps_of", []):
        need(n in NATIONS, f"{where}: with_corps_of {n}")
    for n in at.get("coast_of", []):
        need(n in MAJORS or n in MINOR, f"{where}: coast_of {n}")
    for m in at.get("or_cities_of_minors", []):
        need(m in MINOR, f"{where}: {m}")
    for a in at.get("except", []):
        need(a in AREA, f"{where}: except {a}")
    for p in at.get("except_provinces", []):
        need(p in PROV, f"{where}: except {p}")
    out -= set(at.get("except", []))
    out -= {a for p in at.get("except_provinces", []) for a in PROV[p]["areas"]}
    need(
        bound
        or keys
        & {
            "controlled_by",
            "with_corps_of",
            "coast_of",
            "naval",
            "rule",
            "each_province_marked",
            "each_province_capital_of",
        },
        f"{where}: no place",
    )
    return out if bound else None


def capacity(corps, rev):
    m = corps.get("max_1792", corps["max"]) if rev else corps["max"]
    return {
        "IM": m.get("im", m.get("i", 0)) + m.get("m", 0),
        "C": m.get("c", 0),
        "Gd": m.get("gd", 0),
        "A": m.get("a", 0),
    }


def counters(nation, typ, rev):
    if typ == "tyrol":
        return [CORPS["au_tyrol"]]
    t = TYPE[typ]
    return [
        c
        for c in CORPS.values()
        if c["nation"] == nation
        and c["type"] == t
        and c["id"] != "au_tyrol"
        and not (rev and c.get("unused_1792"))
    ]


def fit(entries, name, rev, exclusive):
    """greedy assignment of the largest counters to the neediest groups; exclusive = all stand at once."""
    groups = defaultdict(lambda: {"corps": Counter(), "factors": Counter(), "garrison": 0})
    for e in entries:
        corps = e.get("corps")
        if not isinstance(corps, dict):
            continue
        nation = e.get("nation", e["power"])
        where = f"{name} {e['ref']}"
        areas = at_areas(e["at"], where) if "at" in e else None
        g = groups[(e["ref"], nation)]
        g["corps"].update(dict(corps.items()))
        g["factors"].update({k: v for k, v in e.get("factors", {}).items() if k in (*LAND, "B")})
        if areas and "besieging" not in e["at"]:
            caps = sorted((5 * AREA[a].get("city", {}).get("spires", 0) for a in areas), reverse=True)
            g["garrison"] = max(
                g["garrison"],
                caps[0]
                if e["at"].get("pick") == "one" or "one_of" in e["at"] or "area" in e["at"]
                else sum(caps),
            )
        elif areas is None:
            g["garrison"] = 999
    pools = {}
    order = sorted(
        groups.items(),
        key=lambda kv: -((kv[1]["factors"]["I"] + kv[1]["factors"]["M"]) / max(1, kv[1]["corps"]["I"])),
    )
    for (ref, nation), g in order:
        got = []
        for typ, n in g["corps"].items():
            if typ == "fleet":
                fl = [f for f in FLEET.values() if f["nation"] == nation]
                need(len(fl) >= n, f"{name} {ref}: {n} fleets of {nation}, {len(fl)} exist")
                need(g["factors"]["B"] <= 30 * n, f"{name} {ref}: ships do not fit {n} fleets")
                continue
            key = (nation, typ)
            if not exclusive or key not in pools:
                lst = counters(nation, typ, rev)
                if exclusive:
                    pools[key] = lst
            lst = pools[key] if exclusive else lst
            wants_guard = (
                g["factors"]["Gd"] > 0 and not g["corps"]["Gd"]
            )  # guards in an infantry corps (Britain I, Spain I)
            lst.sort(
                key=lambda c: (
                    (capacity(c, rev)["Gd"] > 0) != wants_guard if typ == "I" else False,
                    -sum(capacity(c, rev).values()),
                )
            )
            if not need(len(lst) >= n, f"{name} {ref}: needs {n} {typ} corps of {nation}, {len(lst)} left"):
                continue
            got += lst[:n]
            del lst[:n]
        cap = Counter()
        for c in got:
            cap.update(capacity(c, rev))
        f = g["factors"]
        im = f["I"] + f["M"]
        need(
            im <= cap["IM"] + g["garrison"],
            f"{name} {ref} {nation}: {im} infantry and militia, room {cap['IM']} + garrison {g['garrison']}",
        )
        for k in ("C", "Gd", "A"):
            need(f[k] <= cap[k], f"{name} {ref} {nation}: {f[k]}{k}, room {cap[k]}")


def total(entries, key, nation=None, commanded=None):
    t = Counter()
    for e in entries:
        n = e.get("nation", e["power"])
        if (nation is None or n == nation) and (commanded is None or e["power"] == commanded):
            mult = (
                len(e["at"]["each_city"]) if isinstance(e.get("at"), dict) and "each_city" in e["at"] else 1
            )
            t.update({k: v * mult for k, v in e.get(key, {}).items() if isinstance(v, int)})
    return t


def check_scenarios():
    plays = {n: d for n, d in SCEN.items() if d.get("kind") in ("scenario", "campaign")}
    need(
        len([d for d in plays.values() if d["kind"] == "scenario" and d.get("origin") != "ours"]) == 5,
        "5 scenarios of the rulebook",
    )
    need(len([d for d in plays.values() if d["kind"] == "campaign"]) == 6, "6 campaigns")
    dates = set(next(iter(MINOR.values()))["at"])
    for n, d in plays.items():
        need(d["id"] in (n, "scenario_" + n), f"{n}: id {d['id']}")
        rev = d["id"].startswith("campaign_179")
        for t in ("force", "depot", "reinforcement", "pool"):
            for e in d.get(t, []):
                w = f"{n} {t} {e.get('ref')}"
                need(e["power"] in MAJORS | {"controller_of_sweden"}, f"{w}: power {e['power']}")
                if "nation" in e:
                    need(e["nation"] in NATIONS, f"{w}: nation {e['nation']}")
                for k in ("at", "depots_at"):
                    if isinstance(e.get(k), dict):
                        areas = at_areas(e[k], w)
                        if areas is not None:
                            need(areas, f"{w}: empty place")
                            if d["kind"] == "scenario" and t != "pool":
                                used = [a for a in areas if AREA[a]["sheet"] in d["sheets"]]
                                need(used, f"{w}: not on the map in use")
                for l in e.get("leaders", []) + e.get("remove_leaders", []):
                    need(l in LEADER, f"{w}: leader {l}")
                for k in e.get("factors", {}):
                    need(k in DATA["units"]["factor"], f"{w}: factor {k}")
        for c in d.get("control", []):
            w = f"{n} control {c['power']}"
            need(c["power"] in MAJORS | {"none", "neutral"}, w)
            for k in ("conquered", "free", "minors", "special_minors"):
                for m in c.get(k, []):
                    need(
                        m in MINOR or m == "poland" or (m in PROV and PROV[m]["kind"] == "district"),
                        f"{w}: {m}",
                    )
            for k in ("ceded_provinces", "home_except", "poland_provinces", "includes_districts"):
                for p in c.get(k, []):
                    need(p in PROV, f"{w}: {p}")
            for e in c.get("combinations", []):
                need(e in ENTITY, f"{w}: {e}")
            for a in c.get("supply_sources", []):
                need("city" in AREA.get(a, {}), f"{w}: source {a}")
        for t in ("war", "alliance"):
            for x in d.get(t, []):
                need({x["a"], x["b"]} <= MAJORS | {"united_states"}, f"{n} {t} {x}")
        for x in d.get("treaty", []):
            for k in ("a", "b", "from", "to", "in", "on"):
                if k in x:
                    need(x[k] in MAJORS, f"{n} treaty {x}")
            if "condition" in x:
                need(x["condition"] in TERM, f"{n} treaty {x}")
            for m in x.get("minors", []):
                need(m in MINOR, f"{n} treaty {x}")
        for x in d.get("player_count", []):
            need(set(x["powers"]) <= MAJORS and len(x["powers"]) == x["players"], f"{n} players {x}")
        for x in d.get("default_ump", []):
            need(x["power"] in MAJORS and x["controller"] in MAJORS | {"none"}, f"{n} ump {x}")

        def tests(t):
            need(t["kind"] in TESTS, f"{n} victory: kind {t['kind']}")
            for a in t.get("cities", []) + ([t["area"]] if "area" in t else []):
                need(a in AREA, f"{n} victory: {a}")
            if "leader" in t:
                need(t["leader"] in LEADER, f"{n} victory: {t['leader']}")
            for z in t.get("seas", []):
                need(z in SEA and z in d.get("seas", SEA), f"{n} victory: {z}")
            for p in t.get("provinces", []):
                need(p in PROV, f"{n} victory: {p}")
            if "side" in t and "sides" in d:
                need(t["side"] in d["sides"], f"{n} victory: side {t['side']}")
            for x in t.get("tests", []):
                tests(x)

        for v in d.get("victory", []):
            need("test" in v and "condition" in v, f"{n}: victory without test")
            tests(v.get("test", {}))
        col = {"1805": "1805-09", "1808_1814_spain": "1808-06", "1809": "1809-04"}.get(n)
        if col:
            listed = {
                m: f"{c['power']}/{state}"
                for c in d["control"]
                for state in ("conquered", "free")
                for m in c.get(state, [])
                if m in MINOR
            }
            for m in MINOR:
                need(
                    MINOR[m]["at"][col] == listed.get(m, "out"),
                    f"{n}: control list and minors.toml differ for {m}",
                )
        if d["kind"] == "scenario":
            need(set(functools.reduce(operator.iadd, d["sides"].values(), [])) <= MAJORS, f"{n}: sides")
            ip = d["in_play"]
            need(
                set(ip["homes"]) <= MAJORS
                and set(ip["minors"]) <= set(MINOR)
                and set(ip["provinces"]) <= set(PROV),
                f"{n}: in_play",
            )
            play = {
                a
                for p in PROV.values()
                for a in p["areas"]
                if p["id"] in ip["provinces"]
                or (p["owner"] in ip["homes"] and p["kind"] == "home")
                or (p["owner"] in ip["minors"] and p["kind"] != "home")
            }
            play = {a for a in play if AREA[a]["sheet"] in d["sheets"]}
            for e in d["force"] + d["depot"]:
                ar = at_areas(e["at"], n)
                if ar is not None:
                    need(ar & play, f"{n} {e['ref']}: out of play")
            g = {a: [b for b in AREA[a]["neighbours"] if b in play] for a in play}
            need(len(components(g)[0]) >= len(play) - 30, f"{n}: areas in play fall apart")
            if "seas" in d:
                water = {
                    z: [y for y in SEA.get(z, {"neighbours": []})["neighbours"] if y in d["seas"]]
                    for z in d["seas"]
                }
                need(set(d["seas"]) <= set(SEA) and len(components(water)) == 1, f"{n}: seas")
                for a in play:
                    need(
                        "port" not in AREA[a] or set(AREA[a]["port"]["seas"]) & set(d["seas"]),
                        f"{n}: port {a} on no sea in play",
                    )
            notes.append(f"{n}: {len(play)} areas in play")
        else:
            need(
                d["id"] in DATA["victory"]["levels"] and d["id"] in DATA["victory"]["starting_vp"],
                f"{n}: victory levels",
            )
            need(d["starting_vp"] == DATA["victory"]["starting_vp"][d["id"]], f"{n}: starting VP")
            need(d["control_column"] in dates, f"{n}: control column")
            for c in d.get("control", []):
                for state in ("conquered", "free"):
                    for m in c.get(state, []):
                        if m in MINOR:
                            got = MINOR[m]["at"][d["control_column"]].partition(": ")[0]
                            need(
                                got == f"{c['power']}/{state}",
                                f"{n}: control list and minors.toml differ for {m}: {got}",
                            )
            need(
                set(d["start_boxes"]) == MAJORS and set(d["start_boxes"].values()) <= set(STATUSBOX),
                f"{n}: start boxes",
            )
            need({p["power"] for p in d["pool"]} == MAJORS, f"{n}: pools")
            for p in d["pool"]:
                f = p["factors"]
                own = [
                    c
                    for c in CORPS.values()
                    if c["nation"] == p["power"]
                    and c["type"] not in ("insurrection", "feudal_infantry", "feudal_cavalry")
                    and c["id"] != "au_tyrol"
                    and not (rev and c.get("unused_1792"))
                ]
                cap = Counter()
                for c in own:
                    cap.update(capacity(c, rev))
                for k in ("C", "Gd", "A"):
                    need(f.get(k, 0) <= cap[k], f"{n} pool {p['power']}: {f.get(k)}{k}, room {cap[k]}")
                gar = 5 * sum(
                    AREA[a].get("city", {}).get("spires", 0)
                    for q in PROV.values()
                    if q["owner"] == p["power"] and q["kind"] == "home"
                    for a in q["areas"]
                )
                need(f.get("I", 0) + f.get("M", 0) <= cap["IM"] + gar, f"{n} pool {p['power']}: infantry")
                need(f.get("B", 0) <= 30 * POWER[p["power"]]["fleets"], f"{n} pool {p['power']}: ships")
                if isinstance(p.get("depots"), int):
                    need(p["depots"] <= DATA["units"]["depots"][p["power"]], f"{n} pool {p['power']}: depots")
                for l in p["leaders"]:
                    need(LEADER.get(l, {}).get("power") == p["power"], f"{n} pool {p['power']}: leader {l}")
        fit(d.get("force", []), n, rev, True)
        fit([e for e in d.get("reinforcement", []) if "factors" in e], n, rev, False)
        if "armistice" in d:
            ar = d["armistice"]
            for k in ("austria_bohemia", "austria_elsewhere"):
                at_areas(ar[k]["at"], f"{n} armistice")
            fit(
                [
                    dict(ar["austria_bohemia"], ref="armistice A", power="austria"),
                    dict(ar["austria_elsewhere"], ref="armistice B", power="austria"),
                ],
                n,
                rev,
                True,
            )
    seen = set()
    for r in SCEN["players"]["table"]:
        need(
            len(r["played"]) == r["players"]
            and set(r["played"]) | set(r["uncontrolled"]) == MAJORS
            and not set(r["played"]) & set(r["uncontrolled"]),
            f"players {r['campaigns']} {r['players']}: powers",
        )
        need(
            set(r["uncontrolled"].values()) <= set(r["played"]) | {"neutral", "bid"},
            f"players {r['campaigns']} {r['players']}: controllers",
        )
        need(
            set(r.get("doubled", {})) <= set(r["played"])
            and set(r.get("doubled", {}).values()) <= set(r["uncontrolled"])
            and ("doubled" in r) == (r["players"] > 3),
            f"players {r['campaigns']} {r['players']}: doubled",
        )
        for k in r["campaigns"]:
            seen.add((k, r["players"]))
            need(
                [x["powers"] for x in plays[k]["player_count"] if x["players"] == r["players"]]
                == [r["played"]],
                f"players {k} {r['players']}: differs from player_count",
            )
            ump = {
                x["power"]: x["controller"] if x["status"] == "active" else "neutral"
                for x in plays[k].get("default_ump", [])
            }
            for w, h in r["uncontrolled"].items():
                want = ump.get(w, "bid")
                while (
                    want in r["uncontrolled"]
                ):  # an uncontrolled power's uncontrolled power passes to its controller
                    want = ump[want]
                need(h == want, f"players {k} {r['players']}: {w} {h}, campaign file says {want}")
    need(len(seen) == 5 * 6, "players.toml: every campaign with 2-6 players")
    # totals of the worked cases D1-D5 (EXAMPLES-C)
    s = SCEN["1805"]["force"]
    need(total(s, "factors", "austria") == Counter(I=70, C=19, Gd=3), "D1 Austria")
    need(total(s, "factors", "russia") == Counter(I=36, M=1, C=7, Gd=5, CK=2), "D1 Russia")
    need(total(s, "factors", "france") == Counter(I=97, C=17, Gd=3), "D1 France")
    need(total(s, "factors", "bavaria") == Counter(I=10, C=1), "D1 Bavaria")
    s = SCEN["1812"]["force"]
    need(total(s, "factors", "russia") == Counter(I=152, C=20, Gd=10, A=10, CK=3), "D2 Russia")
    need(total(s, "factors", "france") == Counter(I=53, M=21, C=24, Gd=20, A=12), "D2 France")
    s = SCEN["1808_1814_spain"]["force"]
    need(total(s, "factors", "spain") == Counter(I=37, M=19, C=11, Gd=1), "D3 Spain")
    need(total(s, "factors", "france") == Counter(I=53, M=27, C=7), "D3 France")
    s = SCEN["campaign_1812_1815"]["force"]
    need(total(s, "factors", "france") == Counter(I=159, M=147, C=35, Gd=20, A=12, B=25), "D4 France")
    need(total(s, "factors", "russia") == Counter(I=160, M=25, C=20, Gd=10, A=10, CK=3, B=30), "D4 Russia")
    need(total(s, "factors", "great_britain") == Counter(I=53, M=12, C=4, Gd=2, B=120), "D4 Britain")
    p = {x["power"]: x for x in SCEN["campaign_1805_1807"]["pool"]}
    need(
        {w: p[w]["factors"].get("I") for w in MAJORS}
        == {
            "france": 135,
            "prussia": 80,
            "austria": 75,
            "russia": 75,
            "spain": 41,
            "turkey": 35,
            "great_britain": 19,
        },
        "D5 infantry",
    )
    need(
        {w: p[w]["money"] for w in MAJORS}
        == {
            "france": 45,
            "prussia": 18,
            "austria": 33,
            "russia": 37,
            "spain": 16,
            "turkey": 11,
            "great_britain": 25,
        },
        "D5 money",
    )
    rev = SCEN["revolution"]
    for k in rev["vendee"]["provinces"] + [rev["vendee"]["province"]]:
        need(k in PROV, f"vendee {k}")
