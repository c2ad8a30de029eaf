# SPDX-License-Identifier: GPL-3.0-or-later
"""A site without any directory: nobody is told that nothing is watched."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

site = Site({'/': Page('<p>walnut')})
configure_sources({site.origin + '/': {'kind': 'site'}}, roots='')
daemon = Daemon('-v')


def run(*words):
    done = subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


soon('the page is found', [site.origin + '/'], 'walnut')
agents = {headers['User-Agent'] for _, _, headers, _ in site.log}
ok(len(agents) == 1 and re.fullmatch(r'Tarsier/[0-9.]+ \(\+[^;()]+\)', agents.pop()), 'nothing about the person is told', site.log)
for words, code in ((['status'], 0), (['status', '--check'], 0), (['search', 'chestnut'], 1), (['index'], 0), (['doctor'], None)):
    got, text = run(*words)
    ok('directory is watched;' not in text and 'no directory is watched' not in text and code in (got, None), 'tarsier ' + ' '.join(words), got, text)
ok('while tarsierd runs' in run('index')[1], 'index says what visits sites')
ok('1 site or feed is read' in log_text(), 'the log counts it', log_text())
told = Site({'/': Page('<p>hickory')})
configure_sources({site.origin + '/': {'kind': 'site'}, told.origin + '/': {'kind': 'site', 'contact': 'me@example.org'}}, roots='')
reload()
soon('another site', [told.origin + '/'], 'hickory')
ok(all(headers['User-Agent'].endswith('; me@example.org)') for _, _, headers, _ in told.log), 'its webmaster is told the contact', told.log)
ok(all('me@' not in headers['User-Agent'] for _, _, headers, _ in site.log), 'and nobody else is', site.log)
got, text = run('retry', site.origin + '/')
ok(got == 2 and 'without a name' in text, 'retry says what to do with a page', got, text)
configure_sources({}, roots='')
reload()
ok('no directory is watched' in run('status', '--check')[1], 'without it, status --check says that nothing is watched', run('status', '--check'))
ok('no directory is watched' in run('search', 'chestnut')[1], 'and so does search', run('search', 'chestnut'))
daemon.stop()

# ---- tarsier-fetch is installed while the daemon runs
configure_sources({site.origin + '/': {'kind': 'site'}}, roots='')
installed = os.environ['TARSIER_FETCH']
os.environ['TARSIER_FETCH'] = os.path.join(TMP, 'missing')
daemon = Daemon('-v')
os.environ['TARSIER_FETCH'] = installed
for words in (['status', '--check'], ['doctor']):
    got, text = run(*words)
    ok(got != 0 and 'started without tarsier-fetch' in text, 'tarsier ' + ' '.join(words) + ' says that the daemon must be restarted', got, text)
daemon.stop()
daemon = Daemon('-v')
ok('without tarsier-fetch' not in run('status', '--check')[1] + run('doctor')[1], 'after a restart nobody says so')
daemon.stop()
finish()
