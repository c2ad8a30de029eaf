# SPDX-License-Identifier: GPL-3.0-or-later
"""tmuxtest.py - programs on a terminal of tmux, for the tests of tarsier tui: keys go in, and the test
waits for what the screen shows"""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
import tap
from tap import done_testing, wait_until

scratch = os.environ['TEST_TMP']
os.environ['XDG_DATA_DIRS'] = scratch + '/share'  # no editor of this machine opens texts
_terminals = 0


def need(*programs):
    """Skips the test if one of them is not installed."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f'1..0 # SKIP no {" and no ".join(missing)}')
        sys.exit(0)


def ok(good, name, why=''):
    """As tap.ok(), with the lines of a screen as the reason."""
    tap.ok(name, good)
    if not good:
        print('# ' + str(why).replace('\n', '\n# '), flush=True)


def tmux(*args):
    """Returns what the command of tmux prints."""
    return subprocess.run(['tmux', '-S', f'{scratch}/tmux-{_terminals}', '-f', '/dev/null', *args], capture_output=True, text=True, timeout=100).stdout


def terminal(command, columns, lines, *options):
    """Starts a shell command on a new terminal, which takes the place of the one before."""
    global _terminals
    if _terminals:
        tmux('kill-server')
    _terminals += 1
    tmux(*options, 'new-session', '-d', '-x', str(columns), '-y', str(lines), command)


def press(*keys):
    tmux('send-keys', *keys)


def sees(name, condition):
    """Passes as soon as the condition is true for the screen; returns the screen."""
    screen = ''

    def is_so():
        nonlocal screen
        screen = tmux('capture-pane', '-p')
        return condition(screen)
    ok(wait_until(name, is_so, 30, 0.05), name, screen)
    return screen
