# SPDX-License-Identifier: GPL-3.0-or-later
"""Very many names in one directory (equal files, hard links, empty and tiny files): four times as
many cost about four times the CPU time of the daemon, not sixteen times, and a search meanwhile is
answered."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

FEW = int(os.environ.get('MANY', 1000))
TEXT = 'a text that lies about in very many places, always the same ten words and some more\n'


def cpu_s():
    """Returns the CPU time of all threads of the daemon, without the extractors."""
    total = 0
    for task in os.listdir(f'/proc/{daemon.process.pid}/task'):
        with open(f'/proc/{daemon.process.pid}/task/{task}/schedstat') as f:
            total += int(f.read().split()[0])
    return total / 1e9


def make(kind, i):
    path = f'{TREE}/many/{i}.txt'
    if kind == 'link' and i > 0:
        os.link(f'{TREE}/many/0.txt', path)
    else:
        write(path, {'equal': TEXT, 'link': TEXT, 'empty': '', 'tiny': f'number {i}'}[kind])


def found(words):
    """Exit status and number of hits. A search has two seconds, which a busy machine may need for
    other things."""
    for _ in range(5):
        done = subprocess.run(['tarsier', 'search', '-l', words], capture_output=True, text=True)
        if done.returncode != 75:
            break
    return done.returncode, len(done.stdout.splitlines())


def measure(kind, n):
    """Returns the CPU seconds for creating n names and for deleting them."""
    before = cpu_s()
    for i in range(n):
        make(kind, i)
    daemon.sync()
    made = cpu_s()
    if kind in ('equal', 'link'):
        equal(found('"lies about"'), (0, 1), f'{n} names ({kind}): equal files are one hit')
    for i in range(n):
        os.unlink(f'{TREE}/many/{i}.txt')
    code = found('"lies about"')[0]
    ok(code in (0, 1), f'{n} names ({kind}): a search is answered while they are deleted', code)
    daemon.sync()
    equal(found('"lies about"'), (1, 0),
          f'{n} names ({kind}): nothing is found once they are deleted')
    return made - before, cpu_s() - made


def measure_both(kind):
    """Returns the CPU seconds for few names and for four times as many, both for creating and for
    deleting them. The machine may be busy for one of the two only, and the number of commits
    varies: what is too expensive once is measured again, both parts of it."""
    for _ in range(5):
        few, many = measure(kind, FEW), measure(kind, 4 * FEW)
        if all(map(cheap_enough, few, many)):
            break
    return few, many


def cheap_enough(few, many):
    return many <= 8 * max(few, 0.05)


os.makedirs(TREE + '/many')
configure()
daemon = Daemon()
daemon.sync()
for kind in ('equal', 'link', 'empty', 'tiny'):
    few, many = measure_both(kind)
    for what, a, b in (('made', few[0], many[0]), ('deleted', few[1], many[1])):
        print(f'# {kind}, {what}: {a:.3f} and {b:.3f} s', flush=True)
        ok(cheap_enough(a, b),
           f'{kind}: four times as many names {what} cost less than eight times the CPU time', a, b)
same('the index equals the file system after all names are deleted')
daemon.stop()
finish()
