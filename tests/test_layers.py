"""The package is a line of layers: a module imports only from its own layer and from those left of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import stressim
from stressim.compiled.caches import modules_used
from stressim.family import FAMILIES

ROOT = Path(stressim.__file__).parent
FAMILY = f"(?:{'|'.join(FAMILIES)})"

KERNELS = "kernel|play"  # in a family's folder: what is compiled, and the module that calls it
WORDS = "words|rulesheet|replay"  # and what says results and rules

# From left to right: the modules of each layer, and all below the packages among them. Names are those below stressim.
LAYERS = {
    "options": (
        r"_version|errors|options|optiontext|textfile|files|matchrules|metrics|skeleton|decks|outcomes|cardnames|refereeing"
        r"|processes|sources|telling|ways"
    ),
    "family": r"family|belonging",
    "players": r"players",
    "mathematics": r"exact",
    "rules of a family": rf"{FAMILY}(?!\.(?:{KERNELS}|{WORDS})\b)",
    "lowering": r"lowering|presets|given_options|rulesfile|small_decks",
    "kernels": rf"compiled|{FAMILY}\.(?:{KERNELS})",
    "numbers": (
        r"simulate|matches|tournament|tally|intervals|estimates|naming|asserts|targets|runfile|dealsfile|cluster"
    ),
    "words": rf"output|pictures|plots|replay|rulesheet|{FAMILY}\.(?:{WORDS})",
    "verification": r"verify",
    "workbench": r"workbench|report|explorer",
    "commands": r"commands",
    "command line": r"cli|__main__",
    "public names": r"__init__",
}


@dataclass(frozen=True)
class Import:
    importer: str
    line: int
    imported: str

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def module_name(path: Path) -> str:
    """Name below the package: ``shedding.rules``; a package is named without ``__init__``, the root keeps it."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def layer(module: str) -> int:
    """How far to the right the module stands."""
    found = [place for place, pattern in enumerate(LAYERS.values()) if re.fullmatch(rf"(?:{pattern})(?:\..*)?", module)]
    assert len(found) == 1, f"{module} must have one layer: name it in LAYERS"
    return found[0]


def code_of(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run: what stands under ``if TYPE_CHECKING`` is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for other in node.orelse:
                yield other
                yield from code_of(other)
        else:
            yield node
            yield from code_of(node)


def imports_in(module: str, source: str) -> Iterator[Import]:
    """Modules of the package that ``source`` imports, at its top or in its functions."""
    for node in code_of(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            # ``from stressim import tally`` imports the module tally.
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            modules = [name for name in inner if name.removeprefix("stressim.") in MODULES]
            targets = modules if len(modules) == len(inner) else [node.module, *modules]
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            continue
        below = [target.removeprefix("stressim.") for target in targets if target.startswith("stressim.")]
        yield from (Import(module, node.lineno, target) for target in below if target in MODULES)


ALL_IMPORTS = [
    found for module, path in MODULES.items() for found in imports_in(module, path.read_text(encoding="utf-8"))
]


def upward(found: Import) -> bool:
    return layer(found.imported) > layer(found.importer)


def test_layers__every_module_has_one() -> None:
    assert len({layer(module) for module in MODULES}) == len(LAYERS)


def test_layers__no_import_goes_up() -> None:
    assert [str(found) for found in ALL_IMPORTS if upward(found)] == []


def test_layers__no_import_goes_round_in_a_circle() -> None:
    needs: dict[str, set[str]] = {module: set() for module in MODULES}
    for found in ALL_IMPORTS:
        if found.imported != found.importer:
            needs[found.importer].add(found.imported)
    # Take away modules that need nothing any more; what is left goes round.
    while free := {module for module, needed in needs.items() if not needed}:
        needs = {module: needed - free for module, needed in needs.items() if module not in free}

    assert needs == {}


def test_layers__families_do_not_import_one_another() -> None:
    strangers = [
        str(found)
        for found in ALL_IMPORTS
        if (importer := found.importer.split(".")[0]) in FAMILIES
        and (imported := found.imported.split(".")[0]) in FAMILIES
        and importer != imported
    ]

    assert strangers == []


def test_referee__and_kernels_share_no_code() -> None:
    shared = [
        str(found)
        for found in ALL_IMPORTS
        if re.match(rf"{FAMILY}\.(?:{KERNELS})\b", found.importer) and re.match(rf"{FAMILY}\.referee\b", found.imported)
    ]

    assert any(re.match(rf"{FAMILY}\.referee\b", module) for module in MODULES)
    assert shared == []


ENTRIES = sorted(module for module in MODULES if re.fullmatch(rf"{FAMILY}\.kernel\.run\w*", module))


@pytest.mark.parametrize("entry", ENTRIES)
def test_kernels__are_compiled_anew_for_what_they_use_alone(entry: str) -> None:
    """A change of words, of the workbench or of an option's meaning leaves compiled code as it is."""
    used = {module.removeprefix("stressim.") for module in modules_used(f"stressim.{entry}")}
    family = entry.split(".")[0]

    assert {entry, f"{family}.choices", f"{family}.kernel.layout", "compiled.jit"} <= used
    assert used & {"stressim", "lowering", f"{family}.rules"} == set()
    assert {module for module in used if layer(module) > layer("compiled.jit")} == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from stressim.commands.rules import command", ["commands.rules"]),
        ("import stressim.cli", ["cli"]),
        ("def late():\n    from stressim import rulesfile", ["rulesfile"]),
        ("if TYPE_CHECKING:\n    from stressim.cli import cli\nelse:\n    import stressim.errors", ["errors"]),
        ("import numpy\nfrom stressim import __version__", []),
    ],
)
def test_imports_in__finds_imports_that_run(source: str, expected: list[str]) -> None:
    assert [found.imported for found in imports_in("options", source)] == expected


