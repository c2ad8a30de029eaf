# SPDX-License-Identifier: GPL-3.0-or-later
"""home.py: a private HOME in which the programs of a build tree index and search. args: build
(None: the programs of the PATH), work."""
import os, subprocess, tempfile


def environment(args, home):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('XDG_', 'TARSIER_'))}
    env.update(HOME=home, XDG_RUNTIME_DIR=home + '/run', LC_ALL='C.UTF-8')
    if args.build:
        b = os.path.abspath(args.build)
        env.update(PATH=f'{b}/ui-cli:{b}/daemon:' + env['PATH'], TARSIER_EXTRACT=b + '/extractors/tarsier-extract',
                   TARSIER_PLUGINS=b + '/extractors/.libs', TARSIER_TARGETS=b + '/ui-cli/cmd/export/.libs')
    os.makedirs(home + '/run', mode=0o700, exist_ok=True)
    return env


def make_home(args, root):
    home = tempfile.mkdtemp(dir=args.work, prefix='home.')
    os.makedirs(home + '/.config/tarsier')
    with open(home + '/.config/tarsier/tarsier.conf', 'w') as f:
        f.write(f'[index]\nroots={os.path.realpath(root)}\n')
    return home, environment(args, home)


def output(command, env):
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(errors='replace')
