"""Draws the pictures of docs/build-the-box.md: `python docs/drawings/draw.py` writes wiring.svg and mast.svg.

The pins are those of `hardware.pins`, so the drawing cannot differ from the program.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from hardware.pins import BUTTON_PINS, BUZZER_PIN, I2C_PINS

HEADER = {2: 3, 3: 5, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 25: 22, 11: 23, 8: 24}
"""Place on the 40-pin header by BCM number, for the pins that are used."""
FIXED = {
    1: "3V3",
    2: "5V",
    4: "5V",
    6: "GND",
    9: "GND",
    14: "GND",
    17: "3V3",
    20: "GND",
    25: "GND",
    30: "GND",
    34: "GND",
}
RED, BLACK, BLUE, GREEN, VIOLET = "#c62828", "#222", "#1565c0", "#2e7d32", "#6a1b9a"
TOP, STEP, LEFT, RIGHT = 60, 22, 330, 370


def place(pin: int) -> tuple[int, int]:
    """Middle of a header pin: odd ones left, even ones right."""
    return (LEFT if pin % 2 else RIGHT), TOP + STEP * ((pin - 1) // 2)


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 13, weight: str = "normal") -> str:
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {style}>{words}</text>'


def box(x: int, y: int, width: int, height: int, title: str) -> str:
    frame = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="#f5f5f5" stroke="#555"/>'
    return frame + text(x + width / 2, y + 20, title, "middle", 14, "bold")


def header() -> list[str]:
    """The forty pins with their names."""
    height = 19 * STEP + 30
    parts = [f'<rect x="{LEFT - 16}" y="{TOP - 15}" width="72" height="{height}" rx="4" fill="#333"/>']
    bcm = {pin: f"BCM {number}" for number, pin in HEADER.items()}
    for pin in range(1, 41):
        x, y = place(pin)
        name = FIXED.get(pin) or bcm.get(pin, "")
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{"#fbc02d" if name else "#777"}"/>')
        parts.append(f'<text x="{x}" y="{y + 3}" font-size="8" text-anchor="middle">{pin}</text>')
    parts.append(text(350, TOP - 44, "Raspberry Pi, pin 1 at the corner", "middle", 13, "bold"))
    return parts


def wire(x: int, y: int, pin: int, lane: int, colour: str) -> str:
    """From a part's terminal along a lane of its own to a header pin."""
    px, py = place(pin)
    edge = px - 8 if pin % 2 else px + 8
    return f'<path d="M{x} {y}H{lane}V{py}H{edge}" fill="none" stroke="{colour}" stroke-width="2.5"/>'


def display() -> list[str]:
    """The OLED on I2C at the left."""
    parts = [box(20, 40, 150, 130, "OLED (I2C)")]
    terminals = (
        ("VCC", 1, RED, 250),
        ("SDA", HEADER[I2C_PINS["SDA"]], BLUE, 265),
        ("SCL", HEADER[I2C_PINS["SCL"]], GREEN, 280),
    )
    for row, (name, pin, colour, lane) in enumerate(terminals):
        y = 80 + 22 * row
        parts += [text(160, y + 4, name, "end"), wire(170, y, pin, lane, colour)]
    y = 146
    parts += [text(160, y + 4, "GND", "end")]
    px, py = place(6)
    parts.append(f'<path d="M170 {y}H235V30H415V{py}H{px + 8}" fill="none" stroke="{BLACK}" stroke-width="2.5"/>')
    return parts


def buttons() -> list[str]:
    """Three buttons at the left, OK and the buzzer at the right, one ground wire for all."""
    parts = []
    for row, name in enumerate(("no", "minus", "plus")):
        y = 215 + 62 * row
        label = {"no": "NO", "minus": "−", "plus": "+"}[name]
        parts += [
            box(20, y, 110, 44, f"button {label}"),
            wire(130, y + 34, HEADER[BUTTON_PINS[name]], 250 + 15 * row, VIOLET),
        ]
        parts.append(f'<path d="M130 {y + 14}H200" fill="none" stroke="{BLACK}" stroke-width="2.5"/>')
    _, ground = place(9)
    parts.append(
        f'<path d="M200 {215 + 62 * 2 + 14}V{ground}H{LEFT - 8}" fill="none" stroke="{BLACK}" stroke-width="2.5"/>'
    )
    parts += [box(560, 150, 120, 44, "buzzer"), box(560, 230, 120, 44, "button OK")]
    parts += [wire(560, 184, HEADER[BUZZER_PIN], 470, VIOLET), wire(560, 264, HEADER[BUTTON_PINS["ok"]], 450, VIOLET)]
    _, ground = place(14)
    parts.append(f'<path d="M560 164H500V{ground}H{RIGHT + 8}" fill="none" stroke="{BLACK}" stroke-width="2.5"/>')
    parts.append(f'<path d="M560 244H500V{ground}" fill="none" stroke="{BLACK}" stroke-width="2.5"/>')
    return parts


def sheet(width: int, height: int, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])


def wiring() -> str:
    """The box on I2C, as built by most."""
    legend = text(
        20,
        470,
        "Buttons connect their pin to ground; the pull-ups are inside the Pi. Black: ground, red: 3.3 V.",
        size=12,
    )
    return sheet(710, 525, [*header(), *display(), *buttons(), legend])


def mast() -> str:
    """Seen from the side: camera above the middle, lamp beside it so that its mirror image falls outside the view."""
    parts = [
        '<rect x="60" y="330" width="520" height="14" fill="#8d6e63"/>',
        '<path d="M320 76L130 330H510Z" fill="#fff59d" fill-opacity=".6" stroke="#f9a825" stroke-dasharray="6 4"/>',
        '<path d="M600 344V60H330" fill="none" stroke="#555" stroke-width="8" stroke-linejoin="round"/>',
        '<rect x="300" y="56" width="40" height="22" rx="4" fill="#333"/>',
        '<path d="M445 66l70 0l-14 26h-42z" fill="#ffca28" stroke="#555"/>',
        '<path d="M320 350H130M320 350H510" stroke="#1565c0" stroke-width="1.5"/>',
        '<path d="M96 78V330" stroke="#1565c0" stroke-width="1.5"/>',
        '<rect x="250" y="325" width="28" height="5" fill="#c62828"/>',
        '<rect x="330" y="325" width="28" height="5" fill="#c62828"/>',
        text(320, 46, "camera, looking straight down", "middle"),
        text(480, 110, "lamp, matt shade", "middle"),
        text(320, 368, "width of the view", "middle"),
        text(88, 210, "height", "end"),
        text(304, 316, "cards", "middle", 12),
    ]
    return sheet(680, 390, parts)


DRAWINGS = {"wiring.svg": wiring, "mast.svg": mast}

if __name__ == "__main__":
    for name, drawing in DRAWINGS.items():
        (Path(__file__).parent / name).write_text(drawing())
