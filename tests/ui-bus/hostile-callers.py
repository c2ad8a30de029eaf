# SPDX-License-Identifier: GPL-3.0-or-later
"""Callers of the search boxes that mean harm, or have a fault: wrong types, long texts, floods, many
at once, gone before the answer. Each call is answered once, and the service goes on."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *
begin()

FLOOD, CALLERS = 3000, 20
os.makedirs(DOCS)
for i in range(30):
    with open(f'{DOCS}/marmoset{i}.txt', 'w') as f:
        f.write(f'A marmoset eats {i} apples in the garden.\n')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
c = Connection()


def answered(*ask):
    """The error of a call; None if it has none."""
    serial = c.ask(*ask)
    return c.replies(1)[serial][0]


def all_of(pid):
    return [pid] + [p for child in all_children(pid) for p in all_of(child)]


def kib(pid):
    with open(f'/proc/{pid}/status') as f:
        return int(next(line for line in f if line.startswith('VmHWM')).split()[1])


def goes_on(what):
    equal(len(found('marmoset')), 10, f'after {what} a search is answered')


# ---- wrong types and names
wrong = [('GetInitialResultSet', 's', 'marmoset'), ('GetInitialResultSet', ''), ('GetInitialResultSet', 'asas', ['a'], ['b']), ('GetSubsearchResultSet', 'as', ['a']),
         ('GetResultMetas', 'u', 1), ('ActivateResult', 's', 'a'), ('ActivateResult', 'assu', ['a'], 'b', 1), ('LaunchSearch', 'as', ['a']), ('LaunchSearch', 'uas', 1, ['a'])]
for method, signature, *values in wrong:
    equal(answered(SHELL, method, signature, *values), 'org.freedesktop.DBus.Error.InvalidArgs', f'{method} with "{signature}" is refused')
for method, signature, *values in (('Match', 'as', ['a']), ('Match', ''), ('Run', 's', 'a'), ('Run', 'us', 1, 'a'), ('Config', 's', 'a'), ('Actions', 'u', 1), ('Teardown', 's', 'a')):
    equal(answered(RUNNER, method, signature, *values), 'org.freedesktop.DBus.Error.InvalidArgs', f'{method} with "{signature}" is refused')
equal(answered(SHELL, 'Nothing', ''), 'org.freedesktop.DBus.Error.UnknownMethod', 'so is a method that is not there')
equal(answered('org.nowhere', 'Match', 's', 'a'), 'org.freedesktop.DBus.Error.UnknownMethod', 'and an interface')
goes_on('wrong types')

# ---- long texts
equal(answered(SHELL, 'GetInitialResultSet', 'as', ['x' * 5000]), 'org.freedesktop.DBus.Error.InvalidArgs', 'a long text is refused')
equal(answered(SHELL, 'GetInitialResultSet', 'as', ['x'] * 5000), 'org.freedesktop.DBus.Error.InvalidArgs', 'so are many words')
equal(answered(RUNNER, 'Match', 's', 'x ' * 2500), 'org.freedesktop.DBus.Error.InvalidArgs', 'by KRunner too')
equal(answered(SHELL, 'GetInitialResultSet', 'as', ['x' * (40 << 20)]), 'org.freedesktop.DBus.Error.LimitsExceeded', 'a message of 40 MiB is refused as such')
equal(answered(SHELL, 'GetResultMetas', 'as', ['/x' * 100] * 20000), 'org.freedesktop.DBus.Error.LimitsExceeded', 'so are very many ids')
equal(answered(SHELL, 'GetResultMetas', 'as', ['/x'] * 5000), None, 'of many ids the first are looked for')
equal(answered(SHELL, 'ActivateResult', 'sasu', '/' + 'x' * 40000, ['a'], 1), 'org.freedesktop.DBus.Error.InvalidArgs', 'an id that is too long is refused')
for text in ('"', '((((', '*', '?*', 'a' * 4096, '\u202e\u0301', 'NOT', '-', 'dir:', 'near:/etc/passwd', 'saved:x', 'x OR ' * 800, '\ud7ff'):
    ok(answered(RUNNER, 'Match', 's', text) is None, f'{ascii(text[:20])} is answered')
goes_on('long texts')

# ---- a flood of searches
serials = [c.ask(SHELL, 'GetInitialResultSet', 'as', [f'marmoset {i}']) for i in range(FLOOD)]
replies = c.replies(FLOOD)
equal(sorted(replies), serials, f'{FLOOD} searches at once have {FLOOD} answers')
equal({error for error, _ in replies.values()} - {None, 'org.freedesktop.DBus.Error.LimitsExceeded'}, set(), 'and no other error than that they are too many')
ok(replies[serials[-1]][0] is None, 'the last one is answered', replies[serials[-1]])
serials = [c.ask(SHELL, 'GetResultMetas', 'as', [f'{DOCS}/marmoset{i % 30}.txt']) for i in range(FLOOD)]
replies = c.replies(FLOOD)
equal(sorted(replies), serials, 'so have so many questions about hits')
ok(any(error == 'org.freedesktop.DBus.Error.LimitsExceeded' for error, _ in replies.values()), 'of which some are too many')
goes_on('floods')
memory = kib(process())
if 'libasan' in subprocess.run(['ldd', PROGRAM], capture_output=True, text=True).stdout:
    skip('the service stays small', 'the sanitizer keeps freed memory')
else:
    ok(memory < 200 << 10, 'the service stays small', f'{memory} KiB')

# ---- many at once, and gone before the answer
callers = [Connection() for _ in range(CALLERS)]
asked = [(one, one.ask(SHELL, 'GetInitialResultSet', 'as', ['marmoset'])) for one in callers]
ok(all(one.replies(1)[serial][0] is None for one, serial in asked), f'{CALLERS} callers at once are answered')
for one in callers:
    one.ask(RUNNER, 'Match', 's', 'marmoset')
    one.ask(SHELL, 'GetResultMetas', 'as', [DOCS + '/marmoset1.txt'])
    one.close()
goes_on('callers that left')

# ---- too many openings
for i in range(30):
    c.ask(SHELL, 'ActivateResult', 'sasu', f'{DOCS}/nothing{i}', ['x'], 1)
errors = [error for error, _ in c.replies(30).values()]
ok(errors.count(None) >= 8 and errors.count(None) + errors.count('org.freedesktop.DBus.Error.LimitsExceeded') == 30, 'eight hits may be opened', errors)
ok(errors.count(None) < 30, 'but not many more in ten seconds', errors)
goes_on('them')
finish()
