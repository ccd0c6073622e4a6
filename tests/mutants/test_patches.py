"""The patches do not rot: each still fits the tree, and names tests that exist."""

import ast
from pathlib import Path

import pytest

from config.devstack.options import PROJECT
from tests.mutants.patches import DoesNotApply, Hunk, Mutant, read_all

MUTANTS = read_all()


def test_every_patch_still_applies_to_the_tree() -> None:
    """Mend the patch: make its mistake in the code as it is now (docs/mutants.md)."""
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) > 0
    for mutant in MUTANTS:
        texts = mutant.mutated(PROJECT)
        assert texts, mutant.name
        for path, text in texts.items():
            assert text != (PROJECT / path).read_text(), mutant.name
            ast.parse(text, path)  # a mistake, but Python


def test_every_test_that_a_patch_names_exists() -> None:
    for test in {test for mutant in MUTANTS for test in mutant.caught_by}:
        path, *names = test.partition("[")[0].split("::")
        known = {
            node.name
            for node in ast.walk(ast.parse((PROJECT / path).read_text()))
            if isinstance(node, ast.ClassDef | ast.FunctionDef)
        }
        assert set(names) <= known, test


def test_what_fits_nowhere_or_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("a = 1\nb = 2\na = 1\n")

    def mutant(old: str) -> Mutant:
        return Mutant("m", "", "", False, (), (Hunk("one.py", old, "c = 3\n"),))

    for old in ("a = 1\n", "= 2\n", "d = 4\n"):
        with pytest.raises(DoesNotApply):
            mutant(old).apply(tmp_path)
    assert (tmp_path / "one.py").read_text() == "a = 1\nb = 2\na = 1\n"
    mutant("b = 2\na = 1\n").apply(tmp_path)
    assert (tmp_path / "one.py").read_text() == "a = 1\nc = 3\n"
