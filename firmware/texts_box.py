"""Texts about the box itself, Italian and English: the self-test's parts, and what each code means and asks for."""

from __future__ import annotations

from typing import Final

BOX_TEXTS: Final[dict[str, tuple[str, str]]] = {
    # self-test: parts, then what each code means and what to do
    "selftest.title": ("AUTODIAGNOSI", "SELF-TEST"),
    "selftest.foot": ("OK salva rapporto", "OK save a report"),
    "selftest.more": ("e altri {count}", "and {count} more"),
    "part.camera": ("Camera", "Camera"),
    "part.focus": ("Fuoco", "Focus"),
    "part.colours": ("Colori", "Colours"),
    "part.reflections": ("Riflessi", "Reflections"),
    "part.light": ("Luce", "Light"),
    "part.display": ("Display", "Display"),
    "part.buttons": ("Pulsanti", "Buttons"),
    "part.buzzer": ("Suono", "Buzzer"),
    "part.deck": ("Mazzo", "Deck"),
    "part.disk": ("Disco", "Disk"),
    "part.matches": ("Partite", "Matches"),
    "part.clock": ("Orologio", "Clock"),
    "part.temperature": ("Temperatura", "Temperature"),
    "part.supply": ("Tensione", "Supply"),
    "part.versions": ("Versioni", "Versions"),
    "code.C01": (
        "Manca il programma della camera: apt install python3-picamera2",
        "The camera's library is missing: apt install python3-picamera2",
    ),
    "code.C02": (
        "Un altro programma tiene la camera: chiudilo, o riavvia",
        "Another program holds the camera: end it, or restart",
    ),
    "code.C03": (
        "Camera non trovata: controlla il cavo piatto alle due estremità",
        "No camera found: check the flat cable at both ends",
    ),
    "code.C04": (
        "La camera dà troppe poche immagini: cavo o alimentatore",
        "The camera gives too few pictures: cable or power supply",
    ),
    "code.C05": ("Immagine sfocata: regola il fuoco sul tavolo", "The picture is soft: set the focus on the table"),
    "code.C06": (
        "Rosso e blu scambiati: aggiorna picamera2 e il programma",
        "Red and blue are exchanged: update picamera2 and this program",
    ),
    "code.C07": ("Riflessi sul tavolo: sposta la lampada", "Reflections on the table: move the lamp"),
    "code.C08": ("La luce non basta o è diseguale: vedi lampada", "The light is poor or uneven: see to the lamp"),
    "code.D01": (
        "Il display non risponde: controlla i quattro fili e l'indirizzo",
        "The display does not answer: check its four wires and its address",
    ),
    "code.D02": ("Il bus del display è spento: attiva I2C o SPI", "The display's bus is off: enable I2C or SPI"),
    "code.D03": (
        "Il programma non può usare il bus: gruppo i2c o spi",
        "The program may not use the bus: group i2c or spi",
    ),
    "code.D04": ("Manca il programma del display: reinstalla", "The display's library is missing: install again"),
    "code.B01": (
        "Nessun piedino da leggere: apt install python3-lgpio, gruppo gpio",
        "No pins to read: apt install python3-lgpio, group gpio",
    ),
    "code.B02": (
        "Due parti sullo stesso piedino, o piedino occupato: vedi impostazioni",
        "Two parts share a pin, or a pin is in use: see the settings",
    ),
    "code.B03": (
        "Un pulsante risulta premuto: controlla che non sia incastrato o in corto",
        "A button reads as pressed: see that it is not stuck or shorted",
    ),
    "code.B04": (
        "Un pulsante non è stato premuto: controlla il suo filo",
        "A button was not pressed: check its wire",
    ),
    "code.S01": ("Il suono non va: controlla il suo piedino", "The buzzer does not play: check its pin"),
    "code.M01": ("Mazzo non imparato: Impostazioni, Mazzo", "The deck is not learnt: Settings, Deck"),
    "code.M02": (
        "Facce poco chiare: impara di nuovo il mazzo in buona luce",
        "Some faces are unclear: learn the deck again in good light",
    ),
    "code.K01": ("Disco quasi pieno: cancella o cambia scheda", "The disk is almost full: delete, or change the card"),
    "code.K02": (
        "Non posso scrivere le partite: permessi o scheda guasta",
        "The matches cannot be written: permissions or a broken card",
    ),
    "code.K03": (
        "Le partite non si aprono: versione più nuova o file guasto",
        "The matches cannot be opened: a newer version or a damaged file",
    ),
    "code.T01": (
        "Data non certa: l'ordine delle partite resta giusto",
        "The date is not certain: the order of matches stays right",
    ),
    "code.T02": ("Troppo caldo: dai aria al contenitore", "Too hot: let air into the case"),
    "code.T03": (
        "Tensione bassa: usa l'alimentatore e un cavo corto",
        "The voltage is low: use the right supply and a short cable",
    ),
    "code.V01": ("Manca una libreria: reinstalla", "A library is missing: install again"),
    "code.V02": (
        "Due OpenCV insieme: togli opencv-python e reinstalla",
        "Two OpenCVs at once: remove opencv-python and install again",
    ),
    # calibration
    "calibrate.corners": ("Angoli", "Corners"),
    "calibrate.light": ("Luce", "Light"),
    "calibrate.light.good": ("buona", "good"),
    "calibrate.light.dark": ("poca", "too dim"),
    "calibrate.light.bright": ("troppa", "too bright"),
    "calibrate.light.uneven": ("diseguale", "uneven"),
    "calibrate.reflections": ("Riflessi", "Spots"),
    "calibrate.box": ("Box", "Box"),
    "calibrate.focus": ("Fuoco", "Focus"),
    "calibrate.soft": ("sfocato", "soft"),
    "calibrate.card": ("Carta", "Card"),
    "calibrate.small": ("piccola", "too small"),
    "calibrate.good": ("tutto a posto", "all is well"),
    "calibrate.poor": ("si gioca, ma meno bene", "playable, less surely"),
}
