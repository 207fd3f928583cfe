"""The names of things in English and French."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.ccn import board, charts
from pbem.games.ccn.setup import leader_names
from pbem.kernel import words
from pbem.kernel.order import Vocabulary, Word

_KINDS = {
    "line": ("Line Infantry", "Infanterie de ligne"),
    "light": ("Light Infantry", "Infanterie légère"),
    "grenadier": ("Grenadiers", "Grenadiers"),
    "young_guard": ("Young Guard", "Jeune Garde"),
    "old_guard": ("Old Guard", "Vieille Garde"),
    "militia": ("Militia", "Milice"),
    "rifle": ("Rifles", "Carabiniers"),
    "guard_grenadier": ("Guard Grenadiers", "Grenadiers de la Garde"),
    "light_cavalry": ("Light Cavalry", "Cavalerie légère"),
    "heavy_cavalry": ("Heavy Cavalry", "Cavalerie lourde"),
    "cuirassier": ("Cuirassiers", "Cuirassiers"),
    "guard_heavy_cavalry": ("Guard Heavy Cavalry", "Cavalerie lourde de la Garde"),
    "foot_artillery": ("Foot Artillery", "Artillerie à pied"),
    "guard_foot_artillery": ("Guard Foot Artillery", "Artillerie à pied de la Garde"),
    "horse_artillery": ("Horse Artillery", "Artillerie à cheval"),
}
_BRIEF = {
    "line": ("Line", "Ligne"),
    "light": ("Light", "Légers"),
    "light_cavalry": ("Light Cav", "Cav. légère"),
    "heavy_cavalry": ("Heavy Cav", "Cav. lourde"),
    "guard_heavy_cavalry": ("Guard Cav", "Cav. de la Garde"),
    "foot_artillery": ("Foot Art", "Art. à pied"),
    "guard_foot_artillery": ("Guard Art", "Art. de la Garde"),
    "horse_artillery": ("Horse Art", "Art. à cheval"),
}
_NATIONS = {
    "fr": ("French", "française"),
    "br": ("British", "britannique"),
    "pt": ("Portuguese", "portugaise"),
}
_MASCULINE = ("grenadier", "rifle", "cuirassier", "guard_grenadier")
_PLURAL = {"fr": "français", "br": "britanniques", "pt": "portugais"}

_CARDS = {
    "scout_left": ("Scout Left Flank", "Éclaireurs à gauche"),
    "scout_center": ("Scout Center", "Éclaireurs au centre"),
    "scout_right": ("Scout Right Flank", "Éclaireurs à droite"),
    "probe_left": ("Probe Left Flank", "Reconnaissance à gauche"),
    "probe_center": ("Probe Center", "Reconnaissance au centre"),
    "probe_right": ("Probe Right Flank", "Reconnaissance à droite"),
    "attack_left": ("Attack Left Flank", "Attaque à gauche"),
    "attack_center": ("Attack Center", "Attaque au centre"),
    "attack_right": ("Attack Right Flank", "Attaque à droite"),
    "assault_left": ("Assault Left Flank", "Assaut à gauche"),
    "assault_center": ("Assault Center", "Assaut au centre"),
    "assault_right": ("Assault Right Flank", "Assaut à droite"),
    "coordinated_advance": ("Coordinated Advance", "Avance coordonnée"),
    "flank_attack": ("Flank Attack", "Attaque des flancs"),
    "forward": ("Forward", "En avant"),
    "recon_in_force": ("Recon in Force", "Reconnaissance en force"),
    "bayonet_charge": ("Bayonet Charge", "Charge à la baïonnette"),
    "bombard": ("Bombard", "Bombardement"),
    "cavalry_charge": ("Cavalry Charge", "Charge de cavalerie"),
    "counter_attack": ("Counter-Attack", "Contre-attaque"),
    "elan": ("Elan", "Élan"),
    "fire_and_hold": ("Fire and Hold", "Feu sur place"),
    "first_strike": ("First Strike", "Embuscade"),
    "force_march": ("Force March", "Marche forcée"),
    "give_them_the_cold_steel": ("Give Them the Cold Steel", "À l'arme blanche"),
    "leadership": ("Leadership", "Commandement"),
    "la_grande_manoeuvre": ("La Grande Manœuvre", "La Grande Manœuvre"),
    "rally": ("Rally", "Ralliement"),
    "short_supply": ("Short Supply", "Disette"),
}
_ALSO_CARDS = {
    "la_grande_manoeuvre": ("Grande Manoeuvre",),
    "give_them_the_cold_steel": ("Cold Steel", "Arme blanche"),
    "first_strike": ("Ambush",),
    "force_march": ("Forced March",),
    "counter_attack": ("Counterattack", "Counter Attack"),
    "scout_left": ("Scout Left", "Scout on the left"),
    "scout_center": ("Scout Centre", "Scout in the center", "Scout in the centre"),
    "scout_right": ("Scout Right", "Scout on the right"),
    "probe_left": ("Probe Left", "Probe on the left"),
    "probe_center": ("Probe Centre", "Probe in the center", "Probe in the centre"),
    "probe_right": ("Probe Right", "Probe on the right"),
    "attack_left": ("Attack Left", "Attack on the left"),
    "attack_center": ("Attack Centre", "Attack in the center", "Attack in the centre"),
    "attack_right": ("Attack Right", "Attack on the right"),
    "assault_left": ("Assault Left", "Assault on the left"),
    "assault_center": ("Assault Centre", "Assault in the center", "Assault in the centre"),
    "assault_right": ("Assault Right", "Assault on the right"),
    "recon_in_force": ("Reconnaissance in Force",),
}


def _kind_word(id: str) -> Word:
    nation, kind = id.split("_", 1)
    en, fr = _KINDS[kind]
    adjective = _PLURAL[nation] if kind in _MASCULINE else _NATIONS[nation][1]
    code = charts.kinds()[id].code
    return Word(id, f"{_NATIONS[nation][0]} {en}", f"{fr} {adjective}", (f"{nation.upper()}-{code}",))


def _brief_word(id: str) -> Word:
    """A type in a list of many: `British Line`."""
    nation, kind = id.split("_", 1)
    en, fr = _BRIEF.get(kind, _KINDS[kind])
    adjective = _PLURAL[nation] if kind in (*_MASCULINE, "light") else _NATIONS[nation][1]
    return Word(id, f"{_NATIONS[nation][0]} {en}", f"{fr} {adjective}")


def _words(
    names: dict[str, tuple[str, str]], also: Mapping[str, tuple[str, ...]] | None = None
) -> list[Word]:
    return [Word(id, en, fr, (also or {}).get(id, ())) for id, (en, fr) in names.items()]


def _hexes() -> list[Word]:
    return [Word(hex, hex, hex) for hex in board.HEXES]


def _written() -> list[Word]:
    """Hexes as they are written in orders, wrong ones too: the rules answer those better than a reader could."""
    hexes = [Word(hex, hex, hex, (f"{hex[1:]}{hex[0]}",)) for hex in board.HEXES]
    return [*hexes, *(Word(name, name, name) for name in board.BEYOND)]


OFF = Word(board.OFF, "off", "dehors", ("off the board", "hors du plateau", "leave", "sortir"))
SECTION = {"left": ("left", "gauche"), "center": ("center", "centre"), "right": ("right", "droite")}
_ALSO_SECTIONS = {
    "left": ("left flank", "flanc gauche"),
    "center": ("centre",),
    "right": ("right flank", "flanc droit"),
}
ARM = {
    "infantry": ("infantry", "infanterie"),
    "cavalry": ("cavalry", "cavalerie"),
    "artillery": ("artillery", "artillerie"),
}
TROOP = {
    "line": ("line", "ligne"),
    "light": ("light", "légers"),
    "grenadier": ("grenadiers", "grenadiers"),
    "young_guard": ("young guard", "jeune garde"),
    "old_guard": ("old guard", "vieille garde"),
    "militia": ("militia", "milice"),
    "rifle": ("rifles", "carabiniers"),
    "guard_grenadier": ("guard grenadiers", "grenadiers de la garde"),
    "heavy": ("heavy cavalry", "cavalerie lourde"),
    "cuirassier": ("cuirassiers", "cuirassiers"),
    "guard_heavy": ("guard cavalry", "cavalerie de la garde"),
    "foot": ("foot artillery", "artillerie à pied"),
    "horse": ("horse artillery", "artillerie à cheval"),
}
NATION = {
    "french": ("French", "Français"),
    "british": ("British", "Britanniques"),
    "portuguese": ("Portuguese", "Portugais"),
}
TERRAIN = {
    "clear": ("clear", "plaine"),
    "forest": ("forest", "forêt"),
    "hill": ("hill", "colline"),
    "rugged_hill": ("rugged hill", "colline abrupte"),
    "town": ("town", "ville"),
    "windmill": ("windmill", "moulin"),
    "fieldwork": ("fieldwork", "fortification"),
    "river": ("river", "rivière"),
    "ford": ("ford", "gué"),
    "bridge": ("bridge", "pont"),
    "sand_quarry": ("sand quarry", "carrière de sable"),
}
FACE = {
    "infantry": ("infantry", "infanterie"),
    "cavalry": ("cavalry", "cavalerie"),
    "artillery": ("artillery", "artillerie"),
    "flag": ("flag", "drapeau"),
    "sabre": ("sabres", "sabres"),
}
FACT = {
    "vacated": ("vacated", "libérée"),
    "banners": ("banners", "bannières"),
    "enemy_banners": ("enemy banners", "bannières ennemies"),
    "hand": ("hand", "main"),
    "attacker": ("attacker", "attaquant"),
    "attacker_hex": ("attacker hex", "case de l'attaquant"),
    "attacker_arm": ("attacker arm", "arme de l'attaquant"),
    "attacker_blocks": ("attacker blocks", "blocs de l'attaquant"),
    "attack_dice": ("attack dice", "dés de l'attaque"),
    "heavy": ("heavy", "lourde"),
    "unit": ("unit", "unité"),
    "hex": ("hex", "case"),
    "arm": ("arm", "arme"),
    "blocks": ("blocks", "blocs"),
    "dice": ("dice", "dés"),
    "leader": ("leader", "général"),
    "bonus": ("bonus", "bonus"),
    "flags": ("flags", "drapeaux"),
    "may_ignore": ("may ignore", "peut ignorer"),
    "danger": ("danger", "danger"),
    "ground": ("ground", "terrain"),
}
QUESTION = {
    "turn": ("turn", "tour"),
    "assign": ("command dice", "dés de commandement"),
    "reaction": ("attacked", "attaqué"),
    "flags": ("flags", "drapeaux"),
    "leader_way": ("leader in danger", "général en danger"),
    "riposte": ("battle back", "riposte"),
    "advance": ("victory", "victoire"),
    "scout": ("scout", "éclaireurs"),
    "supply_hex": ("short supply", "disette"),
}
_ALSO_QUESTIONS: dict[str, tuple[str, ...]] = {
    "reaction": ("reaction", "réaction"),
    "advance": ("advance", "avance"),
}
VALUE = {
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "own": ("own", "ami"),
    "enemy": ("enemy", "ennemi"),
    "empty": ("empty", "vide"),
}
KIND = {
    "hex": ("hex", "case"),
    "way": ("hex", "case"),
    "leader": ("leader or his hex", "général ou sa case"),
    "card": ("card", "carte"),
    "section": ("section", "section"),
    "whose": ("hex, unit type or arm", "case, type d'unité ou arme"),
    "square_when": ("when", "quand"),
    "advance_when": ("when", "quand"),
    "when": ("when", "quand"),
    "how_many": ("all or none", "tous ou aucun"),
    "way_back": ("way", "côté"),
    "leader_way": ("way", "manière"),
    "advance": ("take ground or stay", "prend le terrain ou reste"),
    "fact": ("fact", "fait"),
}
ROLE = {
    "attack": ("attack", "attaque"),
    "back": ("battle back at", "riposte contre"),
    "strike": ("strike first at", "frappe d'abord"),
    "square": ("in square roll first at", "en carré lance d'abord contre"),
    "retire": ("fall on the retiring", "tombe sur la cavalerie qui se replie :"),
}
ANSWER = {
    "first_strike": ("first strike", "embuscade"),
    "square": ("square", "carré"),
    "retire": ("retire and reform", "repli"),
}
REASON = {
    "attacker_gone": ("the unit is gone", "l'unité n'est plus là"),
    "no_target": ("nobody is there any more", "il n'y a plus personne"),
    "not_ordered": ("the unit has no order", "l'unité n'a pas d'ordre"),
    "no_sight": ("the target is out of sight", "la cible est hors de vue"),
    "out_of_range": ("the target is out of range", "la cible est hors de portée"),
    "not_adjacent": ("the target is not adjacent", "la cible n'est pas adjacente"),
    "target_adjacent": ("the target is adjacent", "la cible est adjacente"),
    "pinned": ("an enemy unit is adjacent", "une unité ennemie est adjacente"),
    "no_dice": ("no die is left", "il ne reste aucun dé"),
    "has_battled": ("the unit has battled already", "l'unité a déjà combattu"),
    "occupied": ("the way is occupied", "le chemin est occupé"),
    "no_way": ("there is no way", "il n'y a pas de chemin"),
    "moved_too_far": ("its move forbids it", "son mouvement l'interdit"),
    "no_unit_there": ("nobody is there", "il n'y a personne"),
    "enemy_unit": ("the enemy is there", "l'ennemi y est"),
    "no_leader_there": ("no leader is there", "aucun général n'y est"),
    "card_does_not_order": ("the card does not order it", "la carte ne l'active pas"),
    "card_orders_fewer": ("the card orders fewer", "la carte en active moins"),
    "card_without_bicorne": ("the card orders no leader", "la carte n'active pas de général"),
    "not_in_section": ("not in the section", "hors de la section"),
    "card_forbids_move": ("the card forbids it", "la carte l'interdit"),
    "card_forbids_fire": ("the card forbids fire", "la carte interdit le tir"),
    "card_forbids_melee": ("the card forbids melee", "la carte interdit la mêlée"),
    "cannot_fire": ("it cannot fire", "elle ne peut pas tirer"),
    "has_moved": ("it has moved already", "elle a déjà bougé"),
    "leader_has_joined": ("a leader has joined it", "un général l'a rejointe"),
    "leader_in_square": ("the leader is in a square", "le général est dans un carré"),
    "leader_cannot_reach": ("the leader cannot get there", "le général n'y arrive pas"),
    "in_square": ("it is in square", "elle est en carré"),
    "not_in_square": ("it is not in square", "elle n'est pas en carré"),
    "cavalry_adjacent": ("enemy cavalry is adjacent", "de la cavalerie ennemie est adjacente"),
    "impassable": ("the way is impassable", "le chemin est impraticable"),
    "enemy_leader": ("an enemy leader is in the way", "un général ennemi barre le chemin"),
    "enemy_in_the_way": ("the enemy is in the way", "l'ennemi barre le chemin"),
    "second_leader": ("two leaders cannot share a hex", "deux généraux ne partagent pas une case"),
    "must_stop": ("the ground stops it", "le terrain l'arrête"),
    "gap_in_path": ("the way has a gap", "le chemin a un trou"),
    "too_far": ("it is too far", "c'est trop loin"),
    "not_a_battery": ("it is no battery", "ce n'est pas une batterie"),
    "guns_cannot_lead": ("guns cannot lead", "l'artillerie ne peut pas mener"),
    "ordered_twice": ("ordered twice", "activée deux fois"),
    "not_on_board": ("there is no such hex", "cette case n'existe pas"),
}
_POLICIES: dict[str, dict[str, tuple[str, str]]] = {
    "advance": {"take_ground": ("take ground", "prend le terrain"), "stay": ("stay", "reste")},
    "when": {"always": ("always", "toujours"), "never": ("never", "jamais")},
    "square_when": {
        "always": ("always", "toujours"),
        "never": ("never", "jamais"),
        "heavy": ("against heavy cavalry", "contre la cavalerie lourde"),
    },
    "how_many": {"all": ("all", "tous"), "none": ("none", "aucun")},
    "way_back": {
        "left": ("left", "à gauche"),
        "right": ("right", "à droite"),
        "safest": ("safest", "au plus sûr"),
    },
    "leader_way": {
        "join": ("join", "rejoindre"),
        "far": ("far", "au loin"),
        "leave": ("leave the board", "quitter le plateau"),
    },
    "advance_when": {
        "always": ("always", "toujours"),
        "never": ("never", "jamais"),
        "clear": ("into clear ground", "en terrain clair"),
    },
}
_ALSO_ADVANCE: dict[str, tuple[str, ...]] = {
    "take_ground": (
        *(
            "break through",
            "poursuit",
            "prendre le terrain",
            "takes ground",
            "taking ground",
            "taking the ground",
        ),
        *(
            "take the hex",
            "takes the hex",
            "taking the hex",
            "occupy the hex",
            "occupies the hex",
            "follow up",
        ),
        *(
            "take the ground",
            "takes the ground",
            "takes it",
            "take it",
            "advance",
            "advances",
            "takes its place",
        ),
        *(
            "breaks through",
            "follows up",
            "prends le terrain",
            "prenez le terrain",
            "occupe la case",
            "avance",
        ),
        *("occupe le terrain", "prend la case", "prends la case", "prend la position", "prends la position"),
        *(
            "en prenant le terrain",
            "et prendre le terrain",
            "prend du terrain",
            "gain ground",
            "gains ground",
        ),
        *("advance into the hex", "advances into the hex", "occupe la position", "occuper le terrain"),
    ),
    "stay": (
        *("stop", "stays", "hold", "holds", "reste sur place", "tient la position", "stay put", "stays put"),
        *("ne bouge pas", "reste en place", "stays where it is", "hold position", "holds position"),
    ),
}


SEEN_AS: dict[str, tuple[str, ...]] = dict(words.load("ccn").also["seen_as"])
"""What units are called by their type or arm, where the board tells which."""
SEEN_WHERE: dict[str, tuple[str, ...]] = dict(words.load("ccn").also["seen_where"])
"""The sections as they tell units apart."""
NATIONS: dict[str, tuple[str, ...]] = dict(words.load("ccn").also["seen_nation"])
"""A type with its nation."""


def _whose() -> Iterable[Word]:
    taken: dict[str, Word] = {}
    kinds = [_kind_word(id) for id in charts.kinds()]
    for word in (*_words(ARM), *_words(TROOP), *_words(NATION), *kinds, *_hexes()):
        taken.setdefault(word.id, word)
    return taken.values()


def vocabulary() -> Vocabulary:
    """All names of the game."""
    leaders = [Word(id, name, name) for id, name in leader_names().items()]
    kinds: dict[str, Iterable[Word]] = {
        "hex": _written(),
        "way": [*_written(), OFF],
        "leader": [*leaders, *_written()],
        "kind": _words(KIND),
        "card": _words(_CARDS, _ALSO_CARDS),
        "section": _words(SECTION, _ALSO_SECTIONS),
        "unit": [_kind_word(id) for id in charts.kinds()],
        "block": [_brief_word(id) for id in charts.kinds()],
        "piece": [*(_kind_word(id) for id in charts.kinds()), *leaders],
        "arm": _words(ARM),
        "troop": _words(TROOP),
        "nation": _words(NATION),
        "terrain": _words(TERRAIN),
        "face": _words(FACE),
        "whose": _whose(),
        "reason": _words(REASON),
        "role": _words(ROLE),
        "answer": _words(ANSWER),
        "seat": [Word("allied", "Allies", "Alliés"), Word("french", "French", "Français")],
        "fact": [*_words(FACT), *_hexes()],
        "question": _words(QUESTION, _ALSO_QUESTIONS),
        "value": [*_words(VALUE), *_words(ARM), *_words(TERRAIN)],
    }
    for kind, names in _POLICIES.items():
        kinds[kind] = _words(names, _ALSO_ADVANCE if kind == "advance" else None)
    return Vocabulary(kinds, words.load("ccn").verbs)
