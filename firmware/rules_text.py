"""The rules in words, Italian and English: variants, and what each value of each option means at the table."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.rules import RANGES, VARIANTS, Option, RuleSet, expected, option_text, variant
from firmware.text import LANGUAGES, Language, Words

TITLES: Final[dict[str, tuple[str, str]]] = {
    "scopa_2": ("Scopa in due", "Scopa for two"),
    "scopa_3": ("Scopa in tre", "Scopa for three"),
    "scopa_4": ("Scopa in quattro, a coppie", "Scopa for four, in pairs"),
    "scopa_classica_21": ("Scopa classica a 21", "Classic Scopa to 21"),
    "scopa_napola": ("Scopa con la napola", "Scopa with napola"),
    "scopa_settanta": ("Scopa con la settanta", "Scopa with the three sevens"),
    "scopa_dichiarata": ("Scopa a vittoria dichiarata", "Scopa with declared victory"),
    "scopone_scientifico": ("Scopone scientifico", "Scopone scientifico"),
    "scopone_9": ("Scopone con nove carte", "Scopone with nine cards"),
    "scopa_assi": ("Scopa d'assi (asso pigliatutto)", "Scopa d'assi (the ace takes all)"),
    "scopa_assi_4": ("Scopa d'assi in quattro", "Scopa d'assi for four"),
    "cirulla_2": ("Cirulla in due", "Cirulla for two"),
    "cirulla_3": ("Cirulla in tre", "Cirulla for three"),
    "cirulla_4": ("Cirulla in quattro, a coppie", "Cirulla for four, in pairs"),
    "sette_e_mezzo": ("Sette e mezzo", "Sette e mezzo"),
    "sette_e_mezzo_jolly": ("Sette e mezzo con la matta", "Sette e mezzo with the jolly"),
}

SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "players": ("Si gioca in {value}.", "{value} players."),
    "pairs=false": ("Ognuno gioca per sé.", "Each player plays alone."),
    "pairs=true": ("I compagni siedono di fronte e uniscono le prese.", "Partners sit opposite and pool their piles."),
    "target": ("Si vince a {value} punti.", "The match is to {value} points."),
    "direction=cw": ("Si gioca in senso orario.", "Play goes clockwise."),
    "direction=ccw": ("Si gioca in senso antiorario.", "Play goes counter-clockwise."),
    "hand_cards": ("Si danno {value} carte a testa.", "Each player gets {value} cards at a time."),
    "table_cards": ("Carte scoperte in tavola all'inizio: {value}.", "Cards face up on the table at first: {value}."),
    "redeal_kings": ("Con {value} re in tavola si ridanno le carte.", "{value} kings on the first table: deal again."),
    "redeal_kings=none": ("I re in tavola non annullano la mano.", "Kings on the first table are no misdeal."),
    "redeal_aces": ("Con {value} assi in tavola si ridanno le carte.", "{value} aces on the first table: deal again."),
    "redeal_aces=none": ("Gli assi in tavola non annullano la mano.", "Aces on the first table are no misdeal."),
    "value_capture=equal_first": (
        "Se c'è una carta uguale si deve prendere quella, una sola.",
        "An equal card must be taken before any sum, and only one.",
    ),
    "value_capture=free": (
        "Si sceglie liberamente fra la carta uguale e le somme.",
        "An equal card or a sum: the choice is free.",
    ),
    "value_capture=fewest": (
        "Fra le somme si deve prendere quella con meno carte.",
        "Of several sums the one with the fewest cards must be taken.",
    ),
    "sum15=false": ("Non si prende a quindici.", "No captures by fifteen."),
    "sum15=true": (
        "Si prende anche ciò che con la carta giocata fa quindici.",
        "Cards that make fifteen with the played card may be taken too.",
    ),
    "ace=plain": ("L'asso vale uno come ogni altra carta.", "An ace is an ordinary one."),
    "ace=takes_all": ("L'asso prende tutte le carte in tavola.", "An ace takes all the cards on the table."),
    "ace_blocked_by_ace=true": ("Un asso in tavola ferma l'asso pigliatutto.", "An ace on the table stops the sweep."),
    "ace_blocked_by_ace=false": ("L'asso prende tutto anche se c'è un asso.", "An ace on the table stops nothing."),
    "ace_scopa=yes": ("Una scopa fatta con l'asso vale.", "A scopa made with an ace counts."),
    "ace_scopa=no_takeall": ("L'asso che prende tutto non fa scopa.", "An ace that sweeps makes no scopa."),
    "ace_scopa=never": ("Con l'asso non si fa mai scopa.", "An ace never makes a scopa."),
    "ace_on_empty=stays": ("A tavola vuota l'asso resta in tavola.", "On an empty table an ace stays."),
    "ace_on_empty=takes_itself": ("A tavola vuota l'asso prende se stesso.", "On an empty table an ace takes itself."),
    "ace_first=allowed": ("Si può aprire la mano con un asso.", "The first card of a hand may be an ace."),
    "ace_first=forbidden": (
        "Regola del vile: la prima carta della mano non può essere un asso.",
        "The first card of a hand may not be an ace (regola del vile).",
    ),
    "last_scopa=no_last_card": ("Con l'ultima carta non si fa scopa.", "The last card of the hand makes no scopa."),
    "last_scopa=no_last_capture": (
        "L'ultima presa dell'ultima distribuzione non fa scopa.",
        "The last capture of the last distribution makes no scopa.",
    ),
    "last_scopa=yes": ("Anche l'ultima carta può fare scopa.", "The last card too may make a scopa."),
    "majority=most": ("Carte e denari a chi ne ha più di tutti.", "Carte and denari go to whoever has most, alone."),
    "majority=more_than_half": (
        "Carte e denari a chi ne ha più della metà.",
        "Carte and denari need more than half of them.",
    ),
    "primiera=best4": (
        "Primiera: la carta migliore di ogni seme; vince la somma più alta.",
        "Primiera: the best card of each suit; the highest sum wins.",
    ),
    "primiera=settanta": ("Settanta: un punto a chi ha almeno tre sette.", "Three sevens take the primiera point."),
    "primiera=off": ("Non si conta la primiera.", "No point for the primiera."),
    "primiera_faces=10": ("Nella primiera ogni figura vale 10.", "Every figure counts 10 in the primiera."),
    "primiera_faces=10-9-8": (
        "Nella primiera il re vale 10, il cavallo 9, il fante 8.",
        "In the primiera king, knight and jack count 10, 9 and 8.",
    ),
    "napola=false": ("Non si conta la napola.", "No napola."),
    "napola=true": (
        "Napola: asso, due e tre di denari fanno 3 punti, uno in più per ogni denari che segue.",
        "Napola: ace, 2 and 3 of denari are 3 points, one more for each next denari.",
    ),
    "napola_max": ("La napola vale al massimo {value} punti.", "The napola gives {value} points at most."),
    "napola_full_wins=false": ("La napola intera non vince la partita.", "A full napola does not win the match."),
    "napola_full_wins=true": ("Dieci denari di napola vincono la partita.", "Ten denari in a row win the match."),
    "re_bello=false": ("Il re di denari non dà punti.", "The king of denari gives no point."),
    "re_bello=true": ("Re bello: il re di denari vale un punto.", "Re bello: the king of denari is a point."),
    "grande=false": ("Non si conta la grande.", "No grande."),
    "grande=true": (
        "Grande: fante, cavallo e re di denari fanno 5 punti.",
        "Grande: jack, knight and king of denari are 5 points.",
    ),
    "bussate=false": ("Non si bussa.", "No knocks."),
    "bussate=true": (
        "Si bussa con tre carte fresche, prima di giocarne una.",
        "A player may knock with three fresh cards, before playing one.",
    ),
    "bussata_low": ("Bussata fino a 9: {value} punti.", "A knock with 9 or less: {value} points."),
    "bussata_three": ("Bussata con tre carte uguali: {value} punti.", "A knock with three equal: {value} points."),
    "bussata_both=false": ("Delle due bussate si paga la migliore.", "Of both knocks the better one is paid."),
    "bussata_both=true": ("Tre uguali fino a 9 pagano le due bussate.", "Three equal cards of 9 or less pay both."),
    "matta": ("Matta nella bussata: {value}.", "Wild card in a knock: {value}."),
    "matta=none": ("Nessuna matta.", "No wild card."),
    "matta_in_play=seven": ("Giocata, la matta vale 7.", "In play the wild card is a 7."),
    "matta_in_play=declared": (
        "Giocata, la matta tiene il valore dichiarato.",
        "In play the wild card keeps its declared value.",
    ),
    "matta_on_table=false": ("In tavola all'inizio la matta vale 7.", "On the first table the wild card is a 7."),
    "matta_on_table=true": (
        "In tavola all'inizio la matta vale ciò che serve per 15 o 30.",
        "On the first table the wild card stands for what makes 15 or 30.",
    ),
    "table_15=false": ("La somma della prima tavola non conta.", "The sum of the first table means nothing."),
    "table_15=true": (
        "Prima tavola di 15: una scopa al mazziere; di 30: due.",
        "A first table of 15 is a scopa for the dealer, one of 30 two.",
    ),
    "capotto=off": ("Tutti i denari non vincono la partita.", "All ten denari do not win the match."),
    "capotto=wins_match": ("Cappotto: dieci denari vincono la partita.", "Capotto: all ten denari win the match."),
    "end=hand_end": (
        "La partita finisce a fine mano, se uno solo è in testa.",
        "The match ends after a hand, when one side leads alone.",
    ),
    "end=declared": (
        "Vince chi dichiara di avere i punti; chi sbaglia è escluso.",
        "Who claims to have the points wins; a wrong claim excludes.",
    ),
    "both_reach=sole_lead": (
        "Se arrivano in più, vince chi è solo in testa.",
        "If several sides arrive, the one that leads alone wins.",
    ),
    "both_reach=count_order": (
        "Se arrivano in più, vince chi ci arriva prima contando carte, denari, settebello, primiera, scope, napola.",
        "If several sides arrive, the first wins as carte, denari, settebello, primiera, scope, napola are counted.",
    ),
    "min_stake": ("Puntata minima {value}.", "Lowest stake {value}."),
    "max_stake": ("Puntata massima {value}.", "Highest stake {value}."),
    "chips": ("Ognuno comincia con {value} gettoni.", "Each player starts with {value} chips."),
    "jolly": ("Matta: {value}.", "Jolly: {value}."),
    "jolly=none": ("Nessuna matta.", "No jolly."),
    "jolly_alone=best": ("Da sola la matta vale 7.", "Alone the jolly counts 7."),
    "jolly_alone=half": ("Da sola la matta vale mezzo.", "Alone the jolly counts a half."),
    "double_bet=true": ("È ammessa la doppia puntata.", "Double bets are allowed."),
    "double_bet=false": ("Una sola puntata.", "One bet only."),
    "triple_vs_bank_many": (
        "Triplè contro sette e mezzo di più carte: paga {value} a 1.",
        "Triplè against a bank's 7½ in more cards: pays {value} to 1.",
    ),
    "triple_vs_bank_many=-1": (
        "Il triplè perde contro sette e mezzo di più carte.",
        "A triplè loses against a bank's 7½ in more cards.",
    ),
    "triple_vs_bank_emblee": (
        "Triplè contro sette e mezzo d'emblée: paga {value} a 1.",
        "Triplè against a bank's 7½ d'emblée: pays {value} to 1.",
    ),
    "triple_vs_bank_emblee=-1": (
        "Il triplè perde contro sette e mezzo d'emblée.",
        "A triplè loses against a bank's 7½ d'emblée.",
    ),
    "bank_change=two_card": (
        "Il banco passa al primo che vince con sette e mezzo d'emblée o triplè.",
        "The bank goes to the first who wins with a 7½ d'emblée or a triplè.",
    ),
}


def title(name: str, language: Language) -> str:
    """What people call a variant."""
    return TITLES[name][LANGUAGES.index(language)]


def sentence(option: str, value: Option, words: Words) -> str:
    """What the value of an option means at the table."""
    texts = SENTENCES.get(f"{option}={option_text(value)}") or SENTENCES[option]
    card = option in {"matta", "jolly"} and isinstance(value, str)
    shown = words.card_name(Card.parse(value)) if card and isinstance(value, str) else option_text(value)
    return texts[LANGUAGES.index(words.language)].format(value=shown)


def describe(rules: RuleSet, words: Words) -> list[tuple[str, str, str]]:
    """Every option that acts in a game: its name, its value, what it means."""
    return [(name, option_text(value), sentence(name, value, words)) for name, value in rules.settings().items()]


def variants_table(language: Language) -> str:
    """The named variants as a table in Markdown: what each one changes of `scopa_2`."""
    heads = {"it": "variante|gioco|cambia rispetto a `scopa_2`", "en": "variant|game|differs from `scopa_2` by"}
    rows = [tuple(heads[language].split("|")), ("---", "---", "---")]
    plain = variant("scopa_2").settings()
    for name in VARIANTS:
        rules = variant(name).settings()
        changed = {key: value for key, value in rules.items() if plain.get(key, getattr(RuleSet(), key)) != value}
        text = ", ".join(f"`{key}={option_text(value)}`" for key, value in changed.items())
        rows.append((f"`{name}`", title(name, language), text or "–"))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def options_table(language: Language) -> str:
    """Every option with all its values and what each one means at the table, in Markdown."""
    heads = {"it": "opzione|valore|al tavolo", "en": "option|value|at the table"}
    rows = [tuple(heads[language].split("|")), ("---", "---", "---")]
    for key, texts in SENTENCES.items():
        name, _, value = key.partition("=")
        shown = f"`{value}`" if value else _values(name)
        rows.append((f"`{name}`", shown, texts[LANGUAGES.index(language)].format(value="*n*")))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _values(name: str) -> str:
    """What values an option takes, without words: `1–999`, or some of them."""
    if name in RANGES:
        return f"{RANGES[name].start}–{RANGES[name].stop - 1}"
    return "`7c`, `Rd`, …" if "card" in expected(name) else expected(name).removeprefix("one of ")
