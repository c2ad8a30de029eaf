# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsierd --once: all that is there is indexed, or what lies below a path, and it ends, though the engine answers before the main loop runs."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from watched import *

library = os.path.join(os.environ['abs_top_builddir'], 'tests/daemon/.libs/late-loop.so')


def once(*arguments, late=False):
    env = dict(os.environ)
    if late:
        env.update(LD_PRELOAD=library, ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0')
    try:
        return subprocess.run(['tarsierd', '--once', *arguments], capture_output=True, text=True, timeout=60, env=env).returncode
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
finish()
