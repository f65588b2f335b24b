"""Files of models: damaged ones are refused."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.models.files import load_arrays


@pytest.mark.parametrize("length", [10**9, 10**18])
def test_a_header_with_too_large_a_shape_is_refused(length: int) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (length,)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word_weight.npy", header.getvalue() + bytes(4))
    with pytest.raises(InputError, match="cannot read the model"):
        load_arrays(file)


def test_a_part_without_an_array_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("notes.txt", "nothing")
    with pytest.raises(InputError, match="cannot read the model"):
        load_arrays(file)


def test_a_missing_file_is_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match="webstrata train"):
        load_arrays("no-such-model.npz")
