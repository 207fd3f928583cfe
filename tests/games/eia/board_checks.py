# ruff: noqa: E741, SIM102
"""What must hold of the data of the board: references, borders, connectivity, charts, shapes, distances."""

import glob
import itertools
import json
import os
import tomllib
from collections import Counter, defaultdict

from pbem import paths

HERE = str(paths.scenarios() / "eia")
errors: list[str] = []
notes: list[str] = []


def err(msg):
    errors.append(msg)


def need(cond, msg):
    if not cond:
        err(msg)
    return cond


def load(name):
    try:
        with open(os.path.join(HERE, name), "rb") as f:
            return tomllib.load(f)
    except (OSError, tomllib.TOMLDecodeError) as e:
        err(f"{name}: {e}")
        return {}


FILES = [
    "areas",
    "seas",
    "provinces",
    "minors",
    "powers",
    "leaders",
    "units",
    "political_status",
    "economy",
    "victory",
    "calendar",
    "peace_terms",
    "combat",
    "options",
    "entities",
    "diplomacy",
    "movement",
    "political_points",
    "sequence",
]
DATA = {n: load(n + ".toml") for n in FILES}
SCEN = {
    os.path.basename(p)[:-5]: load("setups/" + os.path.basename(p))
    for p in sorted(glob.glob(os.path.join(HERE, "setups", "*.toml")))
}


def index(rows, what, key="id"):
    out = {}
    for r in rows:
        need(r[key] not in out, f"{what}: duplicate id {r[key]}")
        out[r[key]] = r
    return out


AREA = index(DATA["areas"]["area"], "areas")
SEA = index(DATA["seas"]["sea"], "seas")
BOX = index(DATA["seas"]["blockade_box"], "blockade boxes", "area")
PROV = index(DATA["provinces"]["province"], "provinces")
MINOR = index(DATA["minors"]["minor"], "minors")
POWER = index(DATA["powers"]["power"], "powers")
LEADER = index(DATA["leaders"]["leader"], "leaders")
CORPS = index(DATA["units"]["corps"], "corps")
FLEET = index(DATA["units"]["fleet"], "fleets")
ENTITY = index(DATA["entities"]["entity"], "entities")
OPTION = index(DATA["options"]["option"], "options")
STATUSBOX = index(DATA["political_status"]["box"], "status boxes")
TERM = index(DATA["peace_terms"]["term"], "peace terms")
MAJORS = set(POWER)
NATIONS = MAJORS | set(MINOR) | {"poland"}
STATUS = {"text", "public", "reconstructed"}


def check_status():
    """every status word is one of the three; every file states one."""

    def walk(v, path):
        if isinstance(v, dict):
            for k, x in v.items():
                if k == "status" or k.endswith("_status"):
                    if isinstance(x, str) and k not in ("setup_status",):
                        need(x in STATUS, f"{path}: {k} = {x!r}")
                walk(x, f"{path}.{k}")
        elif isinstance(v, list):
            for x in v:
                walk(x, path)

    for n in FILES:
        if n not in ("peace_terms",):
            walk(DATA[n], n)
    for n, d in SCEN.items():
        need(d.get("status") in STATUS, f"scenarios/{n}: no status")


def components(graph):
    seen, out = set(), []
    for start in graph:
        if start in seen:
            continue
        comp, todo = set(), [start]
        while todo:
            x = todo.pop()
            if x in comp:
                continue
            comp.add(x)
            todo += graph[x]
        seen |= comp
        out.append(comp)
    return sorted(out, key=len, reverse=True)


