# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a daemon tells in a few lines when it started, read its configuration, finished the
first index and stopped; the command lines of its extractors can be read in ps(1)."""
import os, re, shutil, signal, subprocess, sys
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


def index_anew(root):
    shutil.rmtree(Daemon.index)
    configure([root])
    daemon = Daemon()
    daemon.sync()
    configure([root, HOME + '/more'])
    daemon.sync()
    return daemon


os.makedirs(HOME + '/single')
with open(HOME + '/single/one.txt', 'w') as f:
    f.write('one')
index_anew(HOME + '/single').stop()
told('the first index is complete: 1 file', 1, 'a single file is one')
if in_german := german_variables():
    os.environ.update(in_german)
    index_anew(HOME + '/single').stop()
    told(r'Version \S+ ist gestartet: 1 Verzeichnis wird überwacht', 1, 'the start is logged in German')
    told('die Konfiguration ist erneut gelesen: 2 Verzeichnisse werden überwacht', 1, 'a reload is')
    told('der erste Index ist fertig: 1 Datei', 1, 'the end of the first index is')
    told('wird beendet', 1, 'the stop is')
    index_anew(TREE).stop()
    told('der erste Index ist fertig: 32 Dateien', 1, 'several files are')
else:
    skip('the log in German', 'needs msgfmt')
finish()
