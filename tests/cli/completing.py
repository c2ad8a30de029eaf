# SPDX-License-Identifier: GPL-3.0-or-later
"""completing.py - interactive shells on terminals of their own, whose lines are completed with Tab. A
program called tarsier answers the completions, and records the arguments of all else."""
import os, pty, shutil, signal
from daemontest import TMP, wait_until

COMPLETIONS = os.environ['abs_top_srcdir'] + '/data/completions/'


def begin():
    real = shutil.which('tarsier')
    os.makedirs(TMP + '/bin')
    with open(TMP + '/bin/tarsier', 'w') as f:
        f.write(f'''#!/bin/sh
case "$*" in
*list | *roots | saved) exec '{real}' "$@" ;;
*) printf '%s\\0' "$@" >'{TMP}/arguments.new'; mv '{TMP}/arguments.new' '{TMP}/arguments' ;;
esac
''')
    os.chmod(TMP + '/bin/tarsier', 0o755)
    with open(TMP + '/rc', 'w') as f:
        f.write(f'''PS1=; R=/; set +o history; PATH={TMP}/bin:$PATH
. {COMPLETIONS}bash
bind 'set enable-bracketed-paste off' 'set bell-style none'
''')
    os.makedirs(TMP + '/zdot')
    with open(TMP + '/zdot/.zshrc', 'w') as f:
        f.write(f'''PS1=; R=/; PATH={TMP}/bin:$PATH; unset zle_bracketed_paste; setopt no_beep
autoload -Uz compinit; compinit -u -d {TMP}/zdot/dump
fpath=({TMP}/zdot $fpath); autoload -Uz _tarsier; compdef _tarsier tarsier
''')
    shutil.copy(COMPLETIONS + 'zsh', TMP + '/zdot/_tarsier')


class Shell:
    """An interactive shell on a terminal of its own."""
    COMMANDS = {'bash': ['bash', '--noprofile', '--rcfile', TMP + '/rc', '-i'], 'zsh': ['zsh', '-i']}

    def __init__(self, cwd, name='bash'):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.environ.update({'ZDOTDIR': TMP + '/zdot', 'TERM': 'xterm'})
            os.execvp(name, self.COMMANDS[name])
        self.run('ready')

    def run(self, *words):
        """Types a line with Tab after its last word; returns the arguments that the program gets."""
        if os.path.exists(TMP + '/arguments'):
            os.unlink(TMP + '/arguments')
        os.write(self.fd, ('tarsier ' + ' '.join(words) + '\t\r').encode())
        if not wait_until('the line is run', lambda: self.drain() or os.path.exists(TMP + '/arguments'), 10):
            os.write(self.fd, b'\x03')  # a quote may be open
            return []
        with open(TMP + '/arguments') as f:
            return f.read().split('\0')[:-1]

    def drain(self):
        os.set_blocking(self.fd, False)
        try:
            while os.read(self.fd, 4096):
                pass
        except OSError:
            pass

    def end(self):
        os.kill(self.pid, signal.SIGHUP)
        os.close(self.fd)
        os.waitpid(self.pid, 0)
