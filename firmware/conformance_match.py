"""Answers to the conformance cases about a match: totals, claims, who wins."""

from __future__ import annotations

from typing import Any

from engine.bits import bits
from engine.cards import parse_cards
from engine.match import Standing, add_hand, claim
from engine.rules import RuleSet
from engine.scoring import Points, certain

Json = dict[str, Any]


def match(rules: RuleSet, given: Json) -> Json:
    """The standing after each hand or claim."""
    sides: list[str] = given["sides"]
    standing = Standing.new(rules)
    after = []
    for event in given["events"]:
        before = standing
        if event["type"] == "claim":
            standing = claim(standing, sides.index(event["side"]), event["total"])
        else:
            wins = event.get("wins_match")
            points = [_points(event, side) for side in sides]
            standing = add_hand(standing, points, None if wins is None else sides.index(wins))
        after.append(_told(before, standing, sides))
    return {"after": after, "totals": dict(zip(sides, standing.totals, strict=True))}


def _points(event: Json, side: str) -> Points:
    items = event.get("items")
    return Points(**items[side]) if items else Points(scope=event["points"][side])


def _told(before: Standing, after: Standing, sides: list[str]) -> Json:
    told: Json = {"state": "extra_hand" if after.extra_hand else "go_on"}
    out = after.excluded - before.excluded
    if out:
        told = {"state": "excluded", "excluded": sides[min(out)]}
    return told if after.winner is None else told | {"state": "won", "winner": sides[after.winner]}


def claimed(rules: RuleSet, given: Json) -> Json:
    """Points that are certain in a running hand, and whether a claim with them is right."""
    sides = list(given["sides"])
    held = [given["sides"][side] for side in sides]
    piles = [bits(parse_cards(side["pile"])) for side in held]
    points = certain(rules, piles, [side["scope"] for side in held], [side.get("bussate", []) for side in held])
    sure = points[sides.index(given["claimant"])].total
    total = given["match"][given["claimant"]] + sure
    return {"certain": sure, "total": total, "valid": total >= rules.target}


ANSWERS = {"match": match, "claim": claimed}
