"""Where a store may live: a local, writable folder, since SQLite's locks mean nothing across a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trope.errors import StoreLocationError

NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs afs ceph glusterfs lustre gpfs beegfs 9p davfs webdav afpfs"
    " fuse.sshfs fuse.s3fs fuse.gcsfuse fuse.rclone fuse.glusterfs fuse.ceph-fuse fuse.davfs2".split()
)
MOUNT_TABLE = Path("/proc/self/mounts")


def require_local(folder: Path, *, mounts: Path = MOUNT_TABLE) -> None:
    """Create ``folder`` if need be; raise `StoreLocationError` where a store would not be safe."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise StoreLocationError(
            f"cannot make the store folder {str(folder)!r}: {error}. Choose another with --store FOLDER"
        ) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreLocationError(f"the store folder {str(folder)!r} is not writable. Choose another: --store")
    kind = file_system_of(folder, mounts=mounts)
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreLocationError(
            f"the store folder {str(folder)!r} is on a network file system ({kind}), where SQLite's locks do"
            " not hold and rows could be lost. Choose a local folder with --store, and move bundles instead:"
            " trope report NAME --bundle FILE"
        )


def file_system_of(folder: Path, *, mounts: Path = MOUNT_TABLE) -> str | None:
    """The type of the file system that holds ``folder``; None where the system does not say (not Linux)."""
    if not mounts.exists() and sys.platform != "linux":
        return None
    target = str(folder.resolve())
    best, kind = "", None
    for line in mounts.read_text("utf-8", errors="replace").splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].encode("latin-1", "replace").decode("unicode_escape", errors="replace")
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind
