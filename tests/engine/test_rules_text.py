"""The rules in words are complete, in both languages, and the tables of docs/rules.md are those of the code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from engine.rules import OPTIONS, VARIANTS, changed, changes, option_text, variant
from firmware.cli import main
from firmware.conformance import check_case
from firmware.rules_text import SENTENCES, describe, options_table, variants_table
from firmware.text import LANGUAGES, Language, Words

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "data" / "cases"


def test_variants_are_those_of_the_conformance_files() -> None:
    written = json.loads((CASES / "variants.json").read_text())
    assert written.keys() == VARIANTS.keys()
    for name, options in written.items():
        settings = {"game": variant(name).game} | variant(name).settings()
        settings.pop("chips", None)  # for the table only, no case names it
        assert settings == options


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_has_the_tables_of_the_code(language: Language) -> None:
    document = (ROOT / "docs" / "rules.md").read_text()
    assert variants_table(language) in document
    assert options_table(language) in document


def test_every_value_of_every_option_has_a_sentence() -> None:
    for name, kind in OPTIONS.items():
        values = [True, False] if kind is bool else [value for value in get_args(kind) if isinstance(value, str)]
        for value in values:
            assert name in SENTENCES or f"{name}={option_text(value)}" in SENTENCES


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_variant_is_told_in_words(name: str, language: Language) -> None:
    told = describe(variant(name), Words(language))
    assert [option for option, _, _ in told] == list(variant(name).settings())
    assert all(meaning.endswith(".") and "{" not in meaning for _, _, meaning in told)


def test_changes_are_written_and_read() -> None:
    rules = variant("cirulla_2").replace(napola_max=7, matta=None, value_capture="equal_first", redeal_kings=3)
    assert changes(rules) == {"redeal_kings": "3", "value_capture": "equal_first", "napola_max": "7", "matta": "none"}
    assert changed("cirulla_2", changes(rules)) == rules


def test_show_and_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(VARIANTS)
    assert main(["rules", "show", "cirulla_2", "--language", "en", "--rule", "target=31"]) == 0
    assert "The match is to 31 points." in capsys.readouterr().out
    assert main(["rules", "show", "scopa_2", "--json", "--rule", "napola=true"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"]["napola"] is True
    assert main(["rules", "list", "--json"]) == 0
    assert [json.loads(line)["variant"] for line in capsys.readouterr().out.splitlines()] == list(VARIANTS)


@pytest.mark.parametrize("rule", ["target", "target=x", "naps=1"])
def test_a_rule_that_is_none_is_one_line_and_status_2(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "scopa_2", "--rule", rule]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def case(**change: object) -> dict[str, object]:
    whole = {"id": "x", "kind": "capture", "rules": {"variant": "scopa_2"}, "input": {"table": ["7d"], "card": "7c"}}
    return whole | {"expect": {"captures": [["7d"]]}} | change


def test_check_tells_passed_failed_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = case(id="w", expect={"captures": [], "lay": True})
    cases = [case(), wrong, case(rules={"variant": "briscola"}), case(kind="briscola")]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in cases) + "\n\n")
    assert main(["rules", "check", str(file)]) == 1
    told, last = capsys.readouterr().out.splitlines()
    assert last == "1 passed, 1 failed, 2 skipped"
    assert told.startswith(
        'w (capture scopa_2, rule P2-P5): expected {"captures": [], "lay": true}, got {"captures": [["7d"]]'
    )


def test_an_answer_that_the_engine_refuses_fails_with_its_reason() -> None:
    result = check_case(case(input={"table": ["8d"], "card": "7c"}))
    assert not result.passed
    assert "8d" in str(result.got)


SHAPES: list[dict[str, object]] = [
    {"rules": {}},
    {"rules": []},
    {"rules": {"variant": ["scopa_2"]}},
    {"rules": {"variant": "scopa_2", "options": [1]}},
    {"kind": ["capture"]},
    {"input": {}},
    {"input": []},
    {"expect": []},
    {"kind": "match", "input": {"sides": ["A"], "events": [{"type": "claim", "side": "Z", "total": 4}]}},
    {"kind": "sm_cover", "rules": {"variant": "sette_e_mezzo"}, "input": {"actions": ["fly"]}},
    {"kind": "score", "input": {"sides": {"A": {"pile": [], "scope": "x"}, "B": {"pile": [], "scope": 0}}}},
]


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', *(json.dumps(case(**shape)) for shape in SHAPES)])
def test_a_line_that_is_no_case_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(case()) + "\n" + line + "\n")
    assert main(["rules", "check", str(file)]) == 2
    assert "line 2" in capsys.readouterr().err


def test_a_mark_of_byte_order_means_nothing(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text("\ufeff" + json.dumps(case()))
    assert main(["rules", "check", str(file)]) == 0


def test_cases_in_another_encoding_are_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(case()), encoding="utf-16")
    assert main(["rules", "check", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
