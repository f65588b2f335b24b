"""The edges of a screenshot: pixels where its brightness changes most (Canny 1986)."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError, from_extra

__all__ = ["COARSE", "FINE", "edges", "grey"]

Image = npt.NDArray[np.float64]

#: The widths of smoothing, in pixels, of fine edges, such as those of letters, and of coarse ones, such as columns.
FINE, COARSE = 1.0, 5.0

# The shares of the highest gradient above which a pixel is on an edge: surely, or beside one that surely is.
_HIGH, _LOW = 0.2, 0.1


def grey(png: bytes) -> Image:
    """The brightness of each pixel of a picture, from 0 to 1."""
    with from_extra("eval", "pillow"):
        from PIL import Image as Picture
        from PIL import UnidentifiedImageError
    try:
        with Picture.open(io.BytesIO(png)) as picture:
            found: Image = np.asarray(picture.convert("L"), np.float64) / 255
    except (UnidentifiedImageError, OSError, Picture.DecompressionBombError) as error:
        raise InputError(f"this screenshot is no picture: {error}") from error
    return found


def edges(image: Image, width: float = FINE) -> npt.NDArray[np.bool_]:
    """The pixels of edges: smoothing, gradients, the ridges of these, and two thresholds with hysteresis.

    Parameters
    ----------
    image : the brightness of each pixel
    width : the standard deviation of the smoothing; `FINE` and `COARSE` are those of the metrics

    Deviations
    ----------
    Kiesel et al. 2020 detect edges with ImageMagick. The method is the same; its thresholds are in other units.

    >>> step = np.repeat([[0.0] * 8 + [1.0] * 8], 12, axis=0)
    >>> np.unique(np.flatnonzero(edges(step)) % 16).tolist() in ([7], [8], [7, 8])
    True
    """
    if image.size == 0:
        return np.zeros(image.shape, bool)
    smooth = _smoothed(_smoothed(image, width).T, width).T
    padded = np.pad(smooth, 1, mode="edge")
    down: Image = padded[2:, 1:-1] - padded[:-2, 1:-1]
    right: Image = padded[1:-1, 2:] - padded[1:-1, :-2]
    strength = np.hypot(down, right)
    ridge = _is_ridge(strength, down, right)
    highest = strength.max()
    if highest < 1e-9:
        return np.zeros(image.shape, bool)
    return _grown(ridge & (strength >= _HIGH * highest), ridge & (strength >= _LOW * highest))


def _smoothed(image: Image, width: float) -> Image:
    """The rows of an image after a Gaussian filter."""
    reach = int(3 * width + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(image, ((0, 0), (reach, reach)), mode="edge")
    found = np.zeros_like(image)
    for offset, share in enumerate(kernel.tolist()):
        found += share * padded[:, offset : offset + image.shape[1]]
    return found


def _is_ridge(strength: Image, down: Image, right: Image) -> npt.NDArray[np.bool_]:
    """Which pixels are not weaker than their neighbours before and after, in the direction of the gradient."""
    padded = np.pad(strength, 1)
    angle = np.rint(np.arctan2(down, right) / (np.pi / 4)).astype(int) % 4
    height, width = strength.shape
    found = np.zeros(strength.shape, bool)
    for number, (dy, dx) in enumerate(((0, 1), (1, 1), (1, 0), (1, -1))):
        after = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        before = padded[1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
        found |= (angle == number) & (strength >= after) & (strength > before)
    return found


def _grown(sure: npt.NDArray[np.bool_], possible: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The possible pixels that touch a sure one, directly or through other possible ones."""
    found = np.pad(sure, 1)
    allowed = np.pad(possible, 1)
    width = found.shape[1]
    flat, free = found.ravel(), allowed.ravel() & ~found.ravel()
    steps = np.array([dy * width + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx])
    front = np.flatnonzero(flat)
    while len(front):
        near = np.unique((front[:, None] + steps).ravel())
        front = near[free[near]]
        free[front] = False
        flat[front] = True
    return flat.reshape(found.shape)[1:-1, 1:-1]
