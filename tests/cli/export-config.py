# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports that the configuration names: what is refused before anything is sent, and who is told."""
import json, os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier

HOME = os.environ['HOME']
CONFIG = tarsier('config', 'path')[1].strip()
FILE = HOME + '/credentials'
os.makedirs(os.path.dirname(CONFIG), exist_ok=True)
os.makedirs(HOME + '/docs')
with open(HOME + '/docs/otter.txt', 'w') as f:
    f.write('The otter swims.\n')


def configure(text):
    with open(CONFIG, 'w') as f:
        f.write(f'[index]\nroots = {HOME}/docs\n' + text)


def credentials(data, mode=0o600):
    if os.path.lexists(FILE):
        os.rmdir(FILE) if os.path.isdir(FILE) else os.unlink(FILE)
    if data is not None:
        with open(os.open(FILE, os.O_WRONLY | os.O_CREAT, mode), 'wb') as f:
            os.fchmod(f.fileno(), mode)
            f.write(data)


def doctor():
    return [row for row in map(json.loads, tarsier('doctor', '--json')[1].splitlines()) if row['check'] == 'exports']


NOWHERE = f'postgresql:///search?host={HOME}/nowhere'
configure('')
tarsier('-q', 'index')
code, _, err = tarsier('export', 'team')
ok('an export without a section is refused', code == 2 and '[export team]' in err, (code, err))
ok('so is a name that is none', tarsier('export', 'a/b')[0] == 2 and tarsier('export', '../x', '--follow')[0] == 2)
configure('[export team]\n')
code, _, err = tarsier('export', 'team')
ok('a section without a target is refused', code == 2 and 'to = ' in err, (code, err))
ok('and doctor says so', [(row['ok'], 'to = ' in row['detail']) for row in doctor()] == [(False, True)], doctor())

configure('[export out]\nto = -\n')
code, out, err = tarsier('export', 'out', '--no-text')
ok('the section tells the target', code == 0 and json.loads(out.splitlines()[-1])['documents'] == 1, (code, out, err))
for option in (['--to', '-'], ['--name', 'x'], ['--credentials', FILE]):
    code, _, err = tarsier('export', 'out', *option)
    ok(f'the section and {option[0]} exclude each other', code == 2 and '[export out]' in err, (code, err))

for option in ('--setup', '--verify'):
    for target in (['out'], ['--to', '-']):
        code, out, err = tarsier('export', *target, option)
        ok(f'standard output has nothing for {option} ({target[0]})', code == 2 and out == '' and option in err, (code, out, err))
code, _, err = tarsier('search', '--at', 'out', 'otter')
ok('standard output cannot be searched', code == 2 and '[export out]' in err, (code, err))

# ---- credentials
configure(f'[export team]\nto = {NOWHERE}\ncredentials = ~/credentials\n')
GOOD = b'# who we are\nuser = tarsier\n\npassword = a = "b" \\ c\n'
bad = [
    ('a file that is missing', None, 0o600, 'No such file'),
    ('a file that the world may read', GOOD, 0o604, 'mode to 600'),
    ('a file that the group may read', GOOD, 0o640, 'mode to 600'),
    ('a file that others may change', GOOD, 0o602, 'mode to 600'),
    ('an empty file', b'', 0o600, 'user and password'),
    ('a user without a password', b'user = x\n', 0o600, 'user and password'),
    ('a password without a user', b'password = secret\n', 0o600, 'user and password'),
    ('both kinds at once', GOOD + b'api-key = k\n', 0o600, 'not both'),
    ('a name twice', GOOD + b'user = y\n', 0o600, 'line 5'),
    ('an unknown name', b'user = x\npassword = secret\npasswort = secret\n', 0o600, 'line 3'),
    ('a line that is none', b'secret\n', 0o600, 'line 1'),
    ('an empty value', b'user =\npassword = secret\n', 0o600, 'line 1'),
    ('a control character', b'user = x\npassword = a\x07secret\n', 0o600, 'line 2'),
    ('a carriage return inside', b'api-key = a\rX-Other: secret\n', 0o600, 'line 1'),
    ('a NUL', b'user = x\npassword = sec\0ret\n', 0o600, 'UTF-8'),
    ('bytes that are not text', b'user = x\npassword = \xff\xfe\n', 0o600, 'UTF-8'),
    ('a file without an end', b'#' * 70000, 0o600, 'too large'),
    ('an API key for a database', b'api-key = secret\n', 0o600, 'api-key'),
]
for name, data, mode, why in bad:
    credentials(data, mode)
    for options in ([], ['--follow']):
        code, out, err = tarsier('export', 'team', *options)
        ok(f'{name} is refused{" (followed)" if options else ""}', code == 2 and why in err and not out and 'secret' not in err, (code, out, err))
