# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a daemon tells in a few lines when it started, read its configuration, finished the
first index and stopped; the command lines of its extractors can be read in ps(1)."""
import os, re, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

for i in range(30):
    write(f'{i}.txt', f'text {i}')
write('page.html', '<html><body>a page</body></html>')
os.makedirs(HOME + '/more')
configure()


def lines(pattern):
    return [line for line in log_text().splitlines() if re.fullmatch('tarsierd: ' + pattern, line)]


def told(pattern, times, name):
    ok(wait_until(name, lambda: len(lines(pattern)) == times), name, log_text())


daemon = Daemon()
told(r'version \S+ has started: 1 directory is watched', 1, 'the start is logged with version and number of directories')
daemon.sync()
told(r'the first index is complete: 31 files', 1, 'the end of the first index is logged')
commands = [subprocess.run(['ps', '-ww', '-o', 'args=', '-p', str(child)], capture_output=True, text=True).stdout.strip() for child in children(daemon.process.pid)]
commands = [command for command in commands if 'tarsier-extract' in command]
ok(commands and all(len(command) < 400 and '=application/' not in command for command in commands), 'the command line of an extractor is short', commands)
configure([TREE, HOME + '/more'])
told(r'the configuration is read again: 2 directories are watched', 1, 'a reload is logged')
write('new.txt', 'new')
daemon.sync()
daemon.stop()
told('stopping', 1, 'the stop is logged')
daemon = Daemon()
daemon.sync()
daemon.stop()
told(r'the first index is complete.*', 1, 'the end of the first index is logged once in the life of an index')
once = subprocess.run(['tarsierd', '--once'], capture_output=True, text=True)
equal((once.returncode, once.stderr), (0, ''), 'a single pass logs none of this')
finish()
