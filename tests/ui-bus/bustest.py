# SPDX-License-Identifier: GPL-3.0-or-later
"""bustest.py - a session bus of its own for the tests of tarsier-bus, and two clients

begin() runs the test again below dbus-run-session, where D-Bus starts the built program on demand.
call() is gdbus, a client that others wrote. Connection speaks the protocol itself, for what gdbus
would never send."""
import ast, os, re, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from busclient import *

PROGRAM = os.path.join(os.environ['abs_top_builddir'], 'ui-bus/tarsier-bus')
DOCS = os.path.join(HOME, 'docs')
data = os.path.join(TMP, 'share')


def service(name, command):
    os.makedirs(data + '/dbus-1/services', exist_ok=True)
    with open(f'{data}/dbus-1/services/{name}.service', 'w') as f:
        f.write(f'[D-BUS Service]\nName={name}\nExec={command}\n')


def begin(idle=60):
    """Call it first. idle: seconds after which the service ends."""
    if not shutil.which('dbus-run-session') or not shutil.which('gdbus'):
        skip_all('dbus-run-session or gdbus is not there')
    if os.environ.get('BUS_OF_TEST') == TMP:
        return
    service(NAME, f'{PROGRAM} --idle {idle}')
    os.environ.update(BUS_OF_TEST=TMP, XDG_DATA_DIRS=data, XDG_DATA_HOME=HOME + '/.local/share')
    os.execvp('dbus-run-session', ['dbus-run-session', '--', sys.executable, *sys.argv])


# ---- gdbus

def value_of(text):
    """What gdbus prints, as Python has it; a variant is its value."""
    def literal(match):
        word = match[0]
        return word if word[0] in '\'"' else {'true': 'True', 'false': 'False'}.get(word, '')
    return ast.literal_eval(re.sub(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[<>]|@[a-z{}()]+ |\b(?:u?int(?:16|32|64)|byte) |\btrue\b|\bfalse\b""", literal, text))


def gdbus(*arguments):
    return subprocess.run(['gdbus', 'call', '--session', *arguments], capture_output=True, text=True, timeout=60)


def strings(texts):
    """An array of strings as gdbus reads it."""
    return '@as [' + ', '.join("'" + text.replace('\\', '\\\\').replace("'", "\\'") + "'" for text in texts) + ']'


def call(interface, method, *arguments):
    """Returns the only value of the answer, or None; a RuntimeError has the error."""
    done = gdbus('-d', NAME, '-o', PATH, '-m', f'{interface}.{method}', *arguments)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    answer = value_of(done.stdout)
    return answer[0] if answer else None


def refused(interface, method, *arguments):
    """Returns the error that the call is answered with; None if it is none."""
    try:
        call(interface, method, *arguments)
    except RuntimeError as error:
        return str(error)


def found(*terms):
    return call(SHELL, 'GetInitialResultSet', strings(terms))


def metas(ids):
    return call(SHELL, 'GetResultMetas', strings(ids))


def has_owner():
    done = gdbus('-d', 'org.freedesktop.DBus', '-o', '/', '-m', 'org.freedesktop.DBus.NameHasOwner', NAME)
    return value_of(done.stdout)[0]


def process():
    """The process that has the name; None if there is none."""
    done = gdbus('-d', 'org.freedesktop.DBus', '-o', '/', '-m', 'org.freedesktop.DBus.GetConnectionUnixProcessID', NAME)
    return value_of(done.stdout)[0] if done.returncode == 0 else None
