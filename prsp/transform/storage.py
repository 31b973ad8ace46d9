"""The files of a pane log on any file system Arrow can write: a local path, or a URI such as hdfs:// or s3://."""

from __future__ import annotations

import os
from pathlib import Path

from pyarrow import fs


class Storage:
    """A folder. Files appear whole or not at all; picklable, so executors can write into it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._fs, self._path = self._open()

    def _open(self) -> tuple[fs.FileSystem, str]:
        return fs.FileSystem.from_uri(self.root) if "://" in self.root else (fs.LocalFileSystem(), str(Path(self.root).absolute()))

    def __reduce__(self) -> tuple[type[Storage], tuple[str]]:
        return Storage, (self.root,)

    def path(self, name: str) -> str:
        """The full path of a file, for readers and writers that take one with ``filesystem``."""
        return f"{self._path}/{name}"

    @property
    def filesystem(self) -> fs.FileSystem:
        """The Arrow file system behind it."""
        return self._fs

    def make(self, *folders: str) -> None:
        """Create folders that are not there yet."""
        for folder in folders:
            self._fs.create_dir(self.path(folder), recursive=True)

    def read(self, name: str) -> bytes | None:
        """A file's content, None when there is no such file."""
        try:
            with self._fs.open_input_stream(self.path(name)) as stream:
                content: bytes = stream.read()
                return content
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Put a file in place at once; after this returns it survives a crash."""
        temporary = self.begin(name)
        with self._fs.open_output_stream(temporary) as stream:
            stream.write(content)
        self.finish(temporary, name)

    def begin(self, name: str) -> str:
        """A path to write to before ``finish`` puts it in place."""
        folder, _, base = name.rpartition("/")
        return self.path(f"{folder}/.{base}.{os.getpid()}" if folder else f".{base}.{os.getpid()}")

    def finish(self, temporary: str, name: str) -> None:
        """Put a finished file in place, replacing one of that name."""
        if isinstance(self._fs, fs.LocalFileSystem):
            handle = os.open(temporary, os.O_RDONLY)
            os.fsync(handle)
            os.close(handle)
        self._fs.move(temporary, self.path(name))

    def names(self, folder: str) -> list[str]:
        """The finished files of a folder, sorted."""
        found = self._fs.get_file_info(fs.FileSelector(self.path(folder), allow_not_found=True))
        return sorted(info.base_name for info in found if info.is_file and not info.base_name.startswith("."))

    def delete_unfinished(self, *folders: str) -> None:
        """Remove files that a crash kept from being put in place."""
        for folder in folders:
            for info in self._fs.get_file_info(fs.FileSelector(self.path(folder), allow_not_found=True)):
                if info.is_file and info.base_name.startswith("."):
                    self._fs.delete_file(info.path)

    def delete(self, name: str) -> None:
        """Remove a file; one that is gone is fine."""
        try:
            self._fs.delete_file(self.path(name))
        except FileNotFoundError:
            return
