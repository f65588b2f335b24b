"""All jobs are killed, stopped and run out of disk at random moments; what they write in the end is always the same."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_disk import grow, small_disk
from warcs import PACKINGS, page_record

from webstrata.workers.process_tree import descendants

pytestmark = pytest.mark.slow

JOBS = {
    "extract": ["run", "extract", "--algorithm", "keep-all", "--shard-records", "20"],
    "links": ["run", "links", "--algorithm", "keep-all", "--shard-records", "20"],
    "sites": ["site", "learn", "--no-extraction"],
    "search": ["run", "search", "--algorithm", "keep-all", "--shard-records", "20"],
    "duplicates": ["duplicates", "--by", "page"],
    "statistics": ["stats", "--extractor", "none"],
}
_ROOM, _LEAST = 64 * 2**20, 4096
# A stopped process is noticed within three seconds; the rest is for a machine that is busy with other tests.
_LIMIT_SECONDS = 120


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = "strata of pages are read one by one and none is lost between the layers of clay and sand".split()
    chance = random.Random(3)
    parts = []
    for number in range(150):
        links = "".join(f"<li><a href=/{chance.randrange(150)}>{chance.choice(words)}</a>" for _ in range(8))
        text = " ".join(chance.choices(words, k=200))
        html = f"<title>{number}</title><ul>{links}</ul><h1>Page {number % 50}</h1><p>{text}</p>"
        parts.append(PACKINGS[".warc.gz"](page_record(f"http://{number % 3}.example/{number}", html.encode())))
    path = tmp_path_factory.mktemp("crawl") / "crawl.warc.gz"
    path.write_bytes(b"".join(parts))
    return path


def start(name: str, crawl: Path, output: Path) -> subprocess.Popen[str]:
    group, *rest = JOBS[name]
    command = [sys.executable, "-m", "webstrata", group, *rest, str(crawl), "-o", str(output), "-j", "2", "--resume"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        command, start_new_session=True, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def files_of(output: Path) -> dict[str, bytes]:
    """The results. Plans name folders."""
    own = ("lock", ".webstrata.lock", "plan.json")
    paths = (path for path in output.rglob("*") if path.is_file() and path.name not in own)
    return {str(path.relative_to(output)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("name", JOBS)
def test_killed_stopped_and_without_space(name: str, crawl: Path, tmp_path: Path, kills: int) -> None:
    if name == "statistics":
        pytest.importorskip("scipy", reason="scipy is not installed: pip install 'webstrata[stats]'")
    chance = random.Random()
    with small_disk(tmp_path / "disk", _ROOM) as disk:
        begin = time.monotonic()
        calm = start(name, crawl, disk / "calm")
        assert calm.communicate()[0] is not None
        assert calm.returncode == 0
        seconds = time.monotonic() - begin
        shutil.move(disk / "calm", tmp_path / "calm")
        expected = files_of(tmp_path / "calm")
        for kill in range(kills):
            if kill % 4 == 3:
                used = shutil.disk_usage(disk).used
                grow(disk, used + chance.choice([_LEAST, 4 * _LEAST, 16 * _LEAST]))
            process = start(name, crawl, disk / "out")
            wait = chance.uniform(0.3, 0.8 * seconds) if kill % 4 != 3 else _LIMIT_SECONDS
            try:
                process.wait(wait)
            except subprocess.TimeoutExpired:
                assert kill % 4 != 3, "a full disk hangs the job"
                _harm(process, kill % 4, chance)
            _, err = process.communicate(timeout=_LIMIT_SECONDS)
            ended = process.returncode, err.strip().splitlines()[-1:]
            print(name, ("all killed", "first killed", "one stopped", "full disk")[kill % 4], *ended)
            if kill % 4 == 3:
                grow(disk, _ROOM)
                assert process.returncode == 0 or "Error: the disk is full" in err, err
            assert "Traceback" not in err, err
            if process.returncode == 0:
                assert files_of(disk / "out") == expected
                shutil.rmtree(disk / "out")
        last = start(name, crawl, disk / "out")
        _, err = last.communicate(timeout=_LIMIT_SECONDS)
        assert last.returncode == 0, err
        assert files_of(disk / "out") == expected


def _harm(process: subprocess.Popen[str], way: int, chance: random.Random) -> None:
    """Kill all processes, kill the first one, or stop one of its descendants."""
    children = descendants(process.pid)
    if way == 0:
        os.killpg(process.pid, signal.SIGKILL)
    elif way == 1 or not children:
        process.kill()
    else:
        os.kill(chance.choice(children), signal.SIGSTOP)