credentials(None)
os.mkdir(FILE)
code, _, err = tarsier('export', 'team')
ok('a directory is refused', code == 2 and 'not a file' in err, (code, err))
credentials(None)
os.mkfifo(FILE, 0o600)
code, _, err = tarsier('export', 'team')
ok('a pipe is refused, and nothing waits for it', code == 2 and 'not a file' in err, (code, err))
credentials(GOOD, 0o644)
ok('doctor tells of credentials that others can read', [(row['ok'], 'mode to 600' in row['detail']) for row in doctor()] == [(False, True)], doctor())
credentials(GOOD)
code, _, err = tarsier('export', 'team')
ok('good ones are taken, and the target is asked', code == 75 and 'PostgreSQL' in err, (code, err))
code, _, err = tarsier('export', '--to', NOWHERE, '--credentials', FILE)
ok('so are those of --credentials', code == 75 and 'PostgreSQL' in err, (code, err))
os.chdir(HOME)
code, _, err = tarsier('export', '--to', NOWHERE, '--credentials', 'credentials')
ok('their path may be relative', code == 75 and 'PostgreSQL' in err, (code, err))
os.chmod(FILE, 0o644)
code, _, err = tarsier('export', '--to', NOWHERE, '--credentials', FILE)
ok('which are checked too', code == 2 and 'mode to 600' in err, (code, err))
os.chmod(FILE, 0o600)
configure(f'[export team]\nto = {NOWHERE}\ncredentials = credentials\n')
code, _, err = tarsier('export', 'team')
ok('a path that depends on the current directory is refused', code == 2 and '~/' in err, (code, err))

# ---- who is told
configure(f'[export]\ncredentials = ~/credentials\n[export team]\nto = {NOWHERE}\n[export b.2]\nto = -\n')
status = json.loads(tarsier('status', '--json')[1])
ok('status lists exports that nobody has started', status['idle_exports'] == ['b.2', 'team'] and status['exports'] == [], status)
ok('for people too', 'team: follows no changes' in tarsier('status')[1], tarsier('status')[1])
ok('doctor says how to start them', [(row['ok'], 'tarsier-export@' in row['detail']) for row in doctor()] == [(True, True)] * 2, doctor())
listed = tarsier('config', 'list', '--origin')[1]
ok('config lists the keys of a section', f'export team.to={NOWHERE}\t' in listed and 'export b.2.to=-\t' in listed and f'export.credentials=~/credentials\t' in listed, listed)
ok('config gets and sets them', tarsier('config', 'set', 'export b.2.to', 'postgresql://h/d')[0] == 0 and tarsier('config', 'get', 'export b.2.to')[1] == 'postgresql://h/d\n'
   and '[export b.2]\nto = postgresql://h/d' in open(CONFIG).read().replace('to=', 'to = '), open(CONFIG).read())
ok('keys for all apply where a section has none', tarsier('config', 'get', 'export team.credentials')[1] == '~/credentials\n')
configure('[export team]\nto = -\nfrom = x\n')
code, _, err = tarsier('config', 'check')
ok('an unknown key of a section is told with its line', code == 0 and ':5:' in err and 'from' in err, (code, err))
done_testing()
