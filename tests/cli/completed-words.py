# SPDX-License-Identifier: GPL-3.0-or-later
"""What each shell completes: files and directories where a verb takes them, roots with blanks and
colons however they are quoted, saved searches. Shells that are not installed are left out."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/cli'))
from daemontest import *
import completing

if not shutil.which('tarsier'):
    skip_all('needs tarsier')
completing.begin()
os.makedirs(TREE + '/a place')
os.makedirs(TREE + '/b:c d')
write('one file.txt', 'a text')
configure([TREE + '/a place', TREE + '/b:c d'])
with open(HOME + '/.config/tarsier/tarsier.conf', 'a') as f:
    f.write('[web:https://example.org/news]\nfeed=true\n')
with open(HOME + '/.config/tarsier/saved-searches', 'w') as f:
    f.write('[saved]\ntaxes-2024=tax\n')
ROOT, COLON, FILE = TREE + '/a place', TREE + '/b:c d', 'one file.txt'
SITE = [line for line in subprocess.run(['tarsier', 'roots'], capture_output=True, text=True).stdout.split('\n') if line.startswith('https')][0]


def completed(shell, *words, wanted, slash=False):
    got = shell.run(*words)
    equal(got[-1:], [wanted + ('/' if slash else '')], f'{shell.name}: {" ".join(words).replace(TREE, "TREE")}')


for name in ('bash', 'zsh'):
    if not shutil.which(name):
        print(f'# {name} is not installed')
        continue
    shell = completing.Shell(TREE, name)
    shell.name = name
    slash = name == 'bash'  # zsh takes it off at the end of a line
    for verb in ('similar', 'show', 'open', 'info', 'index', 'extract', 'retry', 'web feed', 'web sitemap'):
        completed(shell, verb, 'one', wanted=FILE)
    for verb in ('list', 'add', 'dups', 'failed', 'mount', 'mcp --root', 'search -d'):
        completed(shell, verb, 'a', wanted='a place', slash=slash)
    completed(shell, 'remove', TREE + '/a', wanted=ROOT, slash=slash)
    completed(shell, 'remove', TREE + '/a\\ p', wanted=ROOT, slash=slash)
    if name == 'bash':  # zsh leaves the quote of a directory open
        completed(shell, 'remove', f'"{TREE}/a p', wanted=ROOT, slash=slash)
        completed(shell, 'remove', f"'{TREE}/a p", wanted=ROOT, slash=slash)
    completed(shell, 'remove', TREE + '/b', wanted=COLON, slash=slash)
    completed(shell, 'remove', TREE + '/b:', wanted=COLON, slash=False)
    completed(shell, 'remove', TREE + '/b:c\\ ', wanted=COLON, slash=False)
    completed(shell, 'remove', 'ht', wanted=SITE)
    completed(shell, 'remove', 'https:', wanted=SITE)
    completed(shell, 'remove', 'https://ex', wanted=SITE)
    completed(shell, 'remove', 'https://example.com', 'https://ex', wanted=SITE)
    completed(shell, 'saved', 'remove', 'ta', wanted='taxes-2024')
    completed(shell, 'config', 'get', 'limits.fi', wanted='limits.file')
    for line in ('foo --pass', 'search --pass', 'search x --pass'):
        completed(shell, line, wanted='--passages')
    completed(shell, 'browse', '--no-o', wanted='--no-open')
    completed(shell, 'export', '--set', wanted='--setup')
    shell.end()

if shutil.which('fish'):
    def offered(line):
        shown = subprocess.run(['fish', '--no-config', '-c', f"source {completing.COMPLETIONS}fish; complete -C '{line}'"], cwd=TREE, capture_output=True, text=True)
        return [word.split('\t')[0] for word in shown.stdout.split('\n') if word]

    for verb in ('similar', 'show', 'open', 'info', 'index', 'extract', 'retry', 'web feed', 'web sitemap'):
        equal(offered(f'tarsier {verb} one'), [FILE], f'fish: {verb} one')
    for verb in ('list', 'add', 'dups', 'failed', 'mount', 'mcp --root', 'search -d'):
        equal(offered(f'tarsier {verb} a'), ['a place/'], f'fish: {verb} a')
    equal(sorted(offered('tarsier remove ')), sorted([ROOT, COLON, SITE]), 'fish: remove has the roots')
    equal(offered('tarsier saved remove '), ['taxes-2024'], 'fish: saved remove has the saved searches alone')
    equal(offered('tarsier saved add '), [], 'fish: saved add has nothing to offer')
    equal(offered('tarsier config check '), [], 'nor has config check')
    equal(offered('tarsier foo --pass'), ['--passages'], 'fish: words without a verb are a search')
    equal([word for word in offered('tarsier list --') if word == '--sort'], [], 'fish: list has no options of search')
    equal('search' in offered(f'tarsier --config {HOME}/x '), True, 'fish: the verb may follow an option with a value')
else:
    print('# fish is not installed')
finish()
