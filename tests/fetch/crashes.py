# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-fetch may die at any time, ends when it has nothing to do or nobody to work for, and does
not grow."""
import os, signal, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

REQUESTS = 10_000
released = threading.Event()


def held(connection):
    released.wait(60)
    connection.sendall(page(b'late'))
    return True


server = Server({'/': page(b'a page'), '/held': held})
here = place(server.url)
client = Client()


def ask(path='/'):
    return client.ask(server.url + path, local=here)


equal(ask().status, 200, 'a page is fetched')
first = client.program()
equal(ask().status, 200, 'and another one')
equal(client.program(), first, 'by the same program')
requests = [client.submit(server.url + '/held', local=here) for _ in range(5)]
wait_until('all are sent', lambda: len(server.requests) == 7)
os.kill(first, signal.SIGKILL)
answers = [client.answer(request) for request in requests]
equal({(answer.error, answer.status, answer.bytes) for answer in answers}, {('failed', 0, 0)}, 'requests in work fail when it is killed')
equal(len(server.requests), 7, 'they are not sent again')
released.set()
equal(ask().status, 200, 'the next request starts it again')
ok(client.program() not in (None, first), 'as another process')

# ---- a program that does not respond
stopped = client.program()
os.kill(stopped, signal.SIGSTOP)
answer = client.ask(server.url + '/', local=here, seconds=1)
equal(answer.error, 'failed', 'a program that does not respond is given up')
equal(ask().status, 200, 'and replaced')
ok(client.program() != stopped, 'by another process')

# ---- the program cannot be started
broken = Client(TARSIER_FETCH='/nonexistent/tarsier-fetch')
answer = broken.ask(server.url + '/', local=here)
equal(answer.error, 'failed', 'a program that is missing fails the request')
ok('/nonexistent/tarsier-fetch' in answer.detail, 'and the reason names it', answer.detail)
broken.end()
for program in ('/bin/true', '/bin/cat'):
    broken = Client(TARSIER_FETCH=program)
    equal(broken.ask(server.url + '/', local=here).error, 'failed', f'so does one that is another program: {program}')
    broken.end()

# ---- ends
short = Client('--idle', '500')
equal(short.ask(server.url + '/', local=here).status, 200, 'a page is fetched')
wait_until('the program has ended', lambda: short.program() is None, 60)
equal(short.program(), None, 'an idle program ends')
equal(short.ask(server.url + '/', local=here).status, 200, 'and starts again when it is needed')
orphan = short.program()
short.process.kill()
short.process.wait()
wait_until('the orphan has ended', lambda: not os.path.exists(f'/proc/{orphan}'), 60)
ok(not os.path.exists(f'/proc/{orphan}'), 'a program whose client is gone ends')


# ---- growth
def resident(pid):
    with open(f'/proc/{pid}/smaps_rollup') as f:
        return next(int(line.split()[1]) for line in f if line.startswith('Pss_Anon:'))


def descriptors(pid):
    return len(os.listdir(f'/proc/{pid}/fd'))


def ask_many(n):
    """Asks as many at a time as fit into the pipe to the client, which may wait until its answers are read."""
    statuses = set()
    for first in range(0, n, 200):
        requests = [client.submit(f'{base}/page{i % 50}.html', local=place(base)) for i in range(first, first + 200)]
        statuses |= {client.answer(request).status for request in requests}
    return statuses


if NGINX:
    many = Nginx('listen 127.0.0.1:{port};')
    base = f'http://127.0.0.1:{many.ports[0]}'
    for i in range(50):
        many.write(f'page{i}.html', b'<p>a page about marmosets' * (100 + i))
else:
    many = Server({f'/page{i}.html': page(b'<p>a page about marmosets' * (100 + i)) for i in range(50)})
    base = many.url
# a batch may be answered by fewer connections than the program may keep
warm = [(ask_many(REQUESTS // 10), descriptors(client.program())) for _ in range(3)]
statuses = set().union(*(batch for batch, _ in warm))
program = client.program()
before = resident(program), max(n for _, n in warm)
for _ in range(7):
    statuses |= ask_many(REQUESTS // 10)
wait_until('closed connections are let go', lambda: descriptors(program) <= before[1] + 4)
after = resident(program), descriptors(program)
print(f'# {REQUESTS} requests: {before} then {after} (KiB, descriptors)')
equal(statuses, {200}, 'ten thousand requests are answered')
equal(client.program(), program, 'by one process')
ok(after[1] <= before[1] + 4, 'it keeps no descriptors', before, after)
if sanitized:
    skip('it does not grow', 'the sanitizer keeps freed memory')
else:
    ok(after[0] <= before[0] + 1024, 'it does not grow', before, after)
equal(client.end(), 0, 'it ends without a fault')
finish()
