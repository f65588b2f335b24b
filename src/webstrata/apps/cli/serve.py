"""``webstrata serve``: the web page."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError, from_extra

__all__ = ["command"]

_LOCAL = ("127.0.0.1", "localhost", "::1")


@click.command("serve", epilog="Example:  webstrata serve --data pages --demo-site")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on. The default is this machine only."
)
@click.option("--port", default=8420, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--allow-fetch", is_flag=True, help="Let the viewer fetch pages from the web.")
@click.option("--data", type=FOLDER, metavar="FOLDER", help="Data set to mark; created if it does not exist.")
@click.option(
    "--import",
    "imported",
    type=FOLDER,
    metavar="FOLDER",
    help="First add the pages of another data set to --data: a folder of --data, or the data of Kreuzer 2013.",
)
@click.option("--index", type=FOLDER, metavar="INDEX", help="Index of `webstrata search index` to search.")
@click.option("--graph", type=FOLDER, metavar="GRAPH", help="Link graph of the indexed pages, for facets and PageRank.")
@click.option(
    "--site", type=FOLDER, metavar="SITE", help="Folder of `webstrata site learn`, for names of segment classes."
)
@click.option("--demo-site", is_flag=True, help="Search the small site that ships with the package.")
def command(
    host: str,
    port: int,
    allow_fetch: bool,
    data: Path | None,
    imported: Path | None,
    index: Path | None,
    graph: Path | None,
    site: Path | None,
    demo_site: bool,
) -> None:
    """Serve the web page: viewer, search and annotator.

    The server has no password: it is meant for users of this machine.
    """
    with from_extra("web", "fastapi, jinja2 or uvicorn"):
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401
    from webstrata.apps.web.server import serve
    from webstrata.apps.web.settings import ServerSettings

    settings = ServerSettings(
        host=host,
        port=port,
        allow_fetch=allow_fetch,
        data=data,
        index=index,
        graph=graph,
        site=site,
        demo_site=demo_site,
    )
    if imported is not None:
        if data is None:
            raise InputError("--import needs --data, the data set to which the pages are added")
        from webstrata.apps.web.annotation.archive import import_data

        echo(f"{import_data(data, imported, settings)} pages added to {data}")
    if host not in _LOCAL:
        echo(
            f"Warning: everyone who can reach {host} can open, fetch and mark pages here. There is no password.",
            fg="yellow",
            err=True,
        )
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    serve(settings, ready=lambda: echo(f"webstrata is at {address} (stop it with Ctrl+C)"))
