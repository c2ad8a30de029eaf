# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a PostgreSQL server without root, in a directory of its own, for the test that imports this; skips the test if
there is none. The server ends with the test. With POSTGRESQL_TCP in the environment, it also listens on 127.0.0.1."""
import atexit, glob, os, shutil, socket, subprocess, sys, tempfile

BIN = next(iter(sorted(glob.glob('/usr/lib/postgresql/*/bin'), reverse=True)), None) or os.path.dirname(shutil.which('initdb') or '')
if not BIN or not os.path.exists(os.environ['TARSIER_TARGETS'] + '/postgresql.so'):
    print('1..0 # SKIP no PostgreSQL server, or built without libpq')
    sys.exit(0)
DIR = tempfile.mkdtemp(prefix='tarsier-pg-')
URL = f'postgresql:///postgres?host={DIR}&user=owner'
PORT, LISTEN = 5432, ''
if os.environ.get('POSTGRESQL_TCP'):
    with socket.create_server(('127.0.0.1', 0)) as free:
        PORT, LISTEN = free.getsockname()[1], '127.0.0.1'
    URL = f'postgresql://owner@127.0.0.1:{PORT}/postgres'
# The server refuses to run as root.
USER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] if os.getuid() == 0 else []
if USER:
    os.chown(DIR, 65534, 65534)
quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'cwd': '/'}


def server(command):
    subprocess.run(USER + [BIN + '/pg_ctl', '-D', DIR + '/data', '-w', '-m', 'immediate', '-l', DIR + '/log', '-o', f"-k {DIR} -p {PORT} -c listen_addresses='{LISTEN}' -c fsync=off", command],
                   check=command == 'start', **quiet)


def stop():
    server('stop')
    shutil.rmtree(DIR, ignore_errors=True)


subprocess.run(USER + [BIN + '/initdb', '-D', DIR + '/data', '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], check=True, **quiet)
atexit.register(stop)
server('start')


def sql(text, user='owner'):
    """The rows as lines of values parted by tabs, and the error."""
    done = subprocess.run([BIN + '/psql', '-h', DIR, '-p', str(PORT), '-U', user, '-d', 'postgres', '-AtXq', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', text],
                          capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines(), done.stderr
