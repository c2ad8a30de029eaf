# SPDX-License-Identifier: GPL-3.0-or-later
"""A chosen statement fails within a transaction: whoever asked, and whether or not he can do
without the answer, the transaction is lost as a whole, and everything in it is compared again."""
import contextlib, os, signal, sqlite3, subprocess, sys
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
    """Returns the processes that convert, which are stopped; none if the page was done before."""
    if not wait_until('a page is in work', lambda: daemon.status()['converting'] > 0, every=0.001):
        return []
    found = [child for program in children(daemon.process.pid) for child in children(program)]
    send(found, signal.SIGSTOP)
    wait_until('everything else is done', lambda: daemon.status()['dirty'] == 0)
    if daemon.status()['converting'] > 0:
        return found
    send(found, signal.SIGCONT)
    return []


def convert_slowly(number):
    """Writes a page until it is in work and stays so. Returns the stopped processes."""
    for attempt in range(10):
        write('page.html', long_page(f'{number} {attempt}'))
        if stopped := stop_conversion():
            return stopped
    return []


def tries(path):
    return json.loads(subprocess.run(['tarsier', 'info', '--json', path], capture_output=True).stdout)['tries']


os.makedirs(TREE)
configure()
write('page.html', 'a short page')
daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'NO_STATEMENT={switch}'])
daemon.sync()
(node,), = query('SELECT id FROM node WHERE name = ?', b'page.html')
# While a page is in work, only the status reads its row.
for number in range(3):
    stopped = convert_slowly(number)
    fail(f'WHERE n.id = {node}')
    write(f'new/{number}.txt', f'the text {number}')
    ok(has_failed(), f'the row of the page cannot be read for the status ({number})')
    send(stopped, signal.SIGCONT)
    daemon.sync()
    same(f'a new file is found although the transaction with its row was lost ({number})')

# A change that a client was told of is not lost.
broken = write('broken.docx', b'PK\x03\x04 and nothing more')
daemon.sync()
ok(b'broken.docx' in subprocess.run(['tarsier', 'failed'], capture_output=True).stdout, 'a file cannot be converted')
before = tries(broken)
fail('COMMIT')
done = subprocess.run(['tarsier', 'retry', broken], capture_output=True, text=True)
ok(has_failed(), 'the commit after a retry fails')
daemon.sync()
after = tries(broken)
ok(done.returncode not in (0, 1) or after > before, 'a retry that was lost is not a success', done.returncode, done.stderr, before, after)
done = subprocess.run(['tarsier', 'retry', broken], capture_output=True, text=True)
daemon.sync()
ok(done.returncode == 0 and tries(broken) > after, 'the next one is made', done.stderr)
daemon.stop()

# The plugins are told once, by a request that nobody waits for.
fail("VALUES('plugin text'")
with sqlite3.connect(Daemon.index + '/index.db') as db:
    db.execute("DELETE FROM meta WHERE key IN ('plugin text', 'converters')")
db.close()
daemon = Daemon(wrapper=['env', f'LD_PRELOAD={library}', f'NO_STATEMENT={switch}'])
ok(has_failed(), 'the plugins cannot be used')
daemon.sync()
ok(wait_until('they are recorded', lambda: query("SELECT 1 FROM meta WHERE key = 'plugin text'")), 'the plugins are used again')
daemon.stop()
finish()
