#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""export-memory.py --build BUILD [NUMBER] [--seconds S]: the memory of an export whose target is slow or dead, beside one whose
target answers at once. The tree has NUMBER small texts (bench/scale.py). The target is the server of tests/opensearch.py: it
answers at once, and then has everything, so that a second export only compares; it answers one batch a minute; it answers all
but batches; it accepts connections and never answers. Each time but the second the target is empty, so that everything is to be
sent. The table has the peak resident memory (VmHWM) of all processes of tarsier together, and of the largest extractor, after S
seconds (the first: however long it takes) or at the end of the export."""
import argparse, glob, os, shutil, subprocess, sys, tempfile, time
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests')]
import home, scale
from opensearch import Server

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build')
parser.add_argument('number', nargs='?', type=int, default=10000)
parser.add_argument('--seconds', type=int, default=130)
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
TREE, NEVER_S, SLOW_S = args.work + '/tree', 10**6, 60


def descendants(pid):
    found = [pid]
    for path in glob.glob(f'/proc/{pid}/task/*/children'):
        try:
            with open(path) as f:
                for child in f.read().split():
                    found += descendants(int(child))
        except OSError:
            pass  # it has ended
    return found


def peaks_kib(pid):
    """{pid: (name, peak of the resident memory)} of the process and its descendants."""
    found = {}
    for each in descendants(pid):
        try:
            with open(f'/proc/{each}/status') as f:
                fields = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
            found[each] = fields['Name'], int(fields['VmHWM'].split()[0])
        except (OSError, KeyError):
            pass
    return found


def export(title, server, env, most=args.seconds):
    """Exports, for so many seconds at most, and prints the peaks."""
    config = env['HOME'] + '/.config/tarsier/tarsier.conf'
    with open(config) as f:
        before = f.read().split('\n[export')[0]
    with open(config, 'w') as f:
        f.write(f'{before}\n[export team]\nto = {server.url}\n')
    began, peaks, batches = time.monotonic(), {}, len(server.requests)
    process = subprocess.Popen(['tarsier', '-q', 'export', 'team', '--setup'], env=env)
    while process.poll() is None and time.monotonic() - began < most:
        peaks.update(peaks_kib(process.pid))
        time.sleep(.1)
    seconds = time.monotonic() - began
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    batches = sum(path.split('?')[0].endswith('/_bulk') for _, path in server.requests[batches:])
    own = sum(kib for name, kib in peaks.values() if name == 'tarsier')
    extractors = max((kib for name, kib in peaks.values() if name != 'tarsier'), default=0)
    print(f'| {title} | {seconds:.0f} s | {batches} | {own / 1024:.1f} | {extractors / 1024:.1f} |', flush=True)


def slow_bulk(seconds):
    def fault(method, path, body):
        if path.endswith('/_bulk'):
            time.sleep(seconds)
    return fault


try:
    scale.make(TREE, args.number, 1)
    _, env = home.make_home(args, TREE)
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(f'{args.number} texts\n\n| target | after | batches | tarsier, MiB | largest extractor, MiB |\n|---|---:|---:|---:|---:|')
    server = Server()
    export('answers at once', server, env, NEVER_S)
    export('has everything', server, env, NEVER_S)
    server = Server()
    server.fault = slow_bulk(SLOW_S)
    export('answers one batch a minute', server, env)
    server = Server()
    server.fault = slow_bulk(NEVER_S)
    export('never answers a batch', server, env)
    server = Server()
    server.delay = NEVER_S
    export('accepts and never answers', server, env)
finally:
    shutil.rmtree(args.work, ignore_errors=True)
