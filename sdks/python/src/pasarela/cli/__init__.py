"""`pasarela`: the command line."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from .. import __version__
from .._client import Pasarela
from ..errors import APIError, PasarelaError
from ..models import EVENT_KINDS
from . import listen, show, trigger

Command = Callable[[Pasarela, argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        with _client(given) as client:
            command: Command = given.command
            return command(client, given)
    except APIError as error:
        print(f"{error} (request {error.request_id})", file=sys.stderr)
        for name, wrong in error.fields.items():
            print(f"  {name}: {wrong}", file=sys.stderr)
    except PasarelaError as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="pasarela", description="The Pasarela payments API.")
    made.add_argument("--version", action="version", version=__version__)
    names = made.add_subparsers(required=True, metavar="COMMAND")
    _add_listen(names)
    _add_trigger(names)
    _add_orders(names)
    _add_payouts(names)
    logs = names.add_parser("logs", help="what happens in the account").add_subparsers(
        required=True, metavar="COMMAND"
    )
    tail = _command(logs, "tail", show.tail, "follow the events (the API has no request log)")
    _add_place(tail)
    _command(names, "mcp", _mcp, "an MCP server on standard input and output")
    return made


def _add_listen(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    made = _command(names, "listen", listen.run, "send the events to a receiver on this machine")
    made.add_argument("--forward", required=True, metavar="URL", help="where your receiver is")
    made.add_argument(
        "--secret",
        default=os.environ.get("PASARELA_WEBHOOK_SECRET"),
        help="signs what is sent (PASARELA_WEBHOOK_SECRET); default: a new one, which is printed",
    )
    made.add_argument("--prefix", default="X-Service-", help="of the service's own headers")
    _add_place(made)


def _add_place(made: argparse.ArgumentParser) -> None:
    made.add_argument("--events", default="", help="only these kinds, with commas between them")
    made.add_argument("--after", metavar="ID", help="begin behind this event")
    made.add_argument("--from-start", action="store_true", help="begin with the first event")
    made.add_argument("--once", action="store_true", help="end when there are no more")
    made.add_argument("--every", type=float, default=1, metavar="SECONDS", help="how often to ask")
    made.add_argument("--place", metavar="FILE", help="where the last event is kept")


def _add_trigger(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    made = _command(names, "trigger", trigger.run, "make an event happen in the sandbox")
    made.add_argument("event", nargs="?", choices=EVENT_KINDS, metavar="EVENT", help="see --list")
    made.add_argument("--list", action="store_true", help="every kind, and how it comes about")
    made.add_argument(
        "--wait", type=float, default=60, metavar="SECONDS", help="for what ends by itself"
    )


def _add_orders(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    orders = names.add_parser("orders", help="what payers pay")
    commands = orders.add_subparsers(required=True, metavar="COMMAND")
    listed = _command(commands, "list", show.list_orders, "newest first")
    listed.add_argument("--status")
    listed.add_argument("--reference")
    listed.add_argument("--limit", type=int, default=20)
    _command(commands, "get", show.get_order, "one order").add_argument("id")
    made = _command(commands, "create", show.create_order, "a new order, with its payment page")
    made.add_argument("--amount", required=True, type=show.amount)
    made.add_argument("--name", required=True, help="of the payer")
    made.add_argument("--email", required=True)
    made.add_argument("--document", help="type and number, such as CC:1020304050")
    made.add_argument("--reference", help="default: a new one")
    made.add_argument("--description")
    made.add_argument("--idempotency-key")


def _add_payouts(names: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    payouts = names.add_parser("payouts", help="what you send (reading only)")
    commands = payouts.add_subparsers(required=True, metavar="COMMAND")
    listed = _command(commands, "list", show.list_payouts, "newest first")
    listed.add_argument("--status")
    listed.add_argument("--limit", type=int, default=20)
    _command(commands, "get", show.get_payout, "one payout").add_argument("id")


def _command(
    names: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    command: Command,
    text: str,
) -> argparse.ArgumentParser:
    """With the options that every command has."""
    made = names.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    made.set_defaults(command=command)
    made.add_argument("--public-key", help="PASARELA_PUBLIC_KEY")
    made.add_argument("--secret-key", help="PASARELA_SECRET_KEY")
    made.add_argument("--url", help="of the installation: PASARELA_URL")
    made.add_argument("--json", action="store_true", help="one JSON value a line")
    return made


def _client(given: argparse.Namespace) -> Pasarela:
    def setting(option: str | None, name: str) -> str:
        if not (found := option or os.environ.get(name)):
            raise PasarelaError(f"Set {name}, or give the option (see --help).")
        return found

    return Pasarela(
        setting(given.public_key, "PASARELA_PUBLIC_KEY"),
        setting(given.secret_key, "PASARELA_SECRET_KEY"),
        base_url=setting(given.url, "PASARELA_URL"),
    )


def _mcp(client: Pasarela, given: argparse.Namespace) -> int:
    try:
        from ..mcp_server import server
    except ImportError:
        raise PasarelaError("Install the extra: pip install 'pasarela[mcp]'") from None
    server(client).run()
    return 0
