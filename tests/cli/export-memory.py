# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader that stops holds up the stream, whose memory has a limit that the number of documents does not change: it waits
with one batch of small files (export-texts.h). And small files share children of the sandbox however many directories they
are in, as in the index."""
import array, fcntl, json, os, re, subprocess, sys, termios
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier, wait_until

TREE = os.environ['HOME'] + '/docs'
FEW, MANY, BYTES = 160, 480, 30000  # the first are more than one batch
PIPE_BYTES, GROWTH_KIB = 64 << 10, 6 << 10


def write(number):
    os.makedirs(f'{TREE}/notes/{number}', exist_ok=True)
    with open(f'{TREE}/notes/{number}/{number}.txt', 'w') as f:
        f.write(' '.join(f'heron{number}x{i % 97}' for i in range(BYTES // 12)) + '\n')


def waiting(fd):
    """How many bytes nobody has read yet."""
    n = array.array('i', [0])
    fcntl.ioctl(fd, termios.FIONREAD, n)
    return n[0]


def anonymous_kib(pid):
    with open(f'/proc/{pid}/status') as f:
        return int(re.search(r'RssAnon:\s*(\d+)', f.read())[1])


def stopped_export(lines):
    """The memory of an export whose reader stops after so many lines, and what it says in the end."""
    process = subprocess.Popen(['tarsier', 'export', '--to', '-'], stdout=subprocess.PIPE, bufsize=0)
    fcntl.fcntl(process.stdout.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    reader, seen = process.stdout.fileno(), b''
    while seen.count(b'\n') < lines:
        seen += os.read(reader, 4096)
    wait_until('the pipe is full', lambda: waiting(reader) >= PIPE_BYTES - 4096)
    kib = anonymous_kib(process.pid)
    seen += process.stdout.read()
    return kib, json.loads(seen.splitlines()[-1]), process.wait()


for number in range(FEW):
    write(number)
subprocess.run(['tarsier', '-q', 'add', TREE], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
few, end, code = stopped_export(FEW // 2)
ok('an export goes on when it is read again', (code, end['documents'], end['without_text']) == (0, FEW, 0), (code, end))
for number in range(FEW, MANY):
    write(number)
subprocess.run(['tarsier', '-q', 'index'], check=True)
many, end, code = stopped_export(MANY // 2)
ok('so does one of more documents', (code, end['documents'], end['without_text']) == (0, MANY, 0), (code, end))
ok('its memory does not grow with the number of documents', many - few < GROWTH_KIB, (few, many))
code, out, err = tarsier('export', '--to', '-', env={'TARSIER_DEBUG': 'converter'})
children = len(re.findall(r'converter: child \d+', err))
ok('files of many directories share children', 0 < children < MANY // 4, children)
done_testing()
