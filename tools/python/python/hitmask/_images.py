"""Images of other packages as arrays, by the names of their methods. No package of images is imported."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from ._errors import InvalidValueError

Array = np.ndarray[Any, np.dtype[Any]]


def pixels(image: Any) -> Array:
    """Returns an image as (height, width) of bool or alpha, or (height, width, 4) of RGBA."""
    if hasattr(image, "getbands") and hasattr(image, "convert"):
        return picture_pixels(image)
    if hasattr(image, "hit_box_points") and hasattr(image, "image_data"):
        return picture_pixels(image.image)
    if hasattr(image, "get_image_data"):
        return pyglet_pixels(image)
    if type(image).__module__ == "_cffi_backend" and "raylib" in sys.modules:
        return raylib_pixels(image, sys.modules["raylib"])
    if isinstance(image, (bytes, bytearray)):
        help = "use Mask.from_alpha, Mask.from_rgba or Mask.from_bits; a file is read by Mask.open(path)"
        raise InvalidValueError(f"pixels are bytes without a width; {help}", help)
    if isinstance(image, os.PathLike):
        path = os.fspath(image)
        raise TypeError(f"pixels is the path {path!r}; write Mask.open({path!r})")
    array = np.asarray(image)
    if array.dtype == object:
        raise TypeError(
            f"pixels is {type(image).__name__}, which is no image; pass text of # and ., an array, a surface, a "
            "picture, a texture of arcade, an image of pyglet or raylib or a mask, or read a file by Mask.open(path)"
        )
    return array


def picture_pixels(picture: Any) -> Array:
    """Returns a picture of PIL. Grey without a clear value counts as alpha, another without alpha as opaque."""
    mode, clear = picture.mode, picture.info.get("transparency")
    if mode in ("1", "L", "I", "I;16") and isinstance(clear, int):
        return grey_pixels(picture, clear)
    if mode in ("1", "L"):
        return np.asarray(picture)
    if mode == "RGB" and isinstance(clear, tuple) and max(clear) > 255:
        help = "Pillow keeps 8 bits of 16, which is less than its file compares; use Mask.open(path)"
        raise InvalidValueError(f"pixels is a picture with the clear colour {clear}; {help}", help)
    if mode in ("La", "LAB"):
        help = 'La becomes RGBA by convert("LA"), and LAB by PIL.ImageCms'
        raise InvalidValueError(f"pixels is a picture of mode {mode}, which has no way to RGBA in one step; {help}", help)
    return np.asarray(picture.convert("RGBA"))


def grey_pixels(picture: Any, clear: int) -> Array:
    """Returns a grey picture with a clear value as RGBA."""
    # The value has the bits of the file. Pixels of 2 and 4 bits are widened, and only an unread picture tells.
    unread = getattr(picture, "tile", None)
    raw = unread[0][3] if unread else ""
    grey = np.asarray(picture)
    if picture.mode == "1":
        grey, clear = grey.astype(np.uint8) * 255, 255 if clear else 0
    elif raw in ("L;2", "L;4"):
        clear *= 85 if raw == "L;2" else 17
    elif picture.mode == "L" and not unread and 0 < clear < 16 and not (grey % 17).any():
        help = "give the picture to hitmask before Pillow reads it, or use Mask.open(path)"
        raise InvalidValueError(f"pixels is a picture whose clear value {clear} may be one of 2, 4 or 8 bits; {help}", help)
    shown = grey if grey.dtype == np.uint8 else grey >> 8
    return np.stack([shown, shown, shown, np.where(grey == clear, 0, 255)], axis=2).astype(np.uint8)


def pyglet_pixels(image: Any) -> Array:
    """Returns an image of pyglet as RGBA, the top row first."""
    data = image.get_image_data()
    # A negative pitch is the order from the top.
    rgba = np.frombuffer(data.get_data("RGBA", -4 * data.width), np.uint8)
    return rgba.reshape(data.height, data.width, 4)


def raylib_pixels(image: Any, raylib: Any) -> Array:
    """Returns an image of raylib as RGBA."""
    kind = raylib.ffi.typeof(image).cname.removesuffix(" *").removesuffix(" &")
    if kind in ("struct Texture", "struct RenderTexture"):
        raise TypeError(f"pixels is a {kind}, which is in the graphics card; pass load_image_from_texture(it)")
    if kind != "struct Image":
        raise TypeError(f"pixels is a {kind} of C; pass an Image of raylib, or an array")
    if image.data == raylib.ffi.NULL or image.width <= 0 or image.height <= 0:
        help = "check that its file was found"
        raise InvalidValueError(f"pixels is an Image of raylib without pixels; {help}", help)
    image = image[0] if raylib.ffi.typeof(image).kind == "pointer" else image
    # Another format is converted in a copy.
    is_rgba = image.format == raylib.PIXELFORMAT_UNCOMPRESSED_R8G8B8A8
    read = image if is_rgba else raylib.ImageCopy(image)
    if not is_rgba:
        pointer = raylib.ffi.new("Image *", read)
        raylib.ImageFormat(pointer, raylib.PIXELFORMAT_UNCOMPRESSED_R8G8B8A8)
        read = pointer[0]
    rgba = np.frombuffer(raylib.ffi.buffer(read.data, 4 * read.width * read.height), np.uint8)
    rgba = rgba.reshape(read.height, read.width, 4).copy()
    if not is_rgba:
        raylib.UnloadImage(read)
    return rgba


def column(values: Any, dtype: Any, argument: str) -> Array:
    """Returns numbers as an array of a type. Whole numbers stay exact: floats are no ids."""
    array = np.asarray(values)
    dtype = np.dtype(dtype)
    if array.size == 0:
        return np.asarray(array, dtype)
    if array.dtype.kind not in ("iu" if dtype.kind in "iu" else "iuf"):
        raise TypeError(f"{argument} holds {array.dtype}; pass an array of {dtype}")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise InvalidValueError(f"{argument} has a number beyond {dtype}; pass an array of {dtype}")
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])
