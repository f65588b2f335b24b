"""``webstrata serve``: the web page."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.errors import from_extra

__all__ = ["command"]

_LOCAL = ("127.0.0.1", "localhost", "::1")
_FOLDER = click.Path(path_type=Path)


@click.command("serve", epilog="Example:  webstrata serve --data pages --demo-site")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; others can reach any but this."
)
@click.option("--port", default=8420, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--allow-fetch", is_flag=True, help="Let the viewer fetch pages from the web.")
@click.option("--data", type=_FOLDER, metavar="FOLDER", help="Data set to mark; it is made if it does not exist.")
@click.option(
    "--import",
    "imported",
    type=_FOLDER,
    metavar="FOLDER",
    help="First add the pages of another data set to --data: a folder of the same form, or the data of Kreuzer 2013.",
)
@click.option("--index", type=_FOLDER, metavar="INDEX", help="Search index to search.")
@click.option("--graph", type=_FOLDER, metavar="GRAPH", help="Link graph of the same pages, for facets and PageRank.")
@click.option("--site", type=_FOLDER, metavar="SITE", help="Learnt site of the same pages.")
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
    """Serve the web page: look at strata, search a site, mark segments.

    It is for people at this machine: it asks for no password.
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
            raise click.UsageError("--import needs --data: the data set that the pages are added to")
        from webstrata.apps.web.annotation.archive import import_data

        click.echo(f"{import_data(data, imported, settings)} pages added to {data}")
    if host not in _LOCAL:
        click.secho(
            f"Warning: whoever can reach {host} can open, fetch and mark pages here. There is no password.",
            fg="yellow",
            err=True,
        )
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    serve(settings, ready=lambda: click.echo(f"webstrata is at {address} (end it with Ctrl+C)"))
