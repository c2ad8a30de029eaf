#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""start.py --build BUILD [--build BEFORE] DIRECTORY: what a start of the daemon costs where nothing has changed since the last, and what the
rename of a directory costs that has everything below it.

Each build indexes DIRECTORY and starts twice more, so that it knows that nothing changes; then the builds take turns. CPU is that of the daemon until `tarsier status --wait` returns; save:
how long a file that is saved 100 ms after the start, where a file was indexed last, takes to be found; the median of some runs. DIRECTORY is renamed below a new one."""
import argparse, os, shutil, statistics, subprocess, tempfile, time
import home

RUNS, PATIENCE_S = 5, 300


def cpu_ms(pid):
    with open(f'/proc/{pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    return 1000 / os.sysconf('SC_CLK_TCK') * (int(fields[11]) + int(fields[12]))


def is_found(word, env):
    return subprocess.run(['tarsier', '-q', word], env=env, capture_output=True).returncode == 0


def wait(env):
    while subprocess.run(['tarsier', 'status', '--wait'], env=env, capture_output=True).returncode != 0:
        time.sleep(0.02)


def newest_directory(root):
    """Where a file was made last: the last one that a walk of the tree finds changed."""
    return max((path for path, _, _ in os.walk(root)), key=lambda path: os.stat(path).st_ctime)


def save_and_find(path, word, env):
    started = time.monotonic()
    with open(path, 'w') as f:
        f.write(word)
    while not is_found(word, env):
        if time.monotonic() > started + PATIENCE_S:
            raise SystemExit(f'{word} is not found')
        time.sleep(0.005)
    return 1000 * (time.monotonic() - started)


def start_daemon(env):
    return subprocess.Popen(['tarsierd'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stop_daemon(daemon):
    daemon.terminate()
    daemon.wait()


def measure_start(env):
    daemon = start_daemon(env)
    wait(env)
    figure = cpu_ms(daemon.pid)
    stop_daemon(daemon)
    return figure


def measure_watched(env, hot, word):
    daemon = start_daemon(env)
    time.sleep(0.1)
    figure = save_and_find(f'{hot}/saved.txt', word, env)
    wait(env)
    stop_daemon(daemon)
    return figure


def measure_rename(env, top):
    daemon = start_daemon(env)
    wait(env)
    before = cpu_ms(daemon.pid)
    name = f'{top}/tree' if os.path.isdir(f'{top}/tree') else f'{top}/renamed'
    os.rename(name, f'{top}/renamed' if name.endswith('/tree') else f'{top}/tree')
    wait(env)
    figure = cpu_ms(daemon.pid) - before
    stop_daemon(daemon)
    return figure


def measure(args, top):
    environments = {build: home.make_home(argparse.Namespace(build=build, work=args.work), top) for build in args.build or [None]}
    for _, env in environments.values():
        for _ in range(3):
            subprocess.run(['tarsierd', '--once'], env=env, check=True, stderr=subprocess.DEVNULL)
    figures, n = {}, 0
    for _ in range(RUNS):
        for build, (_, env) in environments.items():
            n += 1
            hot = newest_directory(top)
            for name, figure in (('start, CPU ms', measure_start(env)), ('save found after the start, ms', measure_watched(env, hot, f'savedword{n}')),
                                 ('rename, CPU ms', measure_rename(env, top))):
                figures.setdefault((name, build), []).append(figure)
    for (name, build), runs in sorted(figures.items(), key=lambda item: item[0][0]):
        print(f'| {name} | {build or ""} | {statistics.median(runs):.0f} |', flush=True)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', action='append')
    parser.add_argument('directory')
    args = parser.parse_args()
    args.directory = os.path.realpath(args.directory)
    args.work = tempfile.mkdtemp(prefix='tarsier-bench.', dir=os.path.dirname(args.directory))
    top = args.work + '/top'
    os.mkdir(top)
    os.rename(args.directory, top + '/tree')
    try:
        measure(args, top)
    finally:
        left = top + '/tree'
        os.rename(left if os.path.isdir(left) else top + '/renamed', args.directory)
        shutil.rmtree(args.work)
