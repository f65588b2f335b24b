"""The folder of a run: one run at a time writes to it, and a later one only if it goes on with the same plan."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webstrata._locks import locked
from webstrata.crawls.running.outputs import LocalFolder, OutputFolder, StoreFolder
from webstrata.errors import InputError
from webstrata.files import full_disk, remove_temporary
from webstrata.workers.processes import need_posix

__all__ = ["claimed", "claimed_output"]

# Characters of a value that are shown in a message.
_SHOWN = 100


@contextmanager
def claimed(output: Path, state: str, plan: dict[str, Any], *, resume: bool) -> Iterator[int]:
    """Lock and prepare the folder of a run; yields the lock, which any process that inherits it holds.

    Parameters
    ----------
    output : the folder
    state : the name of the folder in it that holds the lock and the plan
    plan : what must be the same for a run to resume an earlier one
    resume : whether to resume an earlier run
    """
    need_posix()
    folder = output / state
    if output.exists() and not output.is_dir():
        raise InputError(f"{output} is a file: name a folder")
    if output.is_dir() and any(output.iterdir()) and not folder.is_dir():
        raise InputError(f"{output} holds other files: name a new folder")
    with locked(folder / "lock", output) as lock:
        try:
            if _check(LocalFolder(output), output, f"{state}/plan.json", plan, resume):
                remove_temporary(output)
            yield lock
        except OSError as error:
            if full := full_disk(error):
                raise full from error
            raise


@contextmanager
def claimed_output(output: OutputFolder, state: str, plan: dict[str, Any], *, resume: bool) -> Iterator[list[int]]:
    """Prepare the folder of a run, of this machine or of a store; yields its locks, of which a store has none."""
    if isinstance(output, LocalFolder):
        with claimed(output.path, state, plan, resume=resume) as lock:
            yield [lock]
        return
    assert isinstance(output, StoreFolder)
    need_posix()
    name = f"{state}/plan.json"
    if output.size(name) < 0 and output.holds_files():
        raise InputError(f"{output.address} holds other files: name a new folder")
    _check(output, output.address, name, plan, resume)
    yield []


def _check(folder: OutputFolder, output: object, name: str, plan: dict[str, Any], resume: bool) -> bool:
    """Write the plan of a new run, or compare it with that of an earlier one; returns whether there was one."""
    written = json.dumps(plan, indent=1)
    plan = json.loads(written)
    try:
        found = folder.read(name)
    except FileNotFoundError:
        folder.write(name, f"{written}\n".encode())
        return False
    if not resume:
        raise InputError(f"{output} holds an earlier run: add --resume to go on, or name a new folder")
    before = _plan_of(found, f"{output}/{name}")
    changed = [part for part in plan if plan[part] != before.get(part)]
    if changed == ["inputs"] and _names(before["inputs"]) == _names(plan["inputs"]):
        raise InputError(
            f"the inputs have changed since the run that {output} holds: it would mix old and new rows;"
            " name a new folder"
        )
    if changed:
        differences = "; ".join(_difference(part, before.get(part), plan[part]) for part in changed)
        raise InputError(f"{output} holds an earlier run that differs: {differences}. Name a new folder")
    return True


def _plan_of(data: bytes, name: str) -> dict[str, Any]:
    try:
        plan = json.loads(data)
    except (ValueError, RecursionError):
        plan = None
    if not isinstance(plan, dict):
        raise InputError(f"{name} is damaged, so the earlier run cannot be resumed: name a new folder")
    return plan


def _difference(name: str, before: Any, now: Any) -> str:
    """How a part of a plan differs, for people: of a spelled object, the parameters."""
    old, new = _parameters(before), _parameters(now)
    if old is None or new is None or old[0] != new[0]:
        return name if name == "inputs" else f"{name} was {_short(before)} and is {_short(now)}"
    changed = [key for key in {**old[1], **new[1]} if old[1].get(key) != new[1].get(key)]
    return ", ".join(f"{key} was {_short(old[1].get(key))} and is {_short(new[1].get(key))}" for key in changed)


def _parameters(spelled: Any) -> tuple[str, dict[str, str]] | None:
    """The class and the parameters of the `repr` of an object, or None."""
    try:
        call = ast.parse(spelled, mode="eval").body
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call):
        return None
    return ast.unparse(call.func), {item.arg or "": ast.unparse(item.value) for item in call.keywords}


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _names(inputs: Any) -> list[Any]:
    """The inputs of a plan without their sizes, times and digests."""
    return [item[:2] for item in inputs if isinstance(item, list)] if isinstance(inputs, list) else []