def check_areas():
    kinds = {"land", "river", "crest", "strait", "strait_option"}
    for i, a in AREA.items():
        for k in ("name", "province", "terrain", "forage", "sheet", "lat", "lon", "neighbours", "status"):
            need(k in a, f"area {i}: no {k}")
        need(a["province"] in PROV, f"area {i}: province {a['province']}")
        need(a["terrain"] in DATA["combat"]["terrain"], f"area {i}: terrain {a['terrain']}")
        need(0 <= a["forage"] <= 6, f"area {i}: forage {a['forage']}")
        need(a["sheet"] in ("west", "east", "both"), f"area {i}: sheet")
        if "city" in a:
            c = a["city"]
            need(1 <= c["spires"] <= 5 and 0 <= c["fortress"] <= 3, f"area {i}: city {c}")
            need(c.get("capital") in (None, "national", "province"), f"area {i}: capital mark")
        for s in a.get("coast", []):
            need(s in SEA, f"area {i}: coast {s}")
        if "port" in a:
            p = a["port"]
            need("city" in a, f"area {i}: port without city")
            for k in ("name", "trade_british", "trade_owner", "guns", "seas"):
                need(k in p, f"area {i}: port lacks {k}")
            need(
                p["seas"] and set(p["seas"]) <= set(a.get("coast", [])),
                f"area {i}: port seas not on its coast",
            )
            b = BOX.get(i)
            if need(b, f"area {i}: no blockade box"):
                for k in ("name", "trade_british", "trade_owner", "guns", "seas"):
                    need(b[k] == p[k], f"area {i}: blockade box differs in {k}")
        need(a["neighbours"] or "coast" in a, f"area {i}: unreachable")
        for j, k in a["neighbours"].items():
            need(k in kinds, f"area {i}: crossing {k}")
            if need(j in AREA, f"area {i}: neighbour {j}"):
                need(AREA[j]["neighbours"].get(i) == k, f"adjacency not symmetric: {i} - {j}")
                need(i != j, f"area {i}: own neighbour")
            if k == "river":
                need(j in a.get("rivers", {}), f"river without name: {i} - {j}")
    for i in BOX:
        need(i in AREA and "port" in AREA[i], f"blockade box without port: {i}")
    graph = {i: [j for j, k in a["neighbours"].items() if k != "strait_option"] for i, a in AREA.items()}
    comps = components(graph)
    for c in comps[1:]:
        need(
            all("coast" in AREA[i] for i in c) or any("port" in AREA[i] for i in c),
            f"cut off inland: {sorted(c)}",
        )
        need(len(c) <= 20, f"large separate land mass: {sorted(c)}")
    notes.append(
        f"land: {len(comps)} components, main {len(comps[0])}; islands {sorted(min(c) for c in comps[1:])}"
    )
    return graph


def check_names():
    """names and aliases by which orders may call an area must be unambiguous."""
    used = defaultdict(set)
    for i, a in AREA.items():
        for n in [i.replace("_", " "), a["name"], a.get("name_fr"), *a.get("aliases", [])]:
            if n:
                used[n.lower()].add(i)
    for n, who in used.items():
        need(len(who) == 1, f"name {n!r} means {sorted(who)}")


def check_seas():
    for i, s in SEA.items():
        for j in s["neighbours"]:
            if need(j in SEA, f"sea {i}: neighbour {j}"):
                need(i in SEA[j]["neighbours"], f"sea adjacency not symmetric: {i} - {j}")
        need(
            set(s["ports"]) == {a for a, x in AREA.items() if i in x.get("port", {}).get("seas", [])},
            f"sea {i}: ports",
        )
        need(set(s["coasts"]) == {a for a, x in AREA.items() if i in x.get("coast", [])}, f"sea {i}: coasts")
    need(len(components({i: s["neighbours"] for i, s in SEA.items()})) == 1, "sea areas not connected")
    st = {frozenset((s["a"], s["b"])): s for s in DATA["seas"]["strait"]}
    for s in DATA["seas"]["strait"]:
        need(s["sea"] in SEA, f"strait {s}: sea")
        for e in ("a", "b"):
            need(s[e] in AREA, f"strait {s}")
        need(
            s["sea"] in AREA[s["a"]].get("coast", []) or s["sea"] in AREA[s["b"]].get("coast", []),
            f"strait {s['a']}-{s['b']}: {s['sea']} touches neither end",
        )
        if "option" in s:
            need(s["option"] in OPTION, f"strait option {s['option']}")
    for i, a in AREA.items():
        for j, k in a["neighbours"].items():
            if k.startswith("strait"):
                s = st.get(frozenset((i, j)))
                if need(s, f"strait {i}-{j} not in seas.toml"):
                    need(("option" in s) == (k == "strait_option"), f"strait {i}-{j}: option")
    for s in st:
        a, b = tuple(s)
        need(AREA[a]["neighbours"].get(b, "").startswith("strait"), f"strait {a}-{b} not in areas.toml")
    d = DATA["seas"]["dardanelles"]
    need(d["sea"] in SEA and AREA[d["controlled_by_holder_of"]]["port"]["seas"] == [d["sea"]], "dardanelles")
    ice = {i for i, s in SEA.items() if s["north_of_ice_line"]}
    need(ice == set(DATA["seas"]["ice_line"]["seas"]), "ice line seas")


