#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py TARGET...: prints which part of its sources each fuzz target reaches, and fails where
that is less than the floor.

Runs in a build directory that was configured with --coverage. Each target replays its seeds and
their mutations, and the files of $FUZZ_CORPUS/TARGET if there are any. tests/fuzz/floors names
for each target the floor in per cent of lines, and the sources that it exists for."""
import fnmatch
import json
import multiprocessing.pool
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(os.environ["abs_top_srcdir"]).resolve()
BUILD = pathlib.Path.cwd().resolve()
CORPUS = os.environ.get("FUZZ_CORPUS")
FILES_A_RUN = 500


def read_floors():
    """Returns {target: (floor, [pattern])}."""
    floors = {}
    for line in (TOP / "tests/fuzz/floors").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            floors[words[0]] = int(words[1]), words[2:]
    return floors


def run(target, gcda_dir):
    """Runs a target so that it writes its counters below gcda_dir. Returns (was it run?, what was
    said if it failed or could not be run)."""
    environment = dict(os.environ, GCOV_PREFIX=str(gcda_dir))
    program = [str(BUILD / target)]
    runs = [["sh", str(TOP / "build-aux/tap-run.sh")] + program]
    if CORPUS:
        files = sorted(map(str, pathlib.Path(CORPUS).resolve().glob(target.split("fuzz_")[-1] + "/*")))
        runs += [program + files[i:i + FILES_A_RUN] for i in range(0, len(files), FILES_A_RUN)]
    for command in runs:
        done = subprocess.run(command, env=environment, cwd=BUILD, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0 or "\nnot ok" in done.stdout:
            return True, done.stdout[-2000:]
        if "1..0 # SKIP" in done.stdout:
            return False, done.stdout.partition("SKIP ")[2].splitlines()[0]
    return True, None


def counters(gcda_dir, patterns):
    """Reads the counters of the sources that match: {(source, line): was reached}, and the same
    of branches."""
    files = []
    for gcda in gcda_dir.rglob("*.gcda"):
        gcno = pathlib.Path("/") / gcda.relative_to(gcda_dir).with_suffix(".gcno")
        gcda.with_suffix(".gcno").symlink_to(gcno)
        files.append(str(gcda))
    if not files:
        return {}, {}
    text = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities"] + files,
                          cwd=BUILD, stdout=subprocess.PIPE, check=True).stdout
    lines, branches = {}, {}
    for part in map(json.loads, text.splitlines()):
        for source in part["files"]:
            path = pathlib.Path(part["current_working_directory"], source["file"]).resolve()
            name = str(path.relative_to(TOP)) if path.is_relative_to(TOP) else ""
            if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                continue
            for line in source["lines"]:
                at = name, line["line_number"]
                lines[at] = lines.get(at, False) or line["count"] > 0
                for number, branch in enumerate(line["branches"]):
                    if not branch["throw"]:
                        way = at + (number,)
                        branches[way] = branches.get(way, False) or branch["count"] > 0
    return lines, branches


def measure(target, floors):
    """Returns (line of the table, is it good?)."""
    name = target.split("fuzz_")[-1]
    if name not in floors:
        return f"{name:12} has no line in tests/fuzz/floors", False
    floor, patterns = floors[name]
    with tempfile.TemporaryDirectory() as directory:
        was_run, message = run(target, pathlib.Path(directory))
        if message:
            return (f"{name:12} failed:\n{message}", False) if was_run else (f"{name:12} {message}", True)
        lines, branches = counters(pathlib.Path(directory), patterns)
    if not lines:
        return f"{name:12} reaches none of {' '.join(patterns)} (configured with --coverage?)", False
    reached = 100 * sum(lines.values()) // len(lines)
    ways = 100 * sum(branches.values()) // max(len(branches), 1)
    good = reached >= floor
    return (f"{name:12} {sum(lines.values()):5} of {len(lines):5} lines {reached:3} %, "
            f"branches {ways:3} %, floor {floor:3} %{'' if good else '  TOO LOW'}", good)


def main():
    floors, bad = read_floors(), []
    with multiprocessing.pool.ThreadPool(os.cpu_count()) as pool:
        for target, (line, good) in zip(sys.argv[1:], pool.imap(lambda t: measure(t, floors), sys.argv[1:])):
            print(line, flush=True)
            if not good:
                bad.append(line)
    if bad:
        sys.exit("\nFailed:\n" + "\n".join(bad))


main()
