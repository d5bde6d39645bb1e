"""The list of commands, and the group that imports each when it is used."""

from __future__ import annotations

from importlib import import_module

import click

from scorepad import __version__
from scorepad.cli.options import LANG, Command, TranslatedOption
from scorepad.cli.output import chosen_words, t

COMMANDS = {
    "serve": "serve",
    "score": "rule_commands",
    "rule": "rule_commands",
    "variants": "rule_commands",
    "matches": "data_file",
    "sheet": "data_file",
    "pad": "data_file",
    "export": "data_file",
    "import": "data_file",
    "link": "link",
    "backup": "data_file",
    "doctor": "data_file",
    "unit": "unit",
    "lite": "lite",
}
"""The commands, each with the module that defines `NAME_command`; `cli.NAME` is the message key of
its help.
"""
_LONGEST_HELP = 200
"""Characters of a command's help in the list."""


class LazyGroup(Command, click.Group):
    """The group of `COMMANDS`: it imports the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """List the names of the commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command of this name, with its help in the chosen language; None for none.

        click calls this when the command is used. `serve` is `serve_command` in the module
        `scorepad.cli.serve`, and so on.
        """
        if cmd_name not in COMMANDS:
            return None
        module_name = COMMANDS[cmd_name]
        module = import_module(f"scorepad.cli.{module_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        command.help = t(f"cli.{cmd_name}")
        command.epilog = None
        epilog_key = f"cli.{cmd_name}.epilog"  # the text after the help: not every command has one
        if chosen_words().has(epilog_key):
            command.epilog = t(epilog_key)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands in the help: the name of each, and what it does.

        click would import the modules of all commands for this, which is slow.
        """
        rows = []
        for name in COMMANDS:
            stand_in = click.Command(name, help=t(f"cli.{name}"))  # only to shorten its help
            rows.append((name, stand_in.get_short_help_str(_LONGEST_HELP)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.version_option(
    __version__, message="%(prog)s %(version)s", cls=TranslatedOption, help="cli.version"
)
@click.pass_context
def scorepad(context: click.Context) -> int | None:
    """Run the program `scorepad`: without the name of a command, it is `scorepad serve`.

    click calls this first, and then the command that the command line names.
    """
    names_command = context.invoked_subcommand is not None
    if names_command:
        return None
    # Without `standalone_mode`, errors are raised and the exit status is returned.
    status: int = scorepad.main(["serve"], "scorepad", standalone_mode=False, obj=context.obj)
    return status


scorepad.params.insert(0, LANG)
