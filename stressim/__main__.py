"""Entry point of the console script and of ``python -m stressim``."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and turn errors into one sentence and a status."""
    try:
        _main()
    except KeyboardInterrupt:  # also while modules are imported, and at the end
        print("stressim: stopped", file=sys.stderr)
        sys.exit(130)


def _main() -> None:
    import click

    from stressim.cli import ReaderGoneError, StoppedError, cli
    from stressim.errors import InputError

    if sys.stdout is None:
        # Closed from the start, as by ``>&-``: what is written would be lost without a word.
        click.echo("stressim: standard output is closed", err=True)
        sys.exit(2)
    try:
        status = cli.main(standalone_mode=False)
    except InputError as error:
        click.echo(f"stressim: {error}", err=True)
        sys.exit(2)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except click.ClickException as error:
        click.echo(f"stressim: {error.format_message()}", err=True)
        sys.exit(2)
    except (click.Abort, StoppedError):
        raise KeyboardInterrupt from None
    except ReaderGoneError:
        # What is still buffered has nobody to go to, and would be tried once more at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        click.echo(f"stressim: {error.strerror or error}: {error.filename or ''}".rstrip(": "), err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
