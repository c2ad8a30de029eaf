# SPDX-License-Identifier: GPL-3.0-or-later
"""The index lies below a root, is mounted there again and has hard links there: the daemon never
opens its own files by any of these names (closing one would drop SQLite's locks), and no second
daemon starts meanwhile."""
import os, re, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
os.environ['XDG_RUNTIME_DIR'] = os.environ['HOME'] + '/run'
os.makedirs(os.environ['XDG_RUNTIME_DIR'], 0o700, exist_ok=True)
import namespaced
from daemontest import *

os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'  # LeakSanitizer does not work under strace
trace = TMP + '/trace'
tracer = ['strace', '-f', '-y', '-qq', '-o', trace, '-e', 'trace=open,openat,openat2']
if not shutil.which('strace') or subprocess.run([*tracer, 'true'], capture_output=True).returncode != 0:
    skip_all('needs strace')
write('file', 'an ordinary file')
configure([HOME], hidden='*')
daemon = Daemon()
daemon.sync()
subprocess.run(['tarsier', 'search', 'ordinary'], capture_output=True, timeout=60)
daemon.sync()
listed = subprocess.run(['tarsier', 'list', os.environ['XDG_RUNTIME_DIR']], capture_output=True, text=True, timeout=60).stdout
equal(re.findall('.*/tarsier/.*', listed), [], 'the directory of the socket, to which a search writes, is not entered')
daemon.stop()
daemon = Daemon(wrapper=tracer)  # the program would not start if its own file had a second name
daemon.sync()
for name in ('index.db-shm', 'index.db-wal', 'lock'):
    os.link(f'{Daemon.index}/{name}', f'{TREE}/link-to-{name}')
bound = TREE + '/bound'
os.makedirs(bound)
subprocess.run(['mount', '--bind', Daemon.index, bound], check=True)
daemon.sync()
for i in range(10):
    write(f'more/{i}', f'more {i}')
    os.utime(f'{TREE}/link-to-index.db-shm')
    os.chmod(f'{TREE}/link-to-index.db-wal', 0o600)
    second = subprocess.run(['tarsierd'], capture_output=True, timeout=100)
    if second.returncode != 3:
        break
    daemon.sync()
equal(second.returncode, 3,
      'a second daemon is refused although files of the index have other names below a root')
subprocess.run(['tarsier', 'index', '-q'])
os.kill(daemon.status()['pid'], signal.SIGTERM)
daemon.process.wait(100)
with open(trace, errors='replace') as f:
    lines, begun = [], {}
    for line in f.read().splitlines():  # joins the two lines of an interrupted call
        pid, rest = line.split(None, 1)
        if rest.endswith('<unfinished ...>'):
            begun[pid] = rest
        else:
            lines.append(begun.pop(pid, '') + rest if rest.startswith('<...') else rest)
opened = [line for line in lines if re.search(r'= \d+<.*/(link-to-[^/>]*|bound/[^>]*)>$', line) and 'O_PATH' not in line]
equal(opened, [], 'the daemon opens no file of its own by another name')
crawled = [line for line in lines if 'openat2(' in line and re.search(r'= \d+<.*/share/tarsier/[^>]*>$', line) and 'O_PATH' not in line]
equal(crawled, [], 'the daemon opens no file of its own for indexing')
ok([line for line in lines if re.search(r'= \d+</.*/more/9>$', line)],
   'the daemon opens other files for indexing', *lines[-20:])
finish()
