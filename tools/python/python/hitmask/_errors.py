"""The exceptions of hitmask. Each is a `HitmaskError` and the exception that Python has for its kind."""

from __future__ import annotations

import errno
import os


class HitmaskError(Exception):
    """An error of hitmask. A call that raises it has changed nothing.

    The message says what is wrong and how to fix it; `help` holds the second part alone.
    """

    help: str

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help

    # KeyError shows the repr of its argument.
    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.help)


class InvalidValueError(HitmaskError, ValueError):
    """A value is out of range, not finite, or of the wrong shape or type of elements."""


class UnknownIdError(HitmaskError, KeyError):
    """An id or a name of nothing: the collider was removed, or the atlas has no such sprite."""


class OutsideError(HitmaskError, IndexError):
    """A pixel is outside a mask."""


class DamagedError(HitmaskError, ValueError):
    """An atlas or a snapshot is damaged, of another version, or no such file."""


class BakeError(HitmaskError, ValueError):
    """Art that cannot be baked."""


class StateError(HitmaskError, RuntimeError):
    """A call that the present state does not allow: a mask in use is removed, or a world is full."""


class BusyError(StateError):
    """Another thread, or a callback, uses the object at this moment."""


class FileError(HitmaskError, OSError):
    """A file cannot be read or written. `errno` and `filename` are those of `OSError`."""

    def __init__(self, message: str, help: str = "", code: int | None = None, filename: str | None = None) -> None:
        HitmaskError.__init__(self, message, help)
        self.errno = code
        self.strerror = os.strerror(code) if code is not None else message
        self.filename = filename

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.help, self.errno, self.filename)


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or folder."""


def file_error(code: int | None, message: str, help: str, filename: str | os.PathLike[str] | None) -> FileError:
    """Returns the exception for an error of the operating system."""
    name = os.fspath(filename) if filename is not None else None
    kind = MissingFileError if code == errno.ENOENT else FileError
    return kind(message, help, code, name)
