#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-store.py BUILD: how the store of a site grows in a year, with and without compaction, and
which share of dead bytes is the best moment to write a file anew.

The first part runs tests/daemon/store-year (make tests/daemon/store-year in BUILD). The second is a
model of files and sizes, in which each day a part of the pages changes."""
import os, random, subprocess, sys, tempfile

PAGES, DAYS, CHANGES, BYTES = 200, 365, 20, 10000


def year(build, mode):
    program = os.path.join(build, 'tests/daemon/store-year')
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([program, *map(str, (PAGES, DAYS, CHANGES, BYTES)), mode], capture_output=True, text=True,
                              env=dict(os.environ, HOME=home, TMPDIR=home))
    lines = [line for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert done.returncode == 0, done.stderr
    return [[float(word) for word in line.split()] for line in lines]


def model(share, days=365, pages=20000, daily=0.05, file_records=4000, seed=1):
    """Records of equal size. Returns the mean of all records by live ones in the second half of the
    time, and how many records were copied for each that was fetched."""
    rng = random.Random(seed)
    files, place, sizes, fetched, copied = [set()], {}, [0], 0, 0

    def append(page):
        if sizes[-1] >= file_records:
            files.append(set())
            sizes.append(0)
        if page in place:
            files[place[page]].discard(page)
        files[-1].add(page)
        place[page] = len(files) - 1
        sizes[-1] += 1

    ratios = []
    for page in range(pages):
        append(page)
    for day in range(days):
        for page in rng.sample(range(pages), int(pages * daily)):
            append(page)
            fetched += 1
        for number in range(len(files)):
            if sizes[number] and number < len(files) - 1 and sizes[number] - len(files[number]) > share * sizes[number]:
                for page in list(files[number]):
                    append(page)
                    copied += 1
                sizes[number] = 0
        if day >= days // 2:
            ratios.append(sum(sizes) / pages)
    return sum(ratios) / len(ratios), copied / fetched


grow, compact = year(sys.argv[1], 'grow'), year(sys.argv[1], 'compact')
print(f'{PAGES} pages of {BYTES} bytes, {CHANGES} change each day, the others are confirmed; MB of the store')
print('day   without   with   live')
for a, b in zip(grow, compact):
    print(f'{a[0]:4.0f} {a[1] / 1e6:8.1f} {b[1] / 1e6:7.1f} {b[2] / 1e6:6.1f}')
print(f'CPU seconds of a year of compactions: {compact[-1][4]:.2f}')
print('dead share   records by live ones   copied by fetched')
for share in (0.25, 0.5, 0.75):
    size, copies = model(share)
    print(f'{share:10.2f} {size:12.2f} {copies:20.2f}')