def check_provinces():
    seen = Counter()
    for i, p in PROV.items():
        for k in ("name", "kind", "owner", "capital", "tax", "manpower", "winter", "areas"):
            need(k in p, f"province {i}: no {k}")
        need(p["kind"] in ("home", "minor", "district"), f"province {i}: kind")
        need(p["owner"] in (MAJORS if p["kind"] == "home" else MINOR), f"province {i}: owner {p['owner']}")
        need(p["capital"] in p["areas"], f"province {i}: capital not inside")
        need(
            AREA.get(p["capital"], {}).get("city", {}).get("capital"),
            f"province {i}: capital {p['capital']} has no capital city",
        )
        need(p["tax"] >= 0 and p["manpower"] >= 0, f"province {i}: values")
        for a in p["areas"]:
            seen[a] += 1
            need(a in AREA and AREA[a]["province"] == i, f"province {i}: area {a}")
        if p["owner"] == "spain":
            need("guerrilla" in p, f"province {i}: no guerrilla value")
    need(set(seen) == set(AREA) and max(seen.values()) == 1, "areas not partitioned by provinces")
    for i, a in AREA.items():
        if a.get("city", {}).get("capital") == "province":
            need(PROV[a["province"]]["capital"] == i, f"area {i}: marked capital but is not")
    for w, p in POWER.items():
        home = [q for q in PROV.values() if q["kind"] == "home" and q["owner"] == w]
        t = DATA["provinces"]["home_totals"][w]
        need(
            (len(home), sum(q["tax"] for q in home), sum(q["manpower"] for q in home))
            == (t["provinces"], t["tax"], t["manpower"]),
            f"home totals of {w}",
        )
        need(
            sorted(p["home_provinces"]) == sorted(q["id"] for q in home), f"powers.toml home provinces of {w}"
        )
        for c in p["capitals"]:
            need(AREA[c]["city"].get("capital") == "national", f"{c} not marked national capital")
    need(
        sum(q["manpower"] for q in PROV.values() if q["owner"] == "spain") == 16,
        "Spain's manpower must be 16 [14.3.2.2.1]",
    )
    need(
        AREA["paris"]["city"]["spires"] == 5 and AREA["grenoble"]["city"]["spires"] == 2,
        "Paris 5, Grenoble 2 [7.3.3.4]",
    )
    need(
        {i for i, p in PROV.items() if not p["winter"]}
        == set(DATA["calendar"]["winter_zone"]["excluded_provinces"]),
        "winter zone [9.2]",
    )
    need(
        set(DATA["units"]["insurrection"]["provinces"])
        == {i for i, p in PROV.items() if "insurrection" in p.get("marks", [])},
        "insurrection provinces",
    )
    pol = {i for i, p in PROV.items() if "polish" in p.get("marks", [])}
    need(set(ENTITY["poland"]["members_provinces"]) == pol, "polish marks")


def parse_status(v, where):
    if v in ("neutral", "out"):
        return
    head, _, ent = v.partition(": ")
    pw, _, state = head.partition("/")
    need(pw in MAJORS and state in ("conquered", "free"), f"{where}: status {v}")
    if ent:
        need(ent in ENTITY, f"{where}: entity {ent}")


