"""``stressim rules``: list, show, check and compare rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from stressim.commands.shared import set_option
from stressim.sources import CITED, TEXTS

if TYPE_CHECKING:
    from stressim.options import Options
    from stressim.rulesfile import LoadedRules

WIDTH = 78


@click.group(name="rules")
def command() -> None:
    """List, show, check and compare rules."""


@command.command(name="list")
def list_presets() -> None:
    """List the presets: name, title and source.

    A source is a text of rules (S2) or lines of it (S2:38).
    """
    from stressim.presets import preset_names
    from stressim.rulesfile import load_rules

    shown = [load_rules(name) for name in preset_names()]
    family = ""
    for rules in shown:
        if rules.family.name != family:
            if family:
                click.echo()
            family = rules.family.name
            click.echo(f"{family}: {rules.family.title}\n")
        click.echo(f"  {rules.name:<21}{rules.title:<43}{rules.source}".rstrip())
    click.echo("\nThe texts that the last column names:\n")
    for name, text in TEXTS.items():
        click.echo(f"  {name:<8}{text}")
    click.echo("\n" + _wrapped(f"{CITED}.", hanging=""))
    click.echo("\nShow one with its options, or as a page to print:")
    click.echo("  stressim rules show swedish\n  stressim rules show swedish --words")


@command.command(name="show")
@click.argument("rules", metavar="RULES")
@click.argument("options", metavar="[NAME]...", nargs=-1)
@set_option
@click.option("--long", "long_form", is_flag=True, help="Say what each option means and what it may be.")
@click.option("--words", is_flag=True, help="Print a rule sheet for the table instead.")
def show(rules: str, options: tuple[str, ...], sets: tuple[str, ...], long_form: bool, words: bool) -> None:
    """Show all options of RULES, or explain those named.

    RULES is a preset's name or a rules file. A star marks what differs from the defaults, a
    dash what does nothing with the other options as they are. The last column says where
    an option comes from: S2:38 is line 38 of the text S2 (stressim rules list names the texts).
    """
    from stressim.errors import InputError
    from stressim.rulesfile import load_rules

    loaded = load_rules(rules, sets)
    if words and (options or long_form):
        raise InputError("--words prints the whole rule sheet: leave out --long and names of options")
    if words:
        from stressim.rulesheet import rule_sheet

        click.echo(rule_sheet(loaded), nl=False)
        return
    if options or long_form:
        from stressim.given_options import option_name

        names = [option_name(loaded.family.rules, given) for given in options or loaded.family.rules.model_fields]
        click.echo("\n\n".join(_explained(loaded.options, name) for name in names))
        return
    click.echo(f"{loaded.title} ({loaded.source})" if loaded.source else loaded.title)
    if loaded.changed:
        click.echo(_wrapped(f"changed from {loaded.base or 'the defaults'}: {loaded.changes}"))
    if loaded.idle:
        click.echo(_wrapped(_idle(loaded)))
    click.echo(f"rules_hash {loaded.rules_hash}\n")
    table = _table(loaded.options)
    click.echo(f"{table}\n")
    marks = {line[0] for line in table.splitlines()}
    if "*" in marks:
        click.echo("* differs from the defaults")
    if "-" in marks:
        said = f"does nothing with the other options as they are; stressim rules show {rules} NAME says what it needs"
        click.echo(_wrapped(f"- {said}"))
    click.echo(_wrapped(f"{CITED} (stressim rules list names the texts).", hanging=""))


@command.command(name="check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Check rules files: say that each can be used, or what is wrong with it.

    A note says which changes do nothing with the other options as they are.
    """
    from stressim.errors import InputError
    from stressim.output import terminal
    from stressim.rulesfile import differences, load_rules

    refused: list[InputError] = []
    for file in files:
        try:
            loaded = load_rules(file)
        except InputError as error:
            refused.append(error)
            continue
        # A preset's own base is itself; what it differs from is the defaults.
        base = "" if loaded.base == loaded.name else loaded.base
        changed = loaded.changed if base else differences(type(loaded.options)(), loaded.options)
        verb = "option differs" if len(changed) == 1 else "options differ"
        click.echo(f"{file}: ok, {len(changed)} {verb} from {base or 'the defaults'}")
        if loaded.idle:
            click.echo(_wrapped(_idle(loaded), "  ", "    "))
    for each in refused[:-1]:
        terminal.say(f"stressim: {each}")
    if refused:
        raise refused[-1]


@command.command(name="diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
def diff(first: str, second: str) -> None:
    """Show the options in which rules A and B differ."""
    from stressim.errors import InputError
    from stressim.optiontext import word
    from stressim.rulesfile import differences, load_rules

    one, other = load_rules(first), load_rules(second)
    if one.family.name != other.family.name:
        raise InputError(
            f"{first} is of the family {one.family.name} and {second} of {other.family.name}: "
            "their options cannot be compared"
        )
    changed = differences(one.options, other.options)
    if not changed:
        click.echo(f"{first} and {second} have the same options")
        return
    rows = [("option", _end(first), _end(second))]
    rows += [(name, word(getattr(one.options, name)), value) for name, value in changed.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, here, there in rows:
        click.echo(f"{name:<{widths[0]}}  {here:<{widths[1]}}  {there}")


@command.command(name="schema")
@click.argument("family", metavar="[FAMILY]", required=False)
def schema(family: str | None) -> None:
    """Print the JSON schema of rules files.

    An editor that knows it completes and checks rules files.
    """
    import json

    from stressim.family import FAMILIES
    from stressim.rulesfile import rules_schema

    click.echo(json.dumps(rules_schema(family or FAMILIES[0]), indent=2))


def _idle(loaded: LoadedRules) -> str:
    """Say which changes do nothing, and without what."""
    from stressim.optiontext import idle_text

    return f"note: {idle_text(loaded.idle)}"


def _table(options: Options) -> str:
    """All options, a line each."""
    from stressim.optiontext import word
    from stressim.rulesfile import differences

    changed = differences(type(options)(), options)
    lines = []
    for name, info in type(options).model_fields.items():
        extra: dict[str, Any] = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        value = _end(f"{word(getattr(options, name))} {extra.get('unit', '')}".rstrip())
        mark = "-" if options.lacking(name) else "*" if name in changed else " "
        lines.append(f"{mark} {name:<24}{value:<24}{extra.get('source', '')}".rstrip())
    return "\n".join(lines)


def _explained(options: Options, name: str) -> str:
    """What one option means and what it may be."""
    from stressim.options import Choice
    from stressim.optiontext import allowed, condition_text, word

    info = type(options).model_fields[name]
    extra: dict[str, Any] = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    value = f"{word(getattr(options, name))} {extra.get('unit', '')}".rstrip()
    cosmetic = "; changes the words of a replay only" if extra.get("cosmetic") else ""
    lacking = options.lacking(name)
    cosmetic += f"; does nothing here: needs {condition_text(lacking)}" if lacking else ""
    lines = [f"{name} = {value}", _wrapped(f"{info.description} ({extra.get('source')}){cosmetic}", "  ")]
    kind = info.annotation
    if isinstance(kind, type) and issubclass(kind, Choice):
        lines += [_wrapped(f"{member.word}: {member.meaning}", "    ", "      ") for member in kind]
    else:
        lines.append(f"    {allowed(info)}")
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "", hanging: str = "  ") -> str:
    import textwrap

    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=max(indent, hanging, key=len), break_on_hyphens=False
    )


def _end(text: str) -> str:
    """The end of a text too long for a table's column."""
    return text if len(text) <= 23 else f"...{text[-20:]}"
