# SPDX-License-Identifier: GPL-3.0-or-later
"""A page that must not be kept is converted for others too, which have the same bytes: a local file,
and a page of another site. They are found, and it is not."""
import contextlib, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

BODY = '<title>Equal</title><p>' + 'walnut hazelnut chestnut ' * 100000
forbidding = Site({'/': Page(BODY, X_Robots_Tag='noindex')})
allowing = Site({'/': Page(BODY)})
secret, shown = forbidding.origin + '/', allowing.origin + '/'
local = os.path.join(TREE, 'local.html')
aside = os.path.join(HOME, 'aside.html')
with open(aside, 'w') as f:
    f.write(BODY)
os.environ['TARSIER_DEBUG'] = 'job'
configure_sources({})
daemon = Daemon('-v')
daemon.sync()
extractors = []


def read(what):
    return log_text().count(what)


def signal_extractors(number):
    for pid in extractors:
        with contextlib.suppress(ProcessLookupError):  # one that has just ended
            os.kill(pid, number)


def hold():
    """Stops the children that convert as soon as the page is read."""
    if read('/web/1/page') == 0:
        return False
    extractors.extend(child for program in children(daemon.process.pid) for child in all_children(program))
    signal_extractors(signal.SIGSTOP)
    return bool(extractors)


configure_sources({secret: {'kind': 'site'}})
reload()
wait_until('the page is read', hold, 30, 0.0005)
os.rename(aside, local)
wait_until('the file is read', lambda: read('/local.html') > 0)
configure_sources({secret: {'kind': 'site'}, shown: {'kind': 'site'}})
reload()
wait_until('the other page is read', lambda: read('/web/2/page') > 0)
let_time_pass(0.5, 'the loader reads bytes, which nobody can see')
signal_extractors(signal.SIGCONT)
soon('the file and the page that may be kept are found', [local, shown], 'walnut')
wait_until('no page waits', lambda: query('SELECT count(*) FROM inode WHERE state = 1') == [(0,)])
equal(found('walnut'), sorted([local, shown]), 'the page that must not be kept is not found')
equal(query('SELECT count(*) FROM web_page'), [(1,)], 'it has no row')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
