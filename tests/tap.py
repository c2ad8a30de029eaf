# SPDX-License-Identifier: GPL-3.0-or-later
"""tap.py - results, the client and waiting in the Python tests

A test waits by wait_until() and let_time_pass() only; tests/check-style.sh refuses every other
sleep. done_testing() stands at its end."""
import os, shutil, subprocess, sys, time, traceback

_tests = 0
PATIENCE = 4 # a machine that runs other tests at the same time may be that much slower

# Sanitizers make programs slow: a test of many like cases tries a part of them, another one each time.
with open(shutil.which('tarsier') or os.devnull, 'rb') as _program:
    SANITIZED = b'__asan' in _program.read()


def _say_exception(*exception):
    """The log of a test has its standard output alone."""
    for line in ''.join(traceback.format_exception(*exception)).splitlines():
        print('# ' + line, flush=True)


sys.excepthook = _say_exception


def ok(name, good, why=''):
    """Passes if good is true. name is a whole sentence: it is read alone, in a log."""
    global _tests
    _tests += 1
    print('%s %d - %s' % ('ok' if good else 'not ok', _tests, name), flush=True)
    if not good:
        print('# ' + repr(why)[:2000], flush=True)


def done_testing():
    print('1..%d' % _tests)


def tarsier(*args, env=None, **options):
    """Runs the client, with more variables in env, and returns its status, output and notes. Bytes
    that are not UTF-8 are surrogates."""
    done = subprocess.run(['tarsier', *args], capture_output=True, text=True, errors='surrogateescape', timeout=60,
                          env=dict(os.environ, **(env or {})), **options)
    return done.returncode, done.stdout, done.stderr


def german_variables():
    """Returns the variables with which a program speaks German; None without gettext's tools. The C
    library of Debian 13 takes no translation in C.UTF-8: this is the same locale by another name."""
    locales = os.environ['TEST_TMP'] + '/locale'
    if not shutil.which('msgfmt'):
        return None
    os.makedirs(locales + '/de/LC_MESSAGES')
    subprocess.run(['msgfmt', '-o', locales + '/de/LC_MESSAGES/tarsier.mo', os.environ['abs_top_srcdir'] + '/po/de.po'], check=True)
    os.symlink('/usr/lib/locale/C.utf8', locales + '/en_US.utf8')
    return {'LC_ALL': 'en_US.UTF-8', 'LOCPATH': locales, 'LANGUAGE': 'de', 'TARSIER_LOCALE': locales}


def wait_until(what, predicate, seconds=20, every=None):
    """Waits until predicate() is true, at most for this many seconds on a quiet machine, and returns its last
    value. what completes the sentence "waited in vain until". every: seconds between two looks; otherwise they
    grow with the wait, since most looks start a client and would take the processor from what is waited for."""
    seconds *= PATIENCE
    begin = time.monotonic()
    while not (value := predicate()):
        waited = time.monotonic() - begin
        if waited >= seconds:
            print(f'# waited {seconds} s in vain until {what}', flush=True)
            return predicate()
        time.sleep(every or min(.02 + waited / 8, .25))
    return value


def let_time_pass(seconds, why):
    """Sleeps. Use it only for promises about time itself, and for disturbances that come at a
    random moment. why tells the reader which."""
    assert why
    time.sleep(seconds)
