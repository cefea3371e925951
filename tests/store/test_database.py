"""Append-only, durable, shared by several processes, and clear about what it cannot do."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from trope.errors import StoreError, StoreLocationError, UnknownName, UsageError
from trope.records import Observation, Output
from trope.store import SCHEMA_VERSION, CellRow, Entry, RunFolder, Store
from trope.store import database as module
from trope.store.location import file_system_of, require_local


def _add(store: Store, *records: Output | Observation) -> int:
    return asyncio.run(
        store.add([Entry(r, ["request"], {"model": "m"}, {"from": "test"}, 0.01, "run") for r in records])
    )


def test_the_newest_answer_stands_but_never_gives_way_to_a_failure(store: Store) -> None:
    _add(store, Observation("k", "b", "failed", reason="first"))
    assert store.records(["k"])["k"].status == "failed"
    _add(store, Observation("k", "b", "ok", raw="one"))
    _add(store, Observation("k", "b", "ok", raw="two"))
    _add(store, Observation("k", "b", "failed", reason="later"))
    standing = store.records(["k", "unknown"])
    assert set(standing) == {"k"}
    assert standing["k"].raw == "two"
    assert len(store.database.query("SELECT 1 FROM records")) == 4  # nothing is overwritten


def test_what_was_added_survives_reopening(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        _add(store, Output("k", "b", "ok", '{"truth": [{"label": "猫", "score": 1.0, "box": [0, 0, 1, 1]}]}'))
    with Store(tmp_path / "s") as store:
        record = store.records(["k"])["k"]
        assert isinstance(record, Output)
        assert record.truth is not None and record.truth[0].label == "猫"


def test_many_keys_at_once(store: Store) -> None:
    _add(store, *(Observation(f"k{n}", "b", "ok", f'{{"n": {n}}}') for n in range(3000)))
    found = store.records(f"k{n}" for n in range(3500))
    assert len(found) == 3000
    assert found["k2999"].value == {"n": 2999}


_WRITER = """
import asyncio, sys
from trope.records import Observation
from trope.store import Entry, Store
name, folder = sys.argv[1:]
with Store(folder) as store:
    async def go():
        for n in range(150):
            await store.add([Entry(Observation(f"{name}-{n}", name, "ok", raw=str(n)), [n])])
            await store.add([Entry(Observation(f"shared-{n}", name, "ok", raw=str(n)), [n])])
    asyncio.run(go())
