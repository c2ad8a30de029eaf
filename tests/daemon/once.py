# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsierd --once: all that is there is indexed, or what lies below a path, and it ends, though the engine answers before the main loop runs. The
converters are started if there is something to convert, or if they may be other ones than before."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

library = os.path.join(os.environ['abs_top_builddir'], 'tests/daemon/.libs/late-loop.so')


def once(*arguments, late=False):
    env = dict(os.environ)
    if late:
        env.update(LD_PRELOAD=library, ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0')
    try:
        return subprocess.run(['tarsierd', '--once', *arguments], capture_output=True, text=True, timeout=250, env=env).returncode
    except subprocess.TimeoutExpired:
        return 'it does not end'


os.makedirs(TREE)
configure()
equal(once(late=True), 0, 'an empty tree')
for i in range(20):
    write(f'{i % 3}/{i}.txt', f'text {i}')
equal(once(late=True), 0, 'new files')
same('are indexed')
equal(once(late=True), 0, 'nothing new')
write('0/new.txt', 'a new one')
equal(once(TREE + '/0', late=True), 0, 'a path')
same('below it all is indexed')
equal(once('/nowhere', late=True), 2, 'a path that is not watched')
os.unlink(TREE + '/0/new.txt')
equal(once('--scrub', late=True), 0, 'a scrub')
same('what is gone is gone')
equal(once(), 0, 'and without all that')

# a directory that takes longer than an interval of polling is visited once, not for ever
os.makedirs(HOME + '/large')
for i in range(100000):
    os.close(os.open(f'{HOME}/large/{i}', os.O_CREAT | os.O_WRONLY))
configure([HOME + '/large'], poll=1)
equal(once(), 0, 'a large directory')
equal(query('SELECT count(*) FROM inode WHERE state <> 0'), [(0,)], 'all of it is indexed')
shutil.rmtree(HOME + '/large')
configure()
equal(once(), 0, 'it is no root any more')

# a program that tells when it is started
log, program = os.path.join(HOME, 'starts'), os.path.join(HOME, 'extract')
plugins = os.path.join(HOME, 'plugins')
shutil.copytree(os.environ['TARSIER_PLUGINS'], plugins, ignore=lambda directory, names: [n for n in names if not n.endswith('.so')])
with open(program, 'w') as f:
    f.write(f'#!/bin/sh\necho started >>{log}\nexec {os.environ["TARSIER_EXTRACT"]} "$@"\n')
os.chmod(program, 0o755)
os.environ.update(TARSIER_EXTRACT=program, TARSIER_PLUGINS=plugins)


# only with the whole sandbox: otherwise there may be one at the next start
whole = 'sandbox: full' in subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout


def starts(name, some):
    some |= not whole
    if os.path.exists(log):
        os.unlink(log)
    equal(once(), 0, name)
    equal(os.path.exists(log), some, 'the converters are started' if some else 'no converter is started')


starts('another program', True)
starts('the same again', False)
write('0/after.txt', 'a file about lanterns')
starts('something to convert', True)
equal(subprocess.run(['tarsier', 'lanterns'], capture_output=True, text=True).stdout.strip(), TREE + '/0/after.txt', 'it is found')
starts('and then no more', False)
os.utime(plugins + '/text.so', (1, 1))
starts('a plugin may be another one', True)
starts('it is known then', False)
os.unlink(plugins + '/cards.so')
starts('a plugin is gone', True)
finish()
