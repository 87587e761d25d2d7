"""Every text that people read, in Italian and English, and the words for cards, by kind of deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from engine.cards import Card
from firmware.errors import FirmwareError

Language = Literal["it", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("it", "en")
Family = Literal["italian", "donna", "french"]
"""Kinds of deck by what people call their cards; `donna` are Italian decks with a woman in place of the fante (8)."""

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # buttons
    "no_misread": ("NO letta male", "NO misread"),
    "ok_overrule": ("OK accettate così", "OK all agree, go on"),
    "back": ("IND", "BACK"),
    "last": ("ULT", "LAST"),
    "points": ("PUNT", "PTS"),
    "done": ("FATTO", "DONE"),
    "no": ("NO", "NO"),
    "yes": ("SI", "YES"),
    "ok": ("OK", "OK"),
    "skip": ("SALTA", "SKIP"),
    "save": ("SALVA", "SAVE"),
    # words
    "seats": ("NORD SUD EST OVEST", "NORTH SOUTH EAST WEST"),
    "or": ("o", "or"),
    "table": ("Tavolo", "Table"),
    "stock": ("mazzo", "stock"),
    "missing": ("manca", "missing"),
    "seen": ("visto", "seen"),
    "ranks.italian": ("A 2 3 4 5 6 7 F C R", "A 2 3 4 5 6 7 F C R"),
    "ranks.donna": ("A 2 3 4 5 6 7 D C R", "A 2 3 4 5 6 7 D C R"),
    "ranks.french": ("A 2 3 4 5 6 7 F D R", "A 2 3 4 5 6 7 J Q K"),
    "rank_names.italian": ("asso 2 3 4 5 6 7 fante cavallo re", "ace 2 3 4 5 6 7 jack knight king"),
    "rank_names.donna": ("asso 2 3 4 5 6 7 donna cavallo re", "ace 2 3 4 5 6 7 maid knight king"),
    "rank_names.french": ("asso 2 3 4 5 6 7 fante donna re", "ace 2 3 4 5 6 7 jack queen king"),
    "suits.italian": ("D C S B", "D C S B"),
    "suits.french": ("Q C P F", "D H S C"),
    "suit_names.italian": ("denari coppe spade bastoni", "coins cups swords batons"),
    "suit_names.french": ("quadri cuori picche fiori", "diamonds hearts spades clubs"),
    "card_name": ("{rank} di {suit}", "{rank} of {suit}"),
    # boot, resume
    "boot.title": ("AVVIO", "STARTING"),
    "boot.running": ("in corso", "running"),
    "boot.waiting": ("attesa", "waiting"),
    "boot.memory": ("Memoria", "Memory"),
    "boot.buttons": ("Pulsanti", "Buttons"),
    "boot.camera": ("Camera", "Camera"),
    "boot.deck": ("Mazzo", "Deck"),
    "boot.none": ("nessuno", "none"),
    "boot_nocam.title": ("CAMERA NON TROVATA", "CAMERA NOT FOUND"),
    "boot_nocam.body": (
        "Controlla il cavo piatto. Riprovo fra {wait}\u00a0s (tentativo {attempt})",
        "Check the flat cable. Next try in {wait}\u00a0s (attempt {attempt})",
    ),
    "boot_nocam.ok": ("OK segna a mano", "OK score by hand"),
    "boot_nocam.minus": ("- rapporto guasto", "- fault report"),
    "boot_nocam.code": ("codice {code}", "code {code}"),
    "resume.title": ("PARTITA SOSPESA", "MATCH SUSPENDED"),
    "resume.game": ("{game} a {target}", "{game} to {target}"),
    "resume.hand": ("mano {hand}", "hand {hand}"),
    "resume.saved": ("Tavolo salvato", "Table saved"),
    "resume.found": ("Tavolo visto", "Table seen"),
    "resume.ask": ("Riprendere?", "Resume?"),
    "resume_diff.title": ("TAVOLO DIVERSO", "TABLE DIFFERS"),
    "resume_diff.saved": ("Salvato", "Saved"),
    "resume_diff.found": ("Visto", "Seen"),
    "resume_diff.missing": ("Manca {cards}", "Missing {cards}"),
    "resume_diff.extra": ("In più {cards}", "Extra {cards}"),
    "resume_diff.body": ("Rimetti a posto, oppure:", "Put it right, or:"),
    "resume_diff.ok": ("OK il tavolo vale", "OK the table counts"),
    "resume_diff.no": ("NO ricomincia mano", "NO start hand again"),
    # deal
    "deal.title": ("MANO {hand} mazziere {dealer}", "HAND {hand} dealer {dealer}"),
    "deal.title_short": ("MANO {hand} dà {dealer}", "HAND {hand} by {dealer}"),
    "deal.body": ("{cards} carte a testa e {table} sul tavolo", "{cards} cards each and {table} on the table"),
    "deal.body_none": ("{cards} carte a testa, niente sul tavolo", "{cards} cards each, none on the table"),
    "deal.seen": ("TAVOLO {seen}/{table}", "TABLE {seen}/{table}"),
    "deal.first": ("gioca {player}", "{player} plays"),
    "redeal.title": ("{count} {rank} SUL TAVOLO", "{count} {rank} ON THE TABLE"),
    "redeal.kings": ("RE", "KINGS"),
    "redeal.aces": ("ASSI", "ACES"),
    "redeal.body": ("Mano nulla: rimescola e ridai.", "Void hand: shuffle and deal again."),
    "redeal.ok": ("OK ridò le carte", "OK dealing again"),
    # play
    "play.turn": ("tocca a te", "your turn"),
    "play.held": ("{name} {count}", "{name} {count}"),
    "play.count": ("M{hand} giocata {play}/{plays}", "H{hand} play {play}/{plays}"),
    "took.title": ("{player} PRENDE", "{player} TAKES"),
    "took.verb": ("prende", "takes"),
    "took.body": ("{card} prende {takes}", "{card} takes {takes}"),
    "took.laid": ("{player} cala {card}", "{player} lays {card}"),
    "took.unknown": ("un {value} prende {takes}", "a {value} takes {takes}"),
    "took.settebello": ("SETTEBELLO", "SETTEBELLO"),
    "scopa.big": ("SCOPA!", "SCOPA!"),
    "scopa.body": ("{player} {card} prende {takes}", "{player} {card} takes {takes}"),
    "scopa.mark": (
        "Segnala: {card} scoperta di traverso sotto il mazzetto di {player}",
        "Mark it: {card} face up across under the pile of {player}",
    ),
    "scopa.mark_short": ("Segnala: {card} scoperta sotto il mazzetto", "Mark it: {card} face up under the pile"),
    # faults
    "must_take.title": ("PRESA OBBLIGATORIA", "CAPTURE IS COMPULSORY"),
    "must_take.body": (
        "{player} ha calato {card} e sul tavolo c'è {legal}: prendi {legal}, o riprendi {card} e gioca altro",
        "{player} laid {card} and {legal} is on the table: take {legal}, or pick {card} up and play another card",
    ),
    "must_take.body_short": (
        "{player}: {card} deve prendere {legal}. Prendi, o riprendi {card} e gioca altro",
        "{player}: {card} must take {legal}. Take, or pick up {card}, play another card",
    ),
    "bad_take.title": ("PRESA NON VALIDA", "CAPTURE NOT VALID"),
    "bad_take.took": ("{player} {card} ha preso {takes}", "{player} {card} took {takes}"),
    "bad_take.must_take_equal": (
        "ma c'è {legal} sul tavolo: si prende {legal}.",
        "but {legal} is on the table: take {legal}.",
    ),
    "bad_take.wrong_sum": ("ma non fa {value}.", "but that is not {value}."),
    "bad_take.only_one_equal": ("ma se ne prende una sola.", "but you may take only one."),
    "bad_take.ace_takes_all": ("ma l'asso prende tutto.", "but the ace takes all."),
    "bad_take.must_take_fewest": ("ma si prende {legal}: meno carte.", "but take {legal}: fewer cards."),
    "bad_take.card_not_on_table": ("che non era sul tavolo.", "which was not on the table."),
    "bad_take.other": ("ma non si può.", "but that is not allowed."),
    "bad_take.put_back": ("Rimetti {cards}", "Put back {cards}"),
    "put_back.title": ("RIMETTI SUL TAVOLO", "PUT BACK ON THE TABLE"),
    "put_back.remove": ("TOGLI DAL TAVOLO", "TAKE OFF THE TABLE"),
    "put_back.remove_also": ("togli {cards}", "take off {cards}"),
    "put_back.then": ("poi {player} prende {legal}", "then {player} takes {legal}"),
    "put_back.then_play": ("poi gioca {player}", "then {player} plays"),
    "put_back.right": ("tavolo a posto", "the table is right"),
    "put_back.no": ("NO annulla richiesta", "NO drop the request"),
    "lost.title": ("NON CAPISCO", "I CANNOT FOLLOW"),
    "lost.was": ("Prima", "Was"),
    "lost.now": ("Ora", "Now"),
    "lost.changes": ("{count} cambi in una volta", "{count} changes at once"),
    "lost.change": ("1 cambio non spiegato", "1 change unexplained"),
    "lost.card_already_out": ("{card} era già presa", "{card} was taken before"),
    "lost.two_cards": ("due carte in una volta", "two cards at once"),
    "lost.ok": ("OK rileggi il tavolo", "OK read table again"),
    "lost.no": ("NO torna a prima", "NO go back"),
    "lost.type": ("-/+ scrivi la giocata", "-/+ type the play in"),
    "out_turn.title": ("FUORI TURNO", "OUT OF TURN"),
    "out_turn.body": (
        "{player} ha calato {card} ma tocca a {turn}. Riprendi {card}, oppure accettate tutti",
        "{player} laid {card} but it is {turn}'s turn. Pick {card} up, or all agree",
    ),
    "out_turn.no": ("NO {card} ripresa", "NO {card} picked up"),
    "out_turn.ok": ("OK accettata", "OK accepted"),
    # questions
    "unsure.title": ("CARTA INCERTA", "CARD NOT CERTAIN"),
    "unsure.body": ("Mettila 1\u00a0s nel riquadro, o scegli:", "Put it in the box 1\u00a0s, or choose:"),
    "unsure.no": ("NO un'altra carta", "NO another card"),
    "unseen.title": ("CARTA NON VISTA", "CARD NOT SEEN"),
    "unseen.body": (
        "{player} ha preso {takes} con un {value}. Quale? Mostrala nel riquadro",
        "{player} took {takes} with a {value}. Which one? Show it in the box",
    ),
    "unseen.body_short": (
        "{player}: quale {value}? Mostrala nel riquadro",
        "{player}: which {value}? Show it in the box",
    ),
    "unseen.ok": ("OK decidi a fine mano", "OK settle at the end"),
    "unseen.no": ("NO non era un {value}", "NO not a {value}"),
    "pick_card.title": ("CHE CARTA È?", "WHICH CARD IS IT?"),
    "pick_card.value": ("-/+ valore", "-/+ rank"),
    "pick_card.suit": ("-/+ seme", "-/+ suit"),
    "pick_card.hold": ("OK tieni = seme", "hold OK = suit"),
    "pick_card.skipped": ("già viste: saltate", "seen ones: skipped"),
    "pick_takes.title": ("{card} PRENDE?", "WHAT DOES {card} TAKE?"),
    "pick_takes.nothing": ("niente", "nothing"),
    "turn.title": ("DI CHI È?", "WHOSE CARD?"),
    "turn.body": (
        "Tocca a {turn}, ma la mano viene da {other}",
        "It is {turn}'s turn, but the arm comes from {other}",
    ),
    "turn.ok": ("OK gioca {player}", "OK {player} played"),
    "turn.no": ("NO gioca {player}", "NO {player} played"),
    "turn.other": ("-/+ un altro", "-/+ another one"),
    # disputes
    "dispute.title": ("CONTESTAZIONE", "DISPUTE"),
    "dispute.last": ("ultima: {player} {card} prende {takes}", "last: {player} {card} takes {takes}"),
    "dispute.last_laid": ("ultima: {player} cala {card}", "last: {player} lays {card}"),
    "dispute.older": ("{player} {card} prende {takes}", "{player} {card} takes {takes}"),
    "dispute.older_laid": ("{player} cala {card}", "{player} lays {card}"),
    "dispute.number": ("(n.{n})", "(no.{n})"),
    "dispute.none": ("nessuna giocata", "no play yet"),
    "dispute.other": ("-/+ altra giocata", "-/+ another play"),
    "dispute.ok": ("OK annulla fino a qui", "OK undo down to here"),
    "dispute.no": ("NO resta valida", "NO it stands"),
    "undo.title": ("ANNULLO LA N.{n}", "UNDOING NO.{n}"),
    "undo.back": ("Rimetti sul tavolo", "Put back on the table"),
    "undo.hand": ("{player} riprende {card}", "{player} picks up {card}"),
    "undo.waiting": ("aspetto il tavolo...", "waiting for the table"),
    "undo.no": ("NO non annullare", "NO do not undo"),
    "claim.title": ("{player} SI DICHIARA A {target}?", "{player} CLAIMS {target}?"),
    "claim.title_short": ("{player}: {target} PUNTI?", "{player}: {target} POINTS?"),
    "claim.certain": ("punti sicuri ora: {points}", "certain points: {points}"),
    "claim.possible": ("possibili: {items}", "possible: {items}"),
    "claim.warning": ("Se sbaglia è escluso (regola di casa)", "If wrong: excluded (house rule)"),
    "claim.ok": ("OK conto", "OK count"),
    "claim.no": ("NO ritira", "NO withdraw"),
    # notices
    "light.title": ("LUCE CAMBIATA", "LIGHT CHANGED"),
    "light.body": ("fermi 3 s: ricalibro", "still 3 s: adjusting"),
    "light.seconds": ("{seconds} s", "{seconds} s"),
    "light.foot": ("la partita continua", "the match goes on"),
    "glare.title": ("RIFLESSO", "GLARE"),
    "glare.body": ("non leggo {count} carte", "I cannot read {count}"),
    "glare.body_one": ("non leggo una carta", "I cannot read a card"),
    "glare.where": ("(zona {where})", "({where})"),
    "glare.advice": ("sposta la lampada o gira le carte", "move the lamp or turn the cards"),
    "glare.ok": ("OK ci penso dopo", "OK later"),
    "where.top_left": ("alto a sinistra", "top left"),
    "where.top": ("in alto", "top"),
    "where.top_right": ("alto a destra", "top right"),
    "where.left": ("a sinistra", "left"),
    "where.centre": ("al centro", "centre"),
    "where.right": ("a destra", "right"),
    "where.bottom_left": ("basso a sinistra", "bottom left"),
    "where.bottom": ("in basso", "bottom"),
    "where.bottom_right": ("basso a destra", "bottom right"),
    "off.title": ("SPEGNERE?", "SWITCH OFF?"),
    "off.body": ("La partita è salvata fino alla giocata {n}", "The match is saved up to play {n}"),
    "off.body_none": ("Nessuna partita in corso", "No match running"),
    "off.ok": ("OK tieni 2 s: spegni", "OK hold 2 s: off"),
    "off.no": ("NO continua", "NO go on"),
    "pause.title": ("PAUSA", "PAUSE"),
    # end of the hand
    "end.title": ("FINE MANO {hand}", "END OF HAND {hand}"),
    "end.left": ("{cards} restano a {player}", "{cards} stay with {player}"),
    "end.left_one": ("{cards} resta a {player}", "{cards} stays with {player}"),
    "end.no_scopa": ("(non è scopa)", "(this is no scopa)"),
    "end.debts": ("{count} carte da vedere", "{count} cards to be seen"),
    "end.debts_one": ("1 carta da vedere", "1 card to be seen"),
    "end.ok": ("OK conta i mazzetti", "OK count the piles"),
    "end.no": ("NO va bene così", "NO fine as it is"),
    "count.title": ("MAZZETTO {player}", "PILE OF {player}"),
    "count.body": ("apri a ventaglio, scoperte", "fan it out, faces up"),
    "count.missing": ("mancano {cards}", "missing {cards}"),
    "count.foot": ("OK finito  - da capo", "OK done      - again"),
    "count_bad.title": ("NON TORNA", "DOES NOT AGREE"),
    "count_bad.body": ("{player}: attese {expected}, viste {seen}", "{player}: due {expected}, seen {seen}"),
    "count_bad.missing": ("manca {cards}", "missing {cards}"),
    "count_bad.ok": ("OK rileggi", "OK read again"),
    "count_bad.give": ("- dai {card} a {player}", "- {card} to {player}"),
    "count_bad.no": ("NO lascia in sospeso", "NO leave it open"),
    "wrong_pile.title": ("{card} VISTA IN {player}", "{card} SEEN AT {player}"),
    "wrong_pile.title_short": ("{card} IN {player}", "{card} AT {player}"),
    "wrong_pile.body": ("per me la prese {player}", "I gave it to {player}"),
    "wrong_pile.play": ("giocata {n}: {player} {card} prende {takes}", "play {n}: {player} {card} takes {takes}"),
    "wrong_pile.play_short": ("giocata {n}: {card} prende {takes}", "play {n}: {card} takes {takes}"),
    "wrong_pile.minus": ("- è di {player}", "- it is {player}'s"),
    "wrong_pile.plus": ("+ è di {player}", "+ it is {player}'s"),
    "wrong_pile.no": ("NO mostra le foto", "NO show pictures"),
    "score.title": ("MANO {hand}|M {hand}", "HAND {hand}|H {hand}"),
    "score.hand": ("Mano", "Hand"),
    "score.total": ("TOTALE|TOT", "TOTAL|TOT"),
    "item.carte": ("Carte|Cart", "Cards|Card"),
    "item.denari": ("Denari|Den", "Coins|Coin"),
    "item.settebello": ("Settebello|7bello|7bel", "Settebello|7bello|7bel"),
    "item.primiera": ("Primiera|Prim", "Primiera|Prim"),
    "item.settanta": ("Settanta|Sett", "Sevens|7s"),
    "item.scope": ("Scope|Scop", "Scope|Scop"),
    "item.napola": ("Napola|Nap", "Napola|Nap"),
    "item.grande": ("Grande|Gran", "Grande|Gran"),
    "item.bussate": ("Bussate|Buss", "Knocks|Knok"),
    "item.re_bello": ("Re bello|ReB", "Re bello|ReB"),
    "item.capotto": ("Cappotto|Capp", "Capotto|Cap"),
    "tie.big": ("PARI A {total}", "TIED AT {total}"),
    "tie.body": ("Un'altra mano di spareggio.", "One more hand to break the tie."),
    "tie.dealer": ("Mazziere: {player}", "Dealer: {player}"),
    "win.big": ("VINCE", "WINNER"),
    "win.line": ("VINCE {player}", "{player} WINS"),
    "win.time": ("{hands} mani in {minutes} minuti", "{hands} hands, {minutes} min"),
    "win.time_one": ("1 mano in {minutes} minuti", "1 hand, {minutes} min"),
    "win.saved": ("partita n. {number} salvata", "match no. {number} saved"),
    "win.overruled": ("* {count} accettate così", "* {count} overruled"),
    "win.ok": ("OK rivincita", "OK rematch"),
    "win.foot": ("- dettagli   NO fine", "- details     NO end"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language, and the words of one family of decks.

    `Words("it")("off.title")` is the text; fields in braces are filled from the keywords, and cards among them are
    written by their letters. Raises `FirmwareError` for a text that does not exist.
    """

    language: Language = "it"
    family: Family = "italian"

    def __call__(self, key: str, **fields: object) -> str:
        texts = TEXTS.get(key)
        if texts is None:
            raise FirmwareError(f"expected the key of a text, got {key!r}")
        text = texts[LANGUAGES.index(self.language)]
        return text.format(**{name: self._field(value) for name, value in fields.items()}) if fields else text

    def _field(self, value: object) -> object:
        if isinstance(value, Card):
            return self.card(value)
        return self.cards(value, most=4) if isinstance(value, tuple | frozenset) else value

    def card(self, card: Card) -> str:
        """A card by two letters, rank before suit: `7D`, and `CB`, the cavallo of bastoni."""
        return self.rank(card.value) + self._pick("suits", card.suit)

    def rank(self, value: int) -> str:
        """The letter or digit of a value 1 to 10."""
        return self("ranks." + self.family).split()[value - 1]

    def rank_name(self, value: int) -> str:
        """The word for a value 1 to 10."""
        return self("rank_names." + self.family).split()[value - 1]

    def suit_name(self, suit: int) -> str:
        """The word for a suit 0 to 3."""
        return self._pick("suit_names", suit)

    def card_name(self, card: Card) -> str:
        """A card in words: `7 di coppe`."""
        return self("card_name", rank=self.rank_name(card.value), suit=self.suit_name(card.suit))

    def icon(self, card: Card) -> str:
        """The sign of a card's suit, of this family."""
        return ("♦♥♠♣" if self.family == "french" else "◉⚱†♧")[card.suit]

    def cards(self, cards: Iterable[object], *, most: int = 40) -> str:
        """Cards by letters with blanks between them; of more than `most`, the first ones and how many follow."""
        names = [self.card(card) for card in cards if isinstance(card, Card)]
        kept = names if len(names) <= most else [*names[: most - 1], f"+{len(names) - most + 1}"]
        return " ".join(kept)

    def _pick(self, what: str, suit: int) -> str:
        return self(f"{what}.{'french' if self.family == 'french' else 'italian'}").split()[suit]
