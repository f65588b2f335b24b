"""The files of learned models: NumPy archives of plain arrays, read as carefully as any other input."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from webstrata._array_checks import ArrayCheck, ArrayChecks, check_arrays, indices
from webstrata.errors import InputError
from webstrata.files import NewFile
from webstrata.models.trees import MOST_LEAVES, Trees

__all__ = ["Arrays", "check", "flatten", "load_arrays", "load_model", "save_arrays", "tree_checks", "trees_of"]

Arrays = Mapping[str, npt.NDArray[Any]]
Model = TypeVar("Model")
_TREE_ARRAYS = ("feature", "threshold", "tree", "leaves", "value")
# The models of this package have less than a hundredth of this.
_MOST_BYTES = 64 << 20
_ALL_LEAVES = (1 << MOST_LEAVES) - 1


def tree_checks(name: str) -> ArrayChecks:
    """The checks of the arrays of a sum of trees with this name."""
    nodes, trees = f"nodes of {name}", f"trees of {name}"
    checks = (
        indices(nodes, of=2**31 - 1, kind="i"),
        ArrayCheck(("f",), (nodes,)),
        indices(nodes, of=trees, kind="uint16"),
        ArrayCheck(("uint32",), (nodes,)),
        ArrayCheck(("f",), (trees, MOST_LEAVES)),
    )
    return {f"{name}_{part}": check for part, check in zip(_TREE_ARRAYS, checks, strict=True)}


def load_arrays(file: str | Path | IO[bytes]) -> dict[str, npt.NDArray[Any]]:
    """Read the arrays of a model; pickled objects are refused."""
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            if size > _MOST_BYTES:
                raise InputError(f"{file} is no model: its arrays have {size} bytes, and {_MOST_BYTES} is the most")
            return {part.filename.removesuffix(".npy"): _read_array(archive.read(part)) for part in parts}
    except InputError:
        raise
    # Which of these is raised depends on the part of the archive that is damaged.
    except (
        *(OSError, ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error),
        TokenError,  # the header of an array is damaged
        MemoryError,  # the header of an array states a size beyond the memory
    ) as error:
        raise InputError(f"cannot read the model {file} ({error}): name a file made by `webstrata train`") from error


def load_model(model: Callable[[Arrays], Model], file: str | Path | IO[bytes]) -> Model:
    """The model of a file; errors name the file."""
    arrays = load_arrays(file)
    try:
        return model(arrays)
    except InputError as error:
        raise InputError(f"{file}: {error}") from error


def _read_array(part: bytes) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.lib.format.read_array(BytesIO(part), allow_pickle=False)
    return array


def save_arrays(file: str | Path, arrays: Arrays) -> None:
    """Write the arrays of a model."""
    parts: dict[str, Any] = dict(arrays)
    with NewFile(file) as new:
        np.savez(new.stream, **parts)


def check(arrays: Arrays, checks: ArrayChecks, *, command: str) -> None:
    """Refuse arrays that native code cannot read safely; ``command`` is what trains a valid model."""
    check_arrays(arrays, checks, source="the model", advice=f"train it again with `{command}`")


def trees_of(arrays: Arrays, name: str) -> Trees:
    """The sum of trees of this name."""
    return Trees(*(arrays[f"{name}_{part}"] for part in _TREE_ARRAYS))


def flatten(trees: Iterable[Mapping[str, Any]]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of `Trees` from trees as LightGBM dumps them."""
    rows: list[tuple[int, float, int, int]] = []
    values: list[list[float]] = []
    for number, tree in enumerate(trees):
        value: list[float] = []
        # Leaves are numbered from the left. The set of a node follows once the leaves of its left side are numbered.
        waiting: list[tuple[Mapping[str, Any], int | None]] = [(tree["tree_structure"], None)]
        while waiting:
            node, first = waiting.pop()
            if "split_feature" not in node:
                value.append(node["leaf_value"])
            elif first is None:
                waiting += [(node["right_child"], None), (node, len(value)), (node["left_child"], None)]
            else:
                left = (1 << len(value)) - (1 << first)
                rows.append((node["split_feature"], _round_down(node["threshold"]), number, ~left & _ALL_LEAVES))
        if len(value) > MOST_LEAVES:
            raise InputError(f"a tree has {len(value)} leaves: {MOST_LEAVES} is the most")
        values.append(value + [0.0] * (MOST_LEAVES - len(value)))
    rows.sort()
    feature, threshold, tree_numbers, leaves = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "feature": np.array(feature, np.int32),
        "threshold": np.array(threshold, np.float32),
        "tree": np.array(tree_numbers, np.uint16),
        "leaves": np.array(leaves, np.uint32),
        "value": np.array(values, np.float32).reshape(-1, MOST_LEAVES),
    }


def _round_down(threshold: float) -> float:
    """The largest float32 up to a threshold: the same float32 numbers are above both."""
    rounded = np.float32(threshold)
    return float(np.nextafter(rounded, np.float32(-np.inf)) if float(rounded) > threshold else rounded)