def test_upward__is_seen() -> None:
    assert upward(Import("options", 1, "rulesfile"))
    assert upward(Import("shedding.rules", 1, "shedding.play"))
    assert not upward(Import("rulesfile", 1, "shedding.rules"))
    assert not upward(Import("options", 1, "errors"))


def test_numba__is_imported_where_kernels_are_compiled() -> None:
    importers = {
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "numba" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba")
    }

    assert importers == {
        f"compiled.{part}" for part in ("compiling", "freezing", "instructions", "jit", "record_arrays")
    }


def names_a_family(source: str) -> list[int]:
    """Lines that compare something with a family's name, or choose by it."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        compared: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            compared = [node.value]
        elif isinstance(node, ast.Dict):
            compared = [key for key in node.keys if key is not None]
        constants = {inner.value for item in compared for inner in ast.walk(item) if isinstance(inner, ast.Constant)}
        if constants & set(FAMILIES):
            lines.append(getattr(node, "lineno", 0))
    return lines


def test_families__nothing_outside_their_folders_asks_for_one() -> None:
    asking = {
        module: lines
        for module, path in MODULES.items()
        if module.split(".")[0] not in FAMILIES
        if (lines := names_a_family(path.read_text(encoding="utf-8")))
    }

    assert asking == {}


@pytest.mark.parametrize(
    "source",
    [
        'x = 1\nif family.name == "shedding": pass',
        'x = 1\ny = name in ("shedding", "other")',
        'x = 1\nmatch name:\n    case "shedding": pass',
        'x = 1\ny = {"shedding": 3}[name]',
    ],
)
def test_names_a_family__sees_it(source: str) -> None:
    assert names_a_family(source) != []
    assert names_a_family('FAMILIES = ("shedding",)') == []


def test_command_line__answers_without_heavy_imports() -> None:
    """The modules that ``--help`` and ``rules`` need import numpy, numba and the like nowhere at their top."""
    heavy = {"numpy", "numba", "pandas", "scipy", "matplotlib", "rich", "jinja2", "dask", "pydantic"}
    found = {
        module: sorted(names & heavy)
        for module in ("__init__", "__main__", "cli", "errors", "commands.rules", "commands.players")
        if (names := top_level(MODULES[module])) & heavy
    }

    assert found == {}


def top_level(path: Path) -> set[str]:
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names
