# SPDX-License-Identifier: GPL-3.0-or-later
"""A small file is found while other files use up their time limit: small ones, and so many large
ones that they fill the memory budget."""
import os, subprocess, sys
os.environ['TARSIER_PLUGINS'] = os.path.join(os.environ['abs_top_builddir'], 'tests/extractors/.libs')
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

PATIENCE_S = 30  # half of the time limit of the other files


def n_pending():
    return query("SELECT count(*) FROM inode WHERE state = 1")[0][0]


def is_found(name):
    done = subprocess.run(['tarsier', 'search', '-l', '"all is fine"', 'name:' + name], capture_output=True, text=True)
    return done.stdout.strip() == f'{TREE}/{name}.txt'


os.makedirs(TREE)
configure()
daemon = Daemon()
daemon.sync()
for count, size in ((4, 1), (8, 24 << 20)):
    before = n_pending()
    for i in range(count):
        write(f'long-{size}-{i}.md', f'hang\n{i} ' + 'x' * size)
    ok(wait_until('all are known', lambda: n_pending() == before + count, PATIENCE_S),
       f'{count} files of {size} bytes that take long to convert are known')
    for i in range(3):
        write(f'saved{i}of{size}.txt', f'fine\n{i} {size}')
        ok(wait_until('the small file is found', lambda: is_found(f'saved{i}of{size}'), PATIENCE_S),
           f'small file {i} is found while {count} files of {size} bytes are converted', daemon.status())
    equal(n_pending(), before + count,
          f'{count} files of {size} bytes are still being converted when the small files are found')
daemon.stop()
finish()
