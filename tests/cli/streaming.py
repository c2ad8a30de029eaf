# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits are shown before their snippets, snippets of one format do not wait for the extractors of another, and the
time that is told is the time that passed."""
import io, json, os, pty, re, shutil, subprocess, sys, tarfile, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import wait_until

home, scratch = os.environ['HOME'], os.environ['TEST_TMP']
docs, bin_dir = home + '/docs', scratch + '/bin'
tests = 0


def ok(good, name, why=''):
    global tests
    tests += 1
    print(f'{"ok" if good else "not ok"} {tests} - {name}', flush=True)
    if not good:
        print('# ' + repr(why)[:2000], flush=True)


def write(name, text):
    with open(f'{docs}/{name}', 'w') as f:
        f.write(text)


def stalling(condition):
    """An environment whose extractor program never answers if the shell condition holds; else it is the real one."""
    path = f'{bin_dir}/extract'
    with open(path, 'w') as f:
        f.write(f'#!/bin/sh\nif {condition}; then exec sleep 30; fi\nexec {bin_dir}/real "$@"\n')
    os.chmod(path, 0o755)
    return dict(os.environ, TARSIER_EXTRACT=path, TERM='xterm')


def pieces(args, env, terminal):
    """The output of a search as it came, in pieces, and the time that it took in ms."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    start = time.monotonic()
    client = subprocess.Popen(['tarsier', 'search', *args], env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    out = []
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        out.append(piece.decode())
    os.close(ours)
    client.wait()
    return out, 1e3 * (time.monotonic() - start)


def hits(env, *words):
    lines = subprocess.run(['tarsier', 'search', '--json', *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [line for line in map(json.loads, lines.splitlines()) if line['type'] == 'hit']


def snippet_of(env, word, extension):
    return any(hit['snippets'] for hit in hits(env, word) if hit['path'].endswith(extension))


os.makedirs(docs)
os.makedirs(bin_dir)
shutil.copy(os.environ['TARSIER_EXTRACT'], bin_dir + '/real') # the confined client may run what is beside the script
write('first.txt', 'A lantern hangs at the harbour, and a second lantern at the lantern maker.\n')
write('second.txt', 'Many words come before the only lantern of this text, and as many behind it.\n')
write('third.html', '<title>Third</title><p>A page with a lantern, a boat and a bicycle.')
subprocess.run(['tarsier', '-q', 'add', docs], check=True)
subprocess.run(['tarsierd', '--once'], check=True, stderr=subprocess.DEVNULL)

never = stalling('true')
out = []


def head_comes_alone():
    """The first piece ends before the empty line after the first hit, whose snippet is waited for."""
    global out
    out, _ = pieces(['lantern'], never, True)
    return '/docs/' in out[0] and not re.search('\r?\n\r?\n', out[0])


ok(wait_until('the first hit comes alone', head_comes_alone, 30), 'on a terminal, title and path of a hit come before its snippet is ready', out)
plain, _ = pieces(['--no-snippets', 'lantern'], never, True)
ok(''.join(out) == ''.join(plain) and all(name in ''.join(out) for name in ('first.txt', 'second.txt', 'third.html')),
   'extractors that never answer keep no hit from being shown, once', (out, plain))


def begin_comes_alone():
    global out
    out, _ = pieces(['--json', 'lantern'], never, False)
    return out[0].count('\n') == 1 and '"type":"begin"' in out[0]


ok(wait_until('the line "begin" comes alone', begin_comes_alone, 30), 'with --json, the line "begin" comes before the hits', out)
out, took = pieces(['--json', 'lantern'], never, False)
told = json.loads(''.join(out).splitlines()[-1])['ms']
ok(250 <= told <= took + 1, 'the time told includes the wait for snippets', (told, took))
out, took = pieces(['--json', '--no-snippets', 'lantern'], never, False)
told = json.loads(''.join(out).splitlines()[-1])['ms']
ok(0 <= told <= took + 1, 'and is never more than what passed', (told, took))

with tarfile.open(docs + '/fourth.tar', 'w') as tar:
    member = tarfile.TarInfo('member.txt')
    member.size = 20
    tar.addfile(member, io.BytesIO(b'Yet another lantern.'))
subprocess.run(['tarsierd', '--once'], check=True, stderr=subprocess.DEVNULL)
if any(hit['member'] for hit in hits(os.environ, 'lantern')):
    no_archives = stalling('case "$*" in *archive*) true;; *) false;; esac')
    ok(wait_until('the text has a snippet', lambda: snippet_of(no_archives, 'lantern', '.txt'), 30), 'a text has a snippet while the extractors of archives do not answer')
    ok(not snippet_of(no_archives, 'lantern', '.tar'), 'and a member of an archive is shown without one')
    ok(wait_until('the member has a snippet', lambda: snippet_of(os.environ, 'lantern', '.tar'), 30), 'which it has with all extractors')
else:
    ok(True, 'extractors of different formats # SKIP archives are not built')
print(f'1..{tests}')