def check_minors():
    dates = None
    for i, m in MINOR.items():
        need(
            PROV.get(m["principal"], {}).get("kind") == "minor" and PROV[m["principal"]]["owner"] == i,
            f"minor {i}: principal",
        )
        need(
            sorted([m["principal"]] + m["secondary"])
            == sorted(p for p, q in PROV.items() if q["owner"] == i and q["kind"] != "home"),
            f"minor {i}: districts",
        )
        need(m["capital"] == PROV[m["principal"]]["capital"], f"minor {i}: capital")
        need(set(m["modifier"]) == MAJORS, f"minor {i}: modifiers")
        need(all(-3 <= x <= 3 for x in m["modifier"].values()), f"minor {i}: modifier range")
        for c in m["corps"]:
            need(CORPS.get(c, {}).get("nation") == i, f"minor {i}: corps {c}")
        need(
            sorted(m["corps"]) == sorted(c for c, x in CORPS.items() if x["nation"] == i),
            f"minor {i}: corps list",
        )
        if "fleet" in m:
            need(FLEET.get(m["fleet"], {}).get("nation") == i, f"minor {i}: fleet")
            need(
                any("port" in AREA[a] for p in [m["principal"]] + m["secondary"] for a in PROV[p]["areas"]),
                f"minor {i}: fleet without port",
            )
        if m["corps"]:
            need(
                "initial" in m and i in DATA["units"]["morale"]["minor"],
                f"minor {i}: initial forces and morale",
            )
            f = m["initial"]
            cap = sum(CORPS[c]["max"].get("i", 0) for c in m["corps"]) + 5 * sum(
                AREA[a].get("city", {}).get("spires", 0)
                for p in [m["principal"]] + m["secondary"]
                for a in PROV[p]["areas"]
            )
            need(
                f.get("I", 0) <= cap
                and f.get("C", 0) <= sum(CORPS[c]["max"].get("c", 0) for c in m["corps"]),
                f"minor {i}: initial forces do not fit",
            )
            need(f.get("B", 0) <= (30 if "fleet" in m else 0), f"minor {i}: ships")
        dates = dates or set(m["at"])
        need(set(m["at"]) == dates, f"minor {i}: dates")
        for d, v in m["at"].items():
            parse_status(v, f"minor {i} {d}")
        need(set(m.get("at_text", [])) <= dates, f"minor {i}: at_text")
    for s in DATA["minors"]["split"]:
        need(PROV.get(s["district"], {}).get("kind") == "district", f"split {s}")
        for v in s["at"].values():
            parse_status(v, f"split {s['district']}")
    for n in DATA["units"]["morale"]["minor"]:
        need(n in NATIONS, f"morale of {n}")


def check_units():
    types = {
        "infantry",
        "cavalry",
        "guard",
        "artillery",
        "light",
        "insurrection",
        "feudal_infantry",
        "feudal_cavalry",
    }
    for i, c in CORPS.items():
        need(c["nation"] in NATIONS, f"corps {i}: nation")
        need(c["type"] in types, f"corps {i}: type")
        need(set(c["max"]) <= {"im", "i", "m", "c", "gd", "a", "fi", "fc"} and c["max"], f"corps {i}: max")
        need(c["move"] in (3, 4, 5), f"corps {i}: move")
        if "province" in c:
            need(c["province"] in PROV, f"corps {i}: province")
            need(
                "feudal" in PROV[c["province"]].get("marks", [])
                or "turkish_feudal_if_ceded" in PROV[c["province"]].get("marks", []),
                f"corps {i}: province not marked feudal",
            )
    for i, p in PROV.items():
        if "feudal" in p.get("marks", []):
            need(any(c.get("province") == i for c in CORPS.values()), f"province {i}: feudal without corps")
    for i, f in FLEET.items():
        need(f["nation"] in NATIONS and f["max_ships"] == 30 and f["move"] == 7, f"fleet {i}")
    need(
        dict(Counter(c["nation"] for c in CORPS.values())) == DATA["units"]["counts"]["corps_by_nation"],
        "units.toml [counts]",
    )
    for w, p in POWER.items():
        need(
            p["corps"] == dict(Counter(c["type"] for c in CORPS.values() if c["nation"] == w)),
            f"powers.toml corps of {w}",
        )
        need(p["fleets"] == sum(f["nation"] == w for f in FLEET.values()), f"powers.toml fleets of {w}")
        need(p["depots"] == DATA["units"]["depots"][w], f"powers.toml depots of {w}")
        mor = DATA["units"]["morale"]["major"][w]
        need(
            (
                p["infantry_morale"],
                p["cavalry_morale"],
                p["intrinsic"]["strategic"],
                p["intrinsic"]["tactical"],
            )
            == (mor["infantry"], mor["cavalry"], mor["strategic"], mor["tactical"]),
            f"powers.toml morale of {w}",
        )
        cap = Counter()
        for c in CORPS.values():
            if c["nation"] == w:
                cap.update(c["max"])
        need(p["corps_capacity"] == dict(cap), f"powers.toml corps_capacity of {w}")
        t = DATA["provinces"]["home_totals"][w]
        need((p["tax"], p["manpower"]) == (t["tax"], t["manpower"]), f"powers.toml tax, manpower of {w}")
        for k in ("I", "II", "III"):
            need(p["start_box"][k] in STATUSBOX, f"start box {k} of {w}")
    need(POWER["austria"]["start_box"]["I"] == POWER["prussia"]["start_box"]["III"], "As(I) = Pr(III)")
    need(POWER["great_britain"]["start_box"]["I"] == POWER["france"]["start_box"]["II"], "GB(I) = Fr(II)")
    need(
        POWER["great_britain"]["start_box"]["II"] == POWER["great_britain"]["start_box"]["III"],
        "GB(II) = GB(III)",
    )
    c = DATA["units"]["cossack"]["counters"]
    need(c == 2 * sum("cossack" in p.get("marks", []) for p in PROV.values()), "cossack counters")
    for w, r in DATA["units"]["freikorps"]["owners"].items():
        need(w in MAJORS and r["at"] in AREA, "freikorps")
    for n, o in DATA["powers"]["order"].items():
        seq = [x for x in o["sequence"] if " " not in x] + ([o["floating"]] if "floating" in o else [])
        if n not in ("land_scenario",):
            need(set(seq) <= MAJORS and len(set(seq)) == len(seq), f"order {n}")
            if n != "naval_setup":
                need(set(seq) == MAJORS, f"order {n} incomplete")
    for w, row in DATA["powers"]["natural_alliance"].items():
        need(w in MAJORS and set(row) <= MAJORS - {w} and len(row) >= 5, f"natural alliances of {w}")
    for d in DATA["powers"]["dominance"]:
        need(d["power"] in MAJORS and d["need"] <= len(d["items"]), f"dominance {d['power']}")
        for it in d["items"]:
            for k, tab in (("province", PROV), ("minor", MINOR), ("entity", ENTITY)):
                if k in it:
                    need(it[k] in tab, f"dominance {d['power']}: {it}")
            for m in it.get("without", {}).get("minors", []):
                need(m in MINOR, f"dominance {d['power']}: {m}")


