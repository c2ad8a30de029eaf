# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsierd --once indexes everything, or what lies below a path, and ends, though the engine
answers before the main loop runs. It starts the extractors only if there is something to convert or
they may have changed."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

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
equal(once(late=True), 0, '--once of an empty tree exits with 0')
for i in range(20):
    write(f'{i % 3}/{i}.txt', f'text {i}')
equal(once(late=True), 0, '--once with new files exits with 0')
same('--once indexes new files')
equal(once(late=True), 0, '--once with nothing new exits with 0')
write('0/new.txt', 'a new one')
equal(once(TREE + '/0', late=True), 0, '--once PATH exits with 0')
same('--once PATH indexes what lies below the path')
equal(once('/nowhere', late=True), 2, '--once with a path outside of the roots exits with 2')
os.unlink(TREE + '/0/new.txt')
equal(once('--scrub', late=True), 0, '--once --scrub exits with 0')
same('--once --scrub forgets deleted files')
equal(once(), 0, '--once exits with 0 if the main loop runs at once')

# a disk with less space than is reserved may stay so
if shutil.disk_usage(HOME).free < 1 << 40:
    write('0/later.txt', 'a file that waits for space')
    configure(disk_reserve='1TiB')
    equal(once(), 75, '--once exits with 75 if the disk of the index is full')
    for name, with_daemon in (('index', False), ('index', True), ('compact', False)):
        daemon = Daemon() if with_daemon else None
        try:
            done = subprocess.run(['tarsier', name], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired as expired:
            done = expired
        ok(getattr(done, 'returncode', None) == 75 and 'the disk of the index is full' in done.stderr, f'so does the client: {name}, {"a" if with_daemon else "no"} daemon', done)
        if daemon:
            daemon.stop()
    configure()
    equal(once(), 0, '--once exits with 0 once there is space')
    same('--once indexes what waited for space')
else:
    skip('--once does not wait for space without end', 'the disk has more space than can be reserved')

# a directory that takes longer than an interval of polling is visited once, not for ever
os.makedirs(HOME + '/large')
for i in range(100000):
    os.close(os.open(f'{HOME}/large/{i}', os.O_CREAT | os.O_WRONLY))
configure([HOME + '/large'], poll=1)
equal(once(), 0, '--once of a directory that takes longer than a polling interval exits with 0')
equal(query('SELECT count(*) FROM inode WHERE state <> 0'), [(0,)],
      '--once indexes every file of a large directory')
shutil.rmtree(HOME + '/large')
configure()
equal(once(), 0, '--once without the large root exits with 0')

# a program that records that it was started and how, where the daemon lets it write
log, program = os.path.join(Daemon.index, 'starts'), os.path.join(HOME, 'extract')
plugins = os.path.join(HOME, 'plugins')
shutil.copytree(os.environ['TARSIER_PLUGINS'], plugins, ignore=lambda directory, names: [n for n in names if not n.endswith('.so')])
with open(program, 'w') as f:
    f.write(f'#!/bin/sh\necho "started $*" >>{log}\nexec {os.environ["TARSIER_EXTRACT"]} "$@"\n')
os.chmod(program, 0o755)
os.environ.update(TARSIER_EXTRACT=program, TARSIER_PLUGINS=plugins)


# only if the sandbox is complete: otherwise the next start must try it again
whole = 'sandbox: tarsier: full' in subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout


def starts(name, some):
    some |= not whole
    if os.path.exists(log):
        os.unlink(log)
    equal(once(), 0, f'--once exits with 0: {name}')
    equal(os.path.exists(log), some,
          f'{"the extractors are started" if some else "no extractor is started"}: {name}')


starts('the program of the extractors is another one', True)
starts('the program of the extractors is the same again', False)
write('0/after.txt', 'a file about lanterns')
starts('there is a file to convert', True)
equal(subprocess.run(['tarsier', 'lanterns'], capture_output=True, text=True).stdout.strip(), TREE + '/0/after.txt',
      'a file that --once converted is found')
if whole:
    with open(log, encoding='utf-8') as f:
        started = f.read().splitlines()
    ok(len(started) == 1 and '--only=' in started[0], 'one text loads only the plugins that a text may need', started)
    write('0/odd.txt', '%!PS-Adobe-3.0 EPSF-3.0\n%%Title: walruses\n%%EOF\n')
    write('0/odd.pdf', 'this is no PDF but tells of narwhals')
    equal(once(), 0, '--once exits with 0: the names of files mislead')
    equal(subprocess.run(['tarsier', '--sort=name', 'walruses OR narwhals'], capture_output=True, text=True).stdout.split(),
          [TREE + '/0/odd.pdf', TREE + '/0/odd.txt'], 'files whose names mislead are found')
starts('nothing is left to convert', False)
os.utime(plugins + '/text.so', (1, 1))
starts('a plugin has another time', True)
starts('the new time of the plugin is known', False)
os.unlink(plugins + '/cards.so')
starts('a plugin is gone', True)
finish()
