# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-fetch is confined before it touches the network, or does not run. Each operation that must
be refused is tried in the sandbox, and without it, where it is possible."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

# Who may do these depends on the user.
PRIVILEGED = {'raw-socket', 'mode', 'signal', 'own-memory'}


def probe(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, {line.split()[1]: line.split()[0] for line in done.stdout.splitlines()}


status, without = probe(PROGRAM, '--probe-unconfined')
equal({name for name, said in without.items() if said == 'refused'} - PRIVILEGED, set(), 'without the sandbox, all tries succeed')
equal(status, 1, 'which is a failure')
status, within = probe(PROGRAM, '--probe')
equal({name for name, said in within.items() if said != 'refused'}, set(), 'in the sandbox, none does')
equal((status, set(within)), (0, set(without)), 'and all are tried')

# ---- the running program
server = Server({'/': page(b'a page')})
client = Client(HTTP_PROXY='http://127.0.0.1:1', SECRET_OF_THE_SESSION='x')
equal(client.ask(server.url + '/', local=place(server.url)).status, 200, 'a page is fetched')
pid = client.program()
with open(f'/proc/{pid}/status') as f:
    state = dict(line.split(':\t') for line in f.read().splitlines() if ':\t' in line)
equal((state['NoNewPrivs'].strip(), state['Seccomp'].strip()), ('1', '2'), 'it has no new privileges, and a filter')
with open(f'/proc/{pid}/limits') as f:
    limits = {line[:25].strip(): line[26:].split()[:2] for line in f}
equal((limits['Max core file size'], limits['Max open files']), (['0', '0'], ['512', '512']), 'and limits')
if not sanitized:
    equal(limits['Max address space'], [str(1 << 30)] * 2, 'of memory too')
try:
    with open(f'/proc/{pid}/environ') as f:
        environment = f.read()
    ok('SECRET' not in environment and 'PROXY' not in environment, 'nothing of the environment is handed down', environment)
except PermissionError:
    skip('nothing of the environment is handed down', 'only root can read it')
equal(sorted(name for name in os.listdir(f'/proc/{pid}/fd') if os.path.realpath(f'/proc/{pid}/fd/{name}').startswith('/home')), [],
      'it has no file open')
client.end()

# ---- kernels with less
weaken = os.path.join(BUILD, 'tests/extractors/weaken')


def ask_on_kernel_without(what):
    path = os.path.join(TMP, 'weak-fetch')
    with open(path, 'w') as f:
        f.write(f"#!/bin/sh\nexec '{weaken}' {what} '{PROGRAM}' \"$@\"\n")
    os.chmod(path, 0o700)
    weak = Client(TARSIER_FETCH=path)
    answer = weak.ask(server.url + '/', local=place(server.url))
    weak.end()
    return answer


said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
ok('ok  confinement: tarsier-fetch: full\n' in said, 'doctor names the level', said)
said = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True, env={**os.environ, 'TARSIER_FETCH': '/bin/true'}).stdout
ok('!!  sites and feeds: /bin/true: ' in said, 'and says if the program does not run', said)
for what in ('landlock_create_ruleset', 'landlock_restrict_self', 'prctl'):
    answer = ask_on_kernel_without(what)
    equal(answer.error, 'failed', f'it does not run where the kernel lacks {what}')
    ok('sandbox' in answer.detail, 'and says why', answer.detail)
equal(len(server.requests), 1, 'nothing was sent then')
for abi in (1, 3, 5):
    equal(ask_on_kernel_without(f'landlock={abi}').status, 200, f'it runs with Landlock of ABI {abi}')

# ---- the command line
for option, wanted in (('--version', 0), ('--help', 0), ('--fetch', 2), ('http://example.org/', 2)):
    equal(subprocess.run([PROGRAM, option], capture_output=True).returncode, wanted, f'{option} ends with {wanted}')
equal(subprocess.run([PROGRAM], capture_output=True).returncode, 2, 'without a client it does nothing')
finish()