"""


def test_three_processes_writing_at_once_lose_nothing(store: Store) -> None:
    names = ["one", "two", "three"]
    running = [subprocess.Popen([sys.executable, "-c", _WRITER, n, str(store.folder)]) for n in names]
    assert [p.wait(timeout=120) for p in running] == [0, 0, 0]
    for name in names:
        assert len(store.records(f"{name}-{n}" for n in range(150))) == 150
    assert store.database.query("SELECT count(*) FROM records") == [(900,)]


def test_another_process_that_was_first_is_counted(store: Store) -> None:
    assert _add(store, Observation("k", "b", "ok", raw="mine")) == 0
    assert _add(store, Observation("k", "b", "ok", raw="mine again")) == 0
    store.database._process = "elsewhere:1"
    store.database._since = "2000"
    assert _add(store, Observation("k", "b", "ok", raw="theirs")) == 1


def test_a_bad_piece_of_writing_does_not_take_others_with_it(store: Store) -> None:
    good = store.database.add([Entry(Observation("good", "b", "ok"), [])])
    bad = store.database.submit(lambda connection: connection.execute("INSERT INTO nowhere VALUES (1)"))
    other = store.database.add([Entry(Observation("other", "b", "ok"), [])])
    good.result(10), other.result(10)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        bad.result(10)
    assert set(store.records(["good", "other"])) == {"good", "other"}


def test_what_is_queued_is_written_even_if_nobody_waits(store: Store) -> None:
    async def go() -> None:
        waiting = asyncio.create_task(store.add([Entry(Observation("k", "b", "ok", raw="paid for"), [])]))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    asyncio.run(go())
    _add(store, Observation("later", "b", "ok"))  # the writer is alive
    assert set(store.records(["k", "later"])) == {"k", "later"}


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s" / "observations.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"this is a diary" * 100)
    with pytest.raises(StoreError, match="not a readable store|cannot be prepared"):
        Store(tmp_path / "s")
    assert path.read_bytes() == b"this is a diary" * 100
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="not a Trope store"):
        Store(tmp_path / "s")


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "s").close()
    connection = sqlite3.connect(tmp_path / "s" / "observations.sqlite")
    connection.execute("UPDATE meta SET value = '99'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="schema 99, made by a newer Trope"):
        Store(tmp_path / "s")


def test_an_older_schema_is_migrated_after_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "s") as store:
        _add(store, Observation("k", "b", "ok", raw="kept"))
    monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {SCHEMA_VERSION: ["ALTER TABLE records ADD COLUMN note TEXT"]})
    with Store(tmp_path / "s") as store:
        assert store.records(["k"])["k"].raw == "kept"
        assert store.database.query("SELECT note FROM records") == [(None,)]
        assert store.database.query("SELECT value FROM meta") == [(str(SCHEMA_VERSION + 1),)]
    assert (tmp_path / "s" / f"observations.sqlite.before-schema-{SCHEMA_VERSION + 1}").exists()


def test_writes_are_synced_before_they_are_acknowledged(store: Store) -> None:
    connection = store.database._connect()
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_network_file_system_is_refused_with_the_reason(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    folder = tmp_path / "shared drive" / "store"
    escaped = str(tmp_path / "shared drive").replace(" ", "\\040")
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {escaped} nfs4 rw 0 0\n")
    with pytest.raises(StoreLocationError, match=r"network file system \(nfs4\).*--bundle"):
        require_local(folder, mounts=mounts)
    assert file_system_of(tmp_path, mounts=mounts) == "ext4"
    require_local(tmp_path / "local", mounts=mounts)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreLocationError, match="cannot make the store folder"):
        Store(tmp_path / "file" / "store")


def test_what_a_backend_was_is_kept_once_and_can_be_read_back(store: Store) -> None:
    _add(store, *(Observation(f"k{n}", "b", "ok") for n in range(5)))
    ((identity,),) = store.database.query("SELECT identity FROM identities")
    assert identity == '{"model": "m"}'
    assert RunFolder(store, "run").spent() == pytest.approx(0.05)


def test_runs_are_found_by_name_and_keep_what_they_asked(store: Store) -> None:
    run = RunFolder(store, "first")
    run.freeze("a = 1\n", "", "q", "i")
    cells = [
        CellRow("i", "s", "base", 42, "k", ("k",), ("ssd",), {"ssd": {"look": "o"}}), CellRow("j", "s", "base", 42, "l", ("m", "l"), (), {}),
    ]  # fmt: skip
    run.save_cells([(1, cells[1])]).result(10)
    run.save_cells([(0, cells[0]), (1, cells[1])]).result(10)
    assert RunFolder.find(store, "first").cells() == cells and cells[1].keys() == {"l", "m"}
    assert run.frozen() == ("q", "i")
    with pytest.raises(UsageError, match="'first' exists and asked something else"):
        run.freeze("a = 2\n", "", "other", "i")
    assert run.asked.read_text() == "a = 1\n"
    run.asked.unlink()  # a deleted folder frees its name
    run.freeze("a = 2\n", "", "other", "i")
    assert run.frozen() == ("other", "i") and run.cells() == []
    with pytest.raises(UnknownName, match=r"no run 'frist'\. Did you mean 'first'\?"):
        RunFolder.find(store, "frist")
    for bad in ("", "../x", "a/b", ".hidden", "x" * 101):
        with pytest.raises(UsageError, match="cannot be a folder name"):
            RunFolder(store, bad)


def test_one_process_at_a_time_works_on_a_run(store: Store) -> None:
    run, told, inside = RunFolder(store, "r"), threading.Event(), threading.Event()

    def second() -> None:
        with RunFolder(store, "r").working(told.set):
            inside.set()

    with run.working(lambda: pytest.fail("nobody else is here")):
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(5) and not inside.wait(0.2)
    assert inside.wait(5)
    thread.join()