def check_leaders():
    for i, l in LEADER.items():
        need(l["power"] in MAJORS, f"leader {i}: power")
        need(l["seniority"] in "ABCD", f"leader {i}: seniority")
        if l.get("kind") != "admiral":
            need(
                0 <= l["strategic"] <= 5 and 0 <= l["tactical"] <= 5 and 1 <= l["tactical_max"] <= 6,
                f"leader {i}: ratings",
            )
        need(l["ratings_status"] in STATUS, f"leader {i}: status")
    ids = {d["id"] for d in SCEN.values() if "id" in d}
    for i, l in LEADER.items():
        need(set(l.get("appears", {})) <= ids, f"leader {i}: appears")
        need("appears" in l or i == "bonaparte_b", f"leader {i}: never appears")
    n = LEADER["napoleon"]
    need((n["strategic"], n["tactical"], n["tactical_max"]) == (5, 5, 6), "Napoleon 5-5-6")
    worst = min(
        (l["strategic"] + l["tactical"] + l["tactical_max"], i) for i, l in LEADER.items() if "strategic" in l
    )
    need(worst[1] == "john", "John must be the weakest leader (public)")
    both = {i: l["strategic"] + l["tactical"] for i, l in LEADER.items() if "strategic" in l}
    need(
        all(
            both[i] <= 10 and (LEADER[i]["tactical_max"] < 6 or i in ("napoleon", "alexander")) for i in both
        ),
        "nobody above Napoleon",
    )
    order = [
        ["suvarov", "charles", "wellington", "davout"],
        ["massena", "moreau", "hoche"],
        ["soult", "kutusov", "blucher", "bagration", "moore"],
        ["barclay", "eugene", "murat", "bennigsen", "schwarzenberg", "bernadotte"],
        ["brunswick", "mack", "jerome", "john", "alexander", "de_la_cuesta"],
    ]
    for hi, lo in itertools.pairwise(order):
        need(
            min(both[i] for i in hi) > max(both[i] for i in lo) - 1, f"leaders: {hi} should not be below {lo}"
        )


def check_entities():
    for i, e in ENTITY.items():
        need(set(e["creators"]) <= MAJORS, f"entity {i}: creators")
        for m in e.get("members_minors", []):
            need(m in MINOR, f"entity {i}: {m}")
        for p in e.get("members_provinces", []):
            need(p in PROV, f"entity {i}: {p}")
        for c in e["corps"]:
            need(c in CORPS, f"entity {i}: corps {c}")
        if "fleet" in e:
            need(e["fleet"] in FLEET, f"entity {i}: fleet")
        for k in ("members_with_corps", "members_without_corps"):
            for m in e.get(k, []):
                need(m in MINOR or m in PROV, f"entity {i}: {m}")
        for m in e.get("members_with_corps", []):
            need(MINOR[m]["corps"], f"entity {i}: {m} has no corps")
        for m in e.get("members_without_corps", []):
            need(m in PROV and not MINOR.get(m, {}).get("corps"), f"entity {i}: {m}")
        for m in e.get("move_4_if_france", []):
            need(
                all(CORPS[c].get("move_4_under_france") for c in MINOR[m]["corps"]),
                f"entity {i}: {m} corps not (3)",
            )


def check_charts():
    c = DATA["combat"]
    crc = {k: v for k, v in c["crc"].items() if k != "status"}
    need(
        set(crc) == {f"{a}-{b}" for a in range(1, 6) for b in range(1, 6)},
        "combat resolution chart: 25 tables",
    )
    for k, v in crc.items():
        need(len(v["pct"]) == len(v["morale"]) == 8, f"crc {k}: 8 columns")
        for row in (v["pct"], v["morale"]):
            need(all(x <= y for x, y in itertools.pairwise(row)), f"crc {k}: not monotone")
        need(
            all(str(x) in c["casualty_percentage"] for x in v["pct"]),
            f"crc {k}: percentage without casualty row",
        )
    for a in c["chits"]["attacker"]:
        for d in c["chits"]["defender"]:
            cell = c["opc"].get(a, {}).get(d)
            if need(cell, f"chit matrix: {a} v {d}"):
                for k in ("a", "d", "a_out", "d_out", "a_river", "d_river"):
                    for t in cell.get(k, []):
                        need(t == "" or t in crc, f"chit matrix {a} v {d}: table {t}")
                    need(k not in cell or len(cell[k]) == 3, f"chit matrix {a} v {d}: rounds")
    for k, row in c["casualty_percentage"].items():
        if k != "status":
            need(len(row) == 20 and all(x <= y for x, y in itertools.pairwise(row)), f"casualty row {k}")

    def loss(p, n):
        row = c["casualty_percentage"][str(p)]
        return n // 20 * row[19] + (row[n % 20 - 1] if n % 20 else 0)

    for p, n, want in ((20, 31, 6), (15, 54, 8), (10, 50, 5), (5, 37, 2)):
        need(loss(p, n) == want, f"casualty anchor {p} % of {n}")
    need(c["crc"]["4-1"]["pct"][4] == 10 and c["crc"]["4-1"]["morale"][4] == 1.0, "anchor 4-1 die 4")
    need(c["crc"]["2-1"]["pct"][3] == 5 and c["crc"]["2-1"]["morale"][3] == 0.2, "anchor 2-1 die 3")
    rows = c["commander_chart"]["rows"]
    need(len(rows) == 6 and all(len(r) == 6 for r in rows), "commander chart 6 x 6")
    need(rows[3][4][0] == 1 and rows[2][2] == [0, 0], "commander chart anchors")
    need([r["roll"] for r in c["naval"]["combat_table"]] == list(range(8)), "naval combat table 0..7")
    for r in c["naval"]["combat_table"]:
        need(str(r["percent"]) in c["casualty_percentage"], "naval percentage without casualty row")
    for k in range(1, 7):
        row = c["pursuit_table"][f"class_{k}"]
        need(len(row) == 6 and all(str(x) in c["casualty_percentage"] for x in row), f"pursuit class {k}")
    need(c["pursuit_class"]["round_2"][2] == 3, "pursuit anchor [7.5.2.10.2.1]")
    need(c["pursuit_table"]["class_5"][4] == 60, "pursuit anchor class 5, die 5 [7.5.2.15]")
    need(c["pursuit_table"]["class_3"][1:3] == [10, 15], "pursuit anchors class 3, dice 2 and 3 (public)")
    need(
        all(
            x <= y
            for k in range(1, 6)
            for x, y in zip(
                c["pursuit_table"][f"class_{k}"], c["pursuit_table"][f"class_{k + 1}"], strict=False
            )
        ),
        "pursuit table not monotone",
    )
    need(c["siege_table"]["natural_six_breaches"] is True, "siege table: a natural 6 breaches (ruling)")
    boxes = DATA["political_status"]["box"]
    need([b["index"] for b in boxes] == list(range(len(boxes))), "status boxes in order")
    neutral = [b for b in boxes if b["zone"] == "neutral"]
    need(neutral[-1]["vp"] == 8, "right-most neutral box 8 VP [8.1]")
    need(all(x["vp"] <= y["vp"] for x, y in itertools.pairwise(boxes)), "VP not monotone")
    need(list(dict.fromkeys(b["zone"] for b in boxes)) == DATA["political_status"]["order"], "zones")
    need(DATA["political_status"]["zone"]["dominant"]["modifier"] == 1, "dominant modifier")
    need(all(x["psa"] >= y["psa"] for x, y in itertools.pairwise(boxes)), "PSA must pull towards the middle")
    need(
        {b["zone"] for b in boxes if b["psa"] == 0} == {"neutral"} and boxes[0]["psa"] > 0 > boxes[-1]["psa"],
        "PSA: rest inside the neutral zone",
    )
    par = {}
    for (
        w,
        p,
    ) in (
        POWER.items()
    ):  # a power without any PP in the 44 phases of the grand campaign (political_status.toml, comment)
        at, vp = STATUSBOX[p["start_box"]["I"]]["index"], 0
        for _ in range(44):
            vp += boxes[at]["vp"]
            at = max(0, min(len(boxes) - 1, at + boxes[at]["psa"]))
        level = DATA["victory"]["levels"]["campaign_1805_1815"][w]
        par[w] = round(100 * (vp + p["manpower"]) / level)
        need(85 <= par[w] <= 105, f"a quiet {w} ends with {vp} + {p['manpower']} of {level}")
    notes.append(f"quiet grand campaign, % of the level: {par}")
    e = DATA["economy"]
    need(
        e["purchase"]["infantry"]["money"] == 3 and e["purchase"]["infantry"]["manpower"] == 2,
        "infantry price [8.5.3]",
    )
    need(set(e["manipulation"]["boxes"]) == MAJORS, "manipulation boxes")
    for w, b in e["manipulation"]["boxes"].items():
        need({"pp": 0, "money": 0, "manpower": 0} in b, f"manipulation of {w}: box 0")
    for a in e["reassessment"]["capital_occupied_pp"]:
        need(AREA.get(a, {}).get("city", {}).get("capital") == "national", f"capital {a}")
    need(set(map(int, e["spanish_gold"]["table"])) == set(range(2, 13)), "Spanish gold 2..12")
    for t in TERM.values():
        need(t["list"] in "ABC" and set(t["excludes"]) <= set(TERM), f"term {t['id']}")
    for t in ("B.1", "C.1"):
        need(t in TERM["B.4"]["excludes"], "B.4 closes B.1 and C.1 [4.4.5.3]")
    need({"C.5", "C.6", "C.8", "C.9", "B.5", "B.6", "B.7"} <= set(TERM), "terms named in the text")
    index(DATA["political_points"]["event"], "political points")
    index(DATA["sequence"]["decision"], "decisions")
    phases = (
        {f"{s['number']}{p['letter']}" for s in DATA["sequence"]["sequence"] for p in s.get("phases", [])}
        | {str(s["number"]) for s in DATA["sequence"]["sequence"]}
        | {"setup", "any", "reinforcement"}
    )
    for d in DATA["sequence"]["decision"]:
        need(d["phase"] in phases, f"decision {d['id']}: phase {d['phase']}")
        need(
            d["kind"] in ("open", "sealed", "reaction", "consent", "announcement", "secret"),
            f"decision {d['id']}: kind",
        )
        need(d["default"] and d["who"], f"decision {d['id']}")


