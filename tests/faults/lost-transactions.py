# SPDX-License-Identifier: GPL-3.0-or-later
"""A chosen statement fails within a transaction: whoever asked, and whether or not he can do
without the answer, the transaction is lost as a whole, and everything in it is compared again."""
import contextlib, os, signal, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/no-statement.so')
linked = subprocess.run(['ldd', subprocess.run(['which', 'tarsierd'], capture_output=True, text=True).stdout.strip()], capture_output=True, text=True).stdout
if not os.path.exists(library) or 'asan' in linked:
    skip_all('statements cannot fail here')
switch = os.path.join(Daemon.index, 'statement')  # the confined daemon reads and removes it there


def fail(text):
    """The next statement with this text fails."""
    with open(switch + '.new', 'w') as f:
        f.write(text)
    os.rename(switch + '.new', switch)


def has_failed():
    return wait_until('the statement fails', lambda: not os.path.exists(switch))


def long_page(number):
    return '<html><body>' + ''.join(f'<p><b>word{i} of {number}</b> and more</p>\n' for i in range(200000)) + '</body></html>'


def send(processes, number):
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def stop_conversion():
    """Returns the processes that convert, which are stopped."""
    if not wait_until('a page is in work', lambda: daemon.status()['converting'] > 0, every=0.001):
        return []
    found = [child for program in children(daemon.process.pid) for child in children(program)]
    send(found, signal.SIGSTOP)
    wait_until('everything else is done', lambda: daemon.status()['dirty'] == 0)
    return found


os.makedirs(TREE)
configure()
write('page.html', 'a short page')
daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'NO_STATEMENT={switch}'])
daemon.sync()
(node,), = query('SELECT id FROM node WHERE name = ?', b'page.html')
# While a page is in work, only the status reads its row.
for number in range(3):
    write('page.html', long_page(number))
    stopped = stop_conversion()
    fail(f'WHERE n.id = {node}')
    write(f'new/{number}.txt', f'the text {number}')
    ok(has_failed(), f'the row of the page cannot be read for the status ({number})')
    send(stopped, signal.SIGCONT)
    daemon.sync()
    same(f'a new file is found although the transaction with its row was lost ({number})')
daemon.stop()
finish()
