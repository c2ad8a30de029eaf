# SPDX-License-Identifier: GPL-3.0-or-later
"""The service of the search boxes ends when nobody asks, goes on when the process that searches is
killed or the index is damaged, and that process may do nothing but search."""
import os, socket, struct, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *
begin(idle=8)

os.makedirs(DOCS)
os.makedirs(TREE)
with open(DOCS + '/marmoset.txt', 'w') as f:
    f.write('A marmoset eats apples in the garden.\n')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
index = HOME + '/.local/share/tarsier/index.db'


def searcher(pid):
    return next(iter(all_children(pid)), None)


# ---- the end
equal(len(found('marmoset')), 1, 'the service is started by a search')
pid = process()
child = searcher(pid)
equal([name_of(pid), name_of(child)], ['tarsier-bus'] * 2, 'one process is on the bus, and another one searches')
ok(wait_until('the name is free', lambda: not has_owner(), 60), 'without a call the name is given back')
gone = lambda pid: not os.path.exists(f'/proc/{pid}') or open(f'/proc/{pid}/stat').read().split()[2] == 'Z'
ok(wait_until('both processes have ended', lambda: gone(pid) and gone(child)), 'and both processes end')
equal(len(found('marmoset')), 1, 'the next search starts another one')
ok(process() not in (pid, None), 'which has the name')
pid = process()
second = subprocess.run([PROGRAM], capture_output=True, text=True, timeout=60)
equal((second.returncode, second.stderr), (0, ''), 'a second process leaves the name to the first')
os.kill(pid, signal.SIGTERM)
ok(wait_until('it has ended', lambda: gone(pid)), 'SIGTERM ends it')

# ---- the process that searches
found('marmoset')
pid, child = process(), searcher(process())
os.kill(child, signal.SIGKILL)
equal(len(found('marmoset')), 1, 'after it was killed another one searches')
equal(process(), pid, 'for the same service')
os.kill(searcher(pid), signal.SIGSTOP)
stopped = searcher(pid)
waits = subprocess.Popen(['gdbus', 'call', '--session', '-d', NAME, '-o', PATH, '-m', SHELL + '.GetInitialResultSet', "['marmoset']"], stdout=subprocess.PIPE, text=True)
equal(call(RUNNER, 'Actions')[0][0], 'folder', 'while it hangs the service answers')
os.kill(stopped, signal.SIGKILL)
equal(value_of(waits.communicate(timeout=60)[0]), ([DOCS + '/marmoset.txt'],), 'and what it was asked is asked another one')

# ---- a damaged index
with open(index, 'rb') as f:
    whole = f.read()
subprocess.run(['mv', index, index + '.kept'], check=True)
with open(index, 'wb') as f:
    f.write(b'no index at all' * 1000)
equal(found('marmoset'), [], 'a damaged index finds nothing')
equal(metas([DOCS + '/marmoset.txt']), [], 'and tells nothing')
subprocess.run(['mv', index + '.kept', index], check=True)
equal(len(found('marmoset')), 1, 'after its repair it is searched again')

# ---- confinement
library = os.path.join(os.environ['abs_top_builddir'], 'tests/daemon/.libs/probe-confinement.so')
if not os.path.exists(library):
    skip('what it must not do fails', 'there is no library to preload')
elif 'libasan' in subprocess.run(['ldd', PROGRAM], capture_output=True, text=True).stdout:
    skip('what it must not do fails', 'a library is preloaded, which the sanitizer does not allow')
else:
    secret = HOME + '/secret'
    with open(secret, 'w') as f:
        f.write('outside of all roots')
    for name in ('file', 'movable', 'removable'):
        write(name, 'bytes')
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(TREE + '/listener')
    listener.listen()
    abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    abstract.bind('\0' + TREE + '/abstract')
    ours, theirs = socket.socketpair()
    finder = keep(subprocess.Popen([PROGRAM, '--find'], stdin=theirs, env={**os.environ, 'LD_PRELOAD': library, 'PROBE_OUTPUT': TMP + '/probe',
                                                                         'PROBE_DIRECTORY': TREE, 'PROBE_SECRET': secret}))
    theirs.close()
    text = b'marmoset\0'
    # GVariant of ('search', {'text': <'marmoset'>})
    entry = padded(b'text\0', 8) + text + b'\0s' + bytes([5])
    body = padded(b'search\0', 8) + entry + bytes([len(entry)]) + bytes([7])
    ours.sendall(struct.pack('=I', len(body)) + body)
    ours.settimeout(60)
    answer = read_all(ours, struct.unpack('=I', read_all(ours, 4))[0])
    ok(b'marmoset.txt' in answer, 'the process that searches answers', answer)
    ours.close()
    equal(finder.wait(60), 0, 'and ends with its socket')
    with open(TMP + '/probe') as f:
        equal(sorted(line.split()[0] for line in f if 'allowed' in line), [], 'what it must not do fails')
finish()