def check_hints(graph):
    """map facts that the rulebook states or implies."""

    def adj(a, b):
        need(b in graph[a], f"map hint: {a} - {b}")

    def notadj(a, b):
        need(b not in graph[a], f"map hint: {a} not next to {b}")

    adj("copenhagen", "malmo")
    notadj("ulm", "munich")
    adj("ulm", "augsburg")
    adj("augsburg", "munich")
    adj("munich", "ingolstadt")
    need(AREA["ingolstadt"]["forage"] == 3 and AREA["regensburg"]["forage"] == 4, "forage north of Munich")
    need(AREA["wurzburg"]["forage"] == 5 and AREA["wurzburg"]["province"] == "duchies", "Duchies forage 5")
    need(any(AREA[a]["forage"] == 4 for a in PROV["polesia"]["areas"]), "Polesia forage 4")
    adj("gerona", "barcelona")
    notadj("seville", "ciudad_real")
    adj("seville", "cordoba")
    adj("cordoba", "ciudad_real")
    need(
        any(AREA[a]["province"] == "hanover" for a in graph["hamburg"]), "an area of Hanover touches Hamburg"
    )
    russian = {a for p in PROV.values() if p["owner"] == "russia" for a in p["areas"]}
    need(
        any(not set(graph[a]) & russian and a not in russian for a in graph["warsaw"]),
        "an area touches Warsaw and not Russia",
    )
    need(not set(graph["thorn"]) & russian, "Thorn does not touch Russia")
    need(any(set(graph[a]) & russian for a in PROV["moldavia"]["areas"]), "Moldavia borders Russia")
    need("sussex" in AREA["lille"]["neighbours"] and "sussex" in graph["portsmouth"], "Channel arrow")


