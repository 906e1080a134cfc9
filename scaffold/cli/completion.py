"""`scaffold completion`: what makes a shell complete commands, options and names."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print what makes a shell complete commands and names.")
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands, options, suites, runs and cases.

    Put it where the shell looks for it, once:

        scaffold completion bash > ~/.local/share/bash-completion/completions/scaffold

        scaffold completion zsh > "${fpath[1]}/_scaffold"

        scaffold completion fish > ~/.config/fish/completions/scaffold.fish

    A new shell knows it. Bash needs the package bash-completion for that; without it, let ~/.bashrc `source`
    the file.
    """
    from click.shell_completion import get_completion_class

    from scaffold.cli import COMPLETE_VARIABLE

    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    click.echo(kind(root.command, {}, "scaffold", COMPLETE_VARIABLE).source(), nl=False)
