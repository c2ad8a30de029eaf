# SPDX-License-Identifier: GPL-3.0-or-later
"""The disk of the index gets full while a site is read, without a reserve: pages are not asked again
and again, nothing is lost, and the crawl goes on as soon as there is room; so do local files. Runs in
a name space of its own. SEED repeats the texts."""
import os, random, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
import namespaced
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

seed = int(os.environ.get('SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# SEED={seed}', flush=True)
DISK = os.path.dirname(Daemon.index)
FILLER = DISK + '/filler'
os.makedirs(DISK)
subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=48m', 'none', DISK], check=True)


def fill_bytes():
    with open(FILLER, 'ab', buffering=0) as f:
        for size in (65536, 512):
            try:
                while f.write(b'\0' * size):
                    pass
            except OSError:
                pass


def text(name, words=30000):
    return f'<title>{name}</title><p>walnut {name} ' + ' '.join(f'{rng.randrange(1 << 40):x}' for _ in range(words))


def settled():
    """Has the daemon asked all that was due?"""
    return request('status')['state'] == 'idle'


PAGES = 4
site = Site({'/robots.txt': Page('', 404)})
start = site.origin + '/'
site.pages['/'] = Page('<p>walnut start ' + ' '.join(f'<a href="/{i}.html">{i}</a>' for i in range(PAGES)))
for i in range(PAGES):
    site.pages[f'/{i}.html'] = Page(text(f'page{i}'))
urls = [start] + [f'{start}{i}.html' for i in range(PAGES)]
configure_sources({start: {'kind': 'site'}}, '[daemon]\ndisk-reserve = 0\n')
local = write('before.txt', 'walnut before')
daemon = Daemon('-v')
wait_until('the first pages are asked', lambda: len(site.log) >= 3)
fill_bytes()
ok(wait_until('the disk is full', lambda: daemon.status()['disk_full'], 60), 'the status reports the full disk', daemon.status(), log_text())
asked = len(site.log)
later = write('later.txt', 'walnut ' + ' '.join(f'{rng.randrange(1 << 40):x}' for _ in range(30000)))
let_time_pass(12, 'what is asked on a full disk is asked within the waits of politeness')
ok(len(site.log) <= asked + 1, 'nothing is asked while the disk is full', [entry[1:2] for entry in site.log])
ok(daemon.status()['disk_full'], 'the status still reports the full disk', daemon.status())
ok('no-network' not in str(query('SELECT failure FROM web_root')) and query('SELECT max(backoff) FROM web_host') == [(0,)],
   'the host is not blamed', query('SELECT failure FROM web_root'), query('SELECT backoff FROM web_host'))
asked = len(site.log)
os.unlink(FILLER)
watch = Stopwatch(daemon.process)
wait_until('local files are found', lambda: len(found('walnut', 'source:file')) == 2, 60)
ok(watch.seconds() < 20, 'local files are found soon after there is room, not after minutes', watch.seconds(), log_text())
# an answer that the full disk lost may have taken all that time, and the host is left alone for ten times as long
soon('all pages are found', urls + [local, later], 'walnut', seconds=220)
paths = [path for _, path, _, _ in site.log]
ok(all(paths.count(path) <= 2 for path in paths), 'no page is asked more than once more', paths)
polite('no request is early', site)
ok(not daemon.status()['disk_full'], 'the status reports no full disk any more', daemon.status())

# ---- the disk is full for local files alone
for files in range(1, 31):  # what the index has freed may have room for the first ones
    fill_bytes()
    write(f'third{files}.txt', ' '.join(f'{rng.randrange(1 << 40):x}' for _ in range(60000)) + ' chestnut')
    wait_until('the file is found or the disk is full', lambda: daemon.status()['disk_full'] or len(found('chestnut')) == files, 60)
    if daemon.status()['disk_full']:
        break
ok(daemon.status()['disk_full'], 'the status reports the disk that is full again', files, daemon.status(), log_text())
let_time_pass(16, 'by then the time to the next try has doubled')
os.unlink(FILLER)
watch = Stopwatch(daemon.process)
wait_until('the file is found', lambda: len(found('chestnut')) == files, 60)
ok(watch.seconds() < 9, 'a local file is found soon after there is room again', watch.seconds(), log_text())
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