def check_shapes():
    """shapes.json has the same areas, seas, neighbours, cities, ports and straits as the tables."""
    with open(os.path.join(HERE, "shapes.json"), encoding="utf-8") as f:
        d = json.load(f)
    need(set(d["areas"]) == set(AREA) and set(d["seas"]) == set(SEA), "shapes.json: ids")
    pairs = {frozenset((i, j)): k for i, a in AREA.items() for j, k in a["neighbours"].items()}
    drawn = {frozenset(b[:2]) for b in d["borders"]} | {frozenset(b[:2]) for b in d["links"]}
    for p in set(pairs) ^ drawn:
        err(f"shapes.json: {sorted(p)} {'not drawn' if p in pairs else 'drawn, no neighbours'}")
    need(
        {frozenset(b[:2]) for b in d["links"]} == {p for p, k in pairs.items() if k.startswith("strait")},
        "shapes.json: links are not the straits",
    )
    water = {frozenset((i, j)) for i, s in SEA.items() for j in s["neighbours"]}
    need(
        {frozenset(b[:2]) for b in d["sea_borders"] + d["sea_links"]} == water, "shapes.json: sea neighbours"
    )
    for i, a in AREA.items():
        need(
            bool(d["areas"][i]["city"]) == ("city" in a) and bool(d["areas"][i].get("port")) == ("port" in a),
            f"shapes.json: city or port of {i}",
        )


def check_distances(graph):
    """marching distances that the campaigns rest on (movement points; marsh and mountain 2 [7.3.1.3])."""

    def mp(a, b):
        todo, best = [(0, a)], {}
        while todo:
            todo.sort(reverse=True)
            n, x = todo.pop()
            if x == b:
                return n
            if best.get(x, 99) <= n:
                continue
            best[x] = n
            todo += [
                (
                    n
                    + (2 if AREA[y]["terrain"] in ("mountain", "marsh") else 1)
                    + (AREA[x]["neighbours"][y] == "strait"),
                    y,
                )
                for y in graph[x]
            ]
        return None

    far = {
        ("thorn", "moscow"): (12, 13),
        ("kovno", "moscow"): (8, 10),
        ("vilna", "smolensk"): (4, 5),
        ("smolensk", "moscow"): (3, 4),
        ("strasbourg", "vienna"): (8, 10),
        ("kiev", "constantinople"): (7, 9),
    }
    got = {k: mp(*k) for k in far}
    for k, (lo, hi) in far.items():
        need(got[k] and lo <= got[k] <= hi, f"{k[0]}-{k[1]}: {got[k]} movement points, should be {lo}-{hi}")
    notes.append("movement points: " + ", ".join(f"{a}-{b} {n}" for (a, b), n in got.items()))
