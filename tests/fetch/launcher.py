# SPDX-License-Identifier: GPL-3.0-or-later
"""A confined client has a launcher start tarsier-fetch: it answers as one that was started directly,
dies and hangs without harm, and ends with its client."""
import json, os, signal, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

server = Server({'/': page(b'a page')})
here = place(server.url)


def ask(client, **values):
    return client.ask(server.url + '/', local=here, **values)


def gone(*pids):
    return wait_until('they have ended', lambda: not any(os.path.exists(f'/proc/{pid}') for pid in pids), 60)


alone = Client('--confined')
ok(ask(alone).error in ('failed', 'connect'), 'a confined client cannot fetch by itself')
alone.end()
client = Client('--confined', '--launcher')
equal(ask(client).status, 200, 'a page is fetched by what a launcher starts')
with open(f'/proc/{client.launcher()}/status') as f:
    state = dict(line.split(':\t') for line in f.read().splitlines() if ':\t' in line)
equal((state['NoNewPrivs'].strip(), state['Seccomp'].strip()), ('1', '2'), 'the launcher has no new privileges, and a filter')

# ---- deaths of the program
first = client.program()
os.kill(first, signal.SIGKILL)
gone(first)
equal(ask(client).status, 200, 'a program that was killed is reaped, and started again')
second = client.program()
ok(second and second != first, 'as another process', first, second)
os.kill(second, signal.SIGSTOP)
equal(ask(client, seconds=1).error, 'failed', 'a program that does not respond is given up')
ok(gone(second), 'and killed')
equal(ask(client).status, 200, 'and replaced')
equal(client.end(), 0, 'the client ends without a fault')

# ---- a program that cannot work
silent = os.path.join(TMP, 'silent')
with open(silent, 'w') as f:
    f.write('#!/bin/sh\nexec sleep 1000\n')
os.chmod(silent, 0o700)
for options in ((), ('--confined', '--launcher')):
    waiting = Client(*options, TARSIER_FETCH=silent)
    waiting.submit(server.url + '/', local=here)
    wait_until('the program is started', lambda: waiting.program() is not None)
    equal(waiting.ask('ftp://example.com/').error, 'invalid', f'the client goes on while the program starts {options}')
    waiting.end()
other = Client('--confined', '--launcher', TARSIER_FETCH='/bin/true')
answer = ask(other)
ok(answer.error == 'failed' and 'exited' in answer.detail, 'another program fails the request', answer)
other.end()
weak = os.path.join(TMP, 'weak-fetch')
with open(weak, 'w') as f:
    f.write(f"#!/bin/sh\nexec '{BUILD}/tests/extractors/weaken' landlock_restrict_self '{PROGRAM}' \"$@\"\n")
os.chmod(weak, 0o700)
other = Client('--confined', '--launcher', TARSIER_FETCH=weak)
answer = ask(other)
ok(answer.error == 'failed' and 'sandbox' in answer.detail, 'one that cannot be confined says why', answer)
other.end()

# ---- ends
orphan = Client('--confined', '--launcher')
equal(ask(orphan).status, 200, 'a page is fetched')
left = orphan.launcher(), orphan.program()
os.kill(left[0], signal.SIGTERM)
orphan.process.kill()
orphan.process.wait()
ok(gone(*left), 'launcher and program end with the client, whatever it dies of')
client = Client('--confined', '--launcher')
equal(ask(client).status, 200, 'a page is fetched')
program = client.program()
os.kill(client.launcher(), signal.SIGKILL)
equal(ask(client).status, 200, 'a program survives its launcher')
os.kill(program, signal.SIGKILL)
answer = ask(client)
equal(answer.error, 'failed', 'without both, a request fails')
answer = ask(client)
ok('restart' in answer.detail, 'with what to do', answer)
client.end()

# ---- the daemon
configure()
os.makedirs(TREE)
daemon = Daemon()
daemon.sync()
pid = launcher(daemon.process.pid)
ok(pid is not None, 'the daemon has a launcher')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True).stdout)
said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
equal(status['launcher'], 'full', 'status --json names its level')
ok('ok  confinement: launcher of tarsier-fetch: full\n' in said, 'doctor does too', said)
with open(f'/proc/{pid}/smaps_rollup') as f:
    own = sum(int(line.split()[1]) for line in f if line.startswith(('Private_Dirty:', 'Private_Clean:')))
print(f'# the launcher has {own} KiB of its own')
equal(sorted(os.listdir(f'/proc/{pid}/fd')), ['0', '1', '2', '3'], 'it holds no descriptor of the daemon')
daemon.stop()
ok(gone(pid), 'it ends with the daemon')
daemon = Daemon()
daemon.sync()
pid = launcher(daemon.process.pid)
os.kill(daemon.process.pid, signal.SIGKILL)
daemon.process.wait()
ok(gone(pid), 'and when the daemon is killed')
without = Daemon(wrapper=[shutil.which('env'), 'TARSIER_FETCH=/nonexistent'])
without.sync()
equal(launcher(without.process.pid), None, 'there is none where tarsier-fetch is not installed')
status = json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True, text=True).stdout)
equal(status['launcher'], None, 'and status says so')
without.stop()

# ---- standard streams that are closed: the socket to the launcher gets the number of one
for closed in ('2>&-', '1>&- 2>&-', '0<&- 1>&- 2>&-'):
    once = subprocess.Popen(['sh', '-c', f'exec tarsierd --once {closed}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ended = wait_until('the pass has ended', lambda: once.poll() is not None, 60)
    if not ended:
        once.kill()
    ok(ended, f'a single pass that was started with {closed} ends')
finish()
