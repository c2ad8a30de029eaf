#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""web-frontier.py - the frontier of sites and feeds in simulations: politeness under kills, memory and
disk, utilisation, and the age of pages

usage: web-frontier.py [--requests N] [--hosts N] [--ages SEED] [REPOSITORY]
       web-frontier.py --changelogs DAYS
       web-frontier.py --worth

tarsierd must be in PATH, built without sanitizers. REPOSITORY: a git repository. The history of its
documents and tests, after their first version, is a trace of changes, stretched to 60 days. --ages:
only the age of pages, with changes drawn from this seed. --changelogs: only the age of pages of source
packages, each of which changes when a new version is uploaded, as the changelogs of the installed
packages say; with a visit of each page every so many days on average, in real time. --worth: only how
often sites without a limit are asked."""
import argparse
import email.utils
import glob
import gzip
import os
import random
import re
import resource
import sqlite3
import subprocess
import tempfile
import time

import web_trace as web

SINGLE_VISIT = {'end': 1000000}


def row(what, value):
    print(f'{what:<58} {value}', flush=True)


def kills(directory, n_requests, mean_s):
    """Requests of hosts that share addresses, in a process that is killed again and again."""
    pages = 100
    lines = [SINGLE_VISIT] + web.hosts_with_pages(n_requests // pages, pages, addresses=n_requests // pages // 2)
    trace = f'{directory}/kills.jsonl'
    web.write_trace(trace, lines)
    judge = web.Judge(lines)
    n = web.simulate_killed(trace, f'{directory}/kills', random.Random(7), mean_s, judge)
    row('requests under kill -9', judge.requests)
    row('kills', n)
    row('early requests', judge.early)
    row('answered requests that were repeated', judge.repeated)


def private_dirty_kb(pid):
    try:
        with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as file:
            return int(re.search(r'Private_Dirty:\s+(\d+)', file.read())[1])
    except (OSError, TypeError):
        return 0


def size(directory, n_hosts, n_pages):
    trace, index = f'{directory}/size.jsonl', f'{directory}/size'
    web.write_trace(trace, [SINGLE_VISIT] + web.hosts_with_pages(n_hosts, n_pages, seed=2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = 0
    with open(f'{directory}/size.out', 'w+', encoding='utf-8') as out:
        process = subprocess.Popen(['tarsierd', f'--simulate-web={trace}', f'--index={index}'], stdout=out)
        while process.poll() is None:
            peak = max(peak, private_dirty_kb(process.pid))
            time.sleep(0.2)
        out.seek(0)
        paths = [len(path) for _, _, path in web.read_requests(out.read()) if path != '/robots.txt']
    requests = len(paths) + n_hosts
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    db = sqlite3.connect(f'{index}/index.db')
    urls, = db.execute('SELECT count(*) FROM web_url').fetchone()
    row('URLs, all visited; mean length of their paths', f'{urls}; {sum(paths) / len(paths):.0f} bytes')
    row('private memory, peak', f'{peak / 1024:.1f} MB')
    row('disk for each URL, whole index', f'{os.path.getsize(f"{index}/index.db") / urls:.0f} bytes')
    row('CPU time for each request', f'{1e6 * cpu / requests:.0f} us')


def utilisation(directory):
    lines = web.hosts_with_pages(200, 200, seed=3)
    hosts = {line['host']: line for line in lines}
    trace = f'{directory}/busy.jsonl'
    web.write_trace(trace, [SINGLE_VISIT] + lines)
    requests = web.simulate(trace)
    n = {origin: 0 for origin in hosts}
    for _, origin, _ in requests:
        n[origin] += 1
    best = web.slowest_host(lines, n)
    for what, end in (('frontier', web.fetched_at(requests, hosts)), ('one queue', web.fifo(lines)), ('host after host', web.fifo(lines, True))):
        row(f'time for 200 hosts with 200 pages, {what}', f'{end / 1000:.0f} s, {end / best:.2f} of the slowest host')


def git_histories(repository, end):
    log = subprocess.run(['git', '-C', repository, 'log', '--reverse', '--format=@%ct', '--name-only', '--', 'docs', 'tests'],
                         check=True, capture_output=True, text=True).stdout
    files, now, times = {}, 0, []
    for line in log.split('\n'):
        if line.startswith('@'):
            now = int(line[1:])
            times.append(now)
        elif line:
            files.setdefault(line, []).append(now)
    first, last = min(times), max(times)
    return [sorted((at - first) * end / max(1, last - first) for at in changes[1:]) for changes in files.values()]


def changelog_histories(begin, end):
    """The longest changelog of each source package. Many are cut off before the middle of 2019."""
    packages = {}
    for name in sorted(glob.glob('/usr/share/doc/*/changelog.Debian.gz')):
        with gzip.open(name, 'rt', encoding='utf-8', errors='replace') as file:
            text = file.read()
        dates = [email.utils.parsedate_tz(date) for date in re.findall(r'^ -- .*>  (.*)$', text, re.M)]
        times = {email.utils.mktime_tz(date) for date in dates if date}
        source = text.split(' ', 1)[0]
        if len(times) > len(packages.get(source, ())):
            packages[source] = times
    return [sorted(at - begin for at in times if begin < at < end) for times in packages.values() if min(times) < end]


def changelog_ages(directory, days):
    begin, end = 1569888000, 1672531200  # October 2019 to December 2022, before the freeze of a release
    histories = changelog_histories(begin, end)
    age_row(directory, 'uploads of source packages', histories, len(histories) / days, end - begin)


def age_row(directory, name, histories, day, end):
    trace = f'{directory}/age.jsonl'
    web.write_trace(trace, web.pages_that_change(histories, max(1, round(day)), end))
    planned, fixed, made = web.mean_ages(histories, web.simulate(trace), end / 4, end)
    row(f'{name}: pages, visits', f'{len(histories)}, {made}')
    row(f'{name}: mean age, that of a fixed interval', f'{planned:.0f} s, {fixed:.0f} s: {planned / fixed:.2f}')


def ages(directory, repository, poisson_seed, bursts_seed):
    end = 60 * 86400
    traces = {'Poisson': web.mixed_histories(random.Random(poisson_seed), 300, end, web.poisson),
              'bursts': web.mixed_histories(random.Random(bursts_seed), 300, end, web.bursts),
              'history of a repository': git_histories(repository, end)}
    for name, histories in traces.items():
        age_row(directory, name, histories, 2 * len(histories), end)


def worth(directory):
    """Sites for 60 days: requests a day, and the mean age of pages, both of the second half."""
    dice, end, half = random.Random(9), 60 * 86400, 30 * 86400
    sites = {'10 pages that never change': [[]] * 10, '300 pages that never change': [[]] * 300,
             '300 pages, a change in 12 to 116 days': [web.poisson(dice, 10 ** dice.uniform(-7, -6), end) for _ in range(300)],
             'one page each 2 hours, 49 in 116 days': [web.poisson(dice, 1 / 7200, end)] + [web.poisson(dice, 1e-7, end) for _ in range(49)],
             '20 pages, a change a day': [web.poisson(dice, 1 / 86400, end) for _ in range(20)],
             '300 pages, Poisson': web.mixed_histories(dice, 300, end, web.poisson),
             '300 pages, bursts': web.mixed_histories(dice, 300, end, web.bursts)}
    for name, histories in sites.items():
        web.write_trace(f'{directory}/worth.jsonl', web.pages_that_change(histories, 0, end))
        requests = web.simulate(f'{directory}/worth.jsonl')
        planned, fixed, _ = web.mean_ages(histories, requests, half, end)
        day = sum(at >= 1000 * half for at, _, _ in requests) / 30
        row(f'{name}: requests a day; mean age, of a fixed interval', f'{day:.0f}; {planned:.0f} s, {fixed:.0f} s')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--requests', type=int, default=1000000)
    parser.add_argument('--hosts', type=int, default=10000)
    parser.add_argument('--kill-every', type=float, default=2, metavar='SECONDS')
    parser.add_argument('--ages', type=int, metavar='SEED')
    parser.add_argument('--changelogs', type=float, metavar='DAYS')
    parser.add_argument('--worth', action='store_true')
    parser.add_argument('repository', nargs='?', default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        if options.changelogs is not None:
            changelog_ages(directory, options.changelogs)
            return
        if options.worth:
            worth(directory)
            return
        if options.ages is not None:
            ages(directory, options.repository, options.ages, options.ages)
            return
        ages(directory, options.repository, 11, 12)
        utilisation(directory)
        size(directory, options.hosts, 100)
        kills(directory, options.requests, options.kill_every)


if __name__ == '__main__':
    main()
