# SPDX-License-Identifier: GPL-3.0-or-later
"""What was opened for the same words before comes first; it can be forgotten and turned off."""
import os, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier, wait_until

home, scratch = os.environ['HOME'], os.environ['TEST_TMP']
docs, bin, log = home + '/docs', scratch + '/bin', scratch + '/log'
memory = os.environ.get('XDG_DATA_HOME', home + '/.local/share') + '/tarsier/opened'

os.makedirs(docs)
os.makedirs(bin)
with open(bin + '/viewer', 'w') as f:
    f.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{log}.part"; mv "{log}.part" "{log}"\n')
os.chmod(bin + '/viewer', 0o755)
for name in ('gio', 'xdg-open'):
    os.symlink('viewer', f'{bin}/{name}')
os.environ['PATH'] = bin + ':' + os.environ['PATH']
for name in ('DISPLAY', 'WAYLAND_DISPLAY'):
    os.environ.pop(name, None)

# The heron is in the first often, in the second less often, and in the third once among much else.
for name, text in (('first.txt', 'heron lake. ' * 8), ('second.txt', 'heron lake. ' * 3 + 'reed and water. ' * 6),
                   ('third.txt', 'heron lake ' + 'other words of a long text. ' * 400)):
    with open(f'{docs}/{name}', 'w') as f:
        f.write(text)
with zipfile.ZipFile(docs + '/box.zip', 'w') as z:
    z.writestr('one.txt', 'bittern ' * 5)
    z.writestr('two.txt', 'bittern and much about reed')
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)


def names(*words):
    return [os.path.basename(line) for line in tarsier('search', *words)[1].splitlines()]


def opened(*args):
    if os.path.exists(log):
        os.remove(log)
    got = tarsier(*args)
    ok('%s opens the viewer' % ' '.join(args), got[0] == 0 and wait_until('the viewer is called', lambda: os.path.exists(log)), got)


before = names('heron')
ok('without a choice the words decide', before == ['first.txt', 'second.txt', 'third.txt'], before)
ok('a search notes nothing', not os.path.exists(memory))
opened('open', '2')
ok('what was opened comes first the next time', names('heron') == ['second.txt', 'first.txt', 'third.txt'], names('heron'))
ok('case and white space of the words do not count', names(' HERON ')[0] == 'second.txt', names(' HERON '))
ok('other words keep their order', names('lake')[0] == 'first.txt', names('lake'))
ok('another order is not touched', names('-s', 'name', 'heron') == ['first.txt', 'second.txt', 'third.txt'])
ok('only the user reads what was opened', os.stat(memory).st_mode & 0o777 == 0o600)
ok('the words are not written down', b'heron' not in open(memory, 'rb').read())

opened('search', '--open=3', 'heron')
ok('a choice does not put a hit first that says much less', names('heron')[0] == 'second.txt' and names('heron')[-1] == 'third.txt', names('heron'))
names('bittern')
opened('open', '2')
ok('a member that was opened comes first', names('bittern')[0].endswith('two.txt'), names('bittern'))

opened('open', docs + '/first.txt')
ok('a file that is named is not a choice', names('heron')[0] == 'second.txt')

os.rename(docs + '/second.txt', docs + '/moved.txt')
subprocess.run(['tarsier', '-q', 'index'], check=True)
ok('a choice whose file is gone changes nothing', names('heron') == ['first.txt', 'moved.txt', 'third.txt'], names('heron'))
tarsier('compact', '--scrub')
kept = open(memory, 'rb').read()
ok('compact --scrub removes files that are gone', b'second.txt' not in kept and b'third.txt' in kept, kept)

# ---- forgetting
got = tarsier('open', '--forget', '1')
ok('open --forget N is refused: it would forget all of them', got[0] == 2 and 'takes no argument' in got[2] and os.path.exists(memory), got)
got = tarsier('open', '--forget')
ok('open --forget removes what was noted', got[0] == 0 and not os.path.exists(memory), got)
ok('open --forget again is not an error', tarsier('open', '--forget')[0] == 0)
got = tarsier('open')
ok('open without an argument says what it needs', got[0] == 2 and 'open needs' in got[2], got)
subprocess.run(['tarsier', '-q', 'config', 'set', 'search.remember-opened', 'false'], check=True)
names('heron')
opened('open', '2')
ok('nothing is noted where that is turned off', not os.path.exists(memory))
subprocess.run(['tarsier', '-q', 'config', 'set', 'search.remember-opened', 'true'], check=True)

# ---- a damaged file
for what, bytes in (('empty', b''), ('too short', b'x' * 7), ('without an end', b'123\0abc\0/a'), ('of NULs', bytes(500)),
                    ('of other bytes', os.urandom(4096)), ('too large', bytes(9 << 20))):
    with open(memory, 'wb') as f:
        f.write(bytes)
    ok(f'a file of choices that is {what} changes nothing', names('heron') == ['first.txt', 'moved.txt', 'third.txt'], names('heron'))
opened('open', '2')
ok('it is replaced by the next choice', names('heron')[0] == 'moved.txt', names('heron'))
done_testing()
