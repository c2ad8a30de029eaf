#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""export.py --build BUILD [NUMBER]: what an export costs, on a tree of small texts (bench/scale.py): CPU
time of the first index, of the stream with and without texts, and of the first and a second export into a
PostgreSQL server that the script starts, and the size of it. Then searches there: the median of tarsier.search() for a user,
beside the same function without its permissions. Run it on an idle machine: the searches are timed by the
clock of the server. Last, an export follows the changes while permissions change: the exposure time, from chmod to the
moment in which the server no longer lets the user find the file, by the clock of this script and as tarsier status tells
it."""
import argparse, glob, json, os, random, resource, shutil, statistics, subprocess, sys, tempfile, time
import home, scale

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build')
parser.add_argument('number', nargs='?', type=int, default=65000)
args = parser.parse_args()
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
os.chmod(args.work, 0o755)
BIN = sorted(glob.glob('/usr/lib/postgresql/*/bin'))[-1]
USER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] if os.getuid() == 0 else []
SERVER, TREE = args.work + '/server', args.work + '/tree'
quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'cwd': '/'}
QUERIES, RUNS, EXPOSURES = 60, 5, 100


def cpu(command, env):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f'{command} exits with {done.returncode}')
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def server_cpu():
    """CPU seconds of the server and its sessions, all of which have ended."""
    while sql("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").strip() != '1':
        time.sleep(.1)
    time.sleep(1)  # until the server has reaped them
    with open(SERVER + '/data/postmaster.pid') as f:
        pid = f.readline().strip()
    with open(f'/proc/{pid}/stat') as f:
        fields = f.read().rpartition(')')[2].split()
    return sum(int(v) for v in fields[11:15]) / os.sysconf('SC_CLK_TCK')


def sql(text, user='owner'):
    return subprocess.run([BIN + '/psql', '-h', SERVER, '-U', user, '-d', 'postgres', '-AtXq', '-v', 'ON_ERROR_STOP=1', '-c', text],
                          check=True, capture_output=True, text=True).stdout


def median_ms(statement, words, user):
    """The median of the times that the server needs for the statement with each of the words."""
    times = []
    for word in words:
        out = sql(f"EXPLAIN (ANALYZE, TIMING OFF) {statement.replace('WORD', word)};" * RUNS, user)
        times.append(statistics.median(float(line.split()[2]) for line in out.splitlines() if line.startswith('Execution Time')))
    return statistics.median(times)


def exposures(env, url):
    """Seconds from chmod to refusal, one file after the other."""
    files = [os.path.join(dir, name) for dir, _, names in os.walk(TREE) for name in names]
    chosen = random.Random(5).sample(files, EXPOSURES)
    daemon = subprocess.Popen(['tarsierd'], env=env, **quiet)
    while subprocess.run(['tarsier', 'status', '--wait'], env=env, **quiet).returncode != 0:
        time.sleep(.1)
    export = subprocess.Popen(['tarsier', '-q', 'export', '--to', url, '--follow', '--name', 'bench'], env=env)
    while not sql('SELECT seq FROM tarsier.instance WHERE seq IS NOT NULL').strip():
        time.sleep(.1)
    session = subprocess.Popen([BIN + '/psql', '-h', SERVER, '-U', 'owner', '-d', 'postgres', '-AtXq'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    times = []
    for path in chosen:
        began = time.monotonic()
        os.chmod(path, 0o000)
        while True:
            session.stdin.write(f"SELECT count(*) FROM tarsier.place WHERE path = $q${os.path.realpath(path)}$q$ AND NOT allow = '{{}}';\n")
            session.stdin.flush()
            if session.stdout.readline().strip() == '0':
                break
            time.sleep(.005)
        times.append(time.monotonic() - began)
    session.communicate('')
    export.terminate()
    export.wait()
    told = json.loads(subprocess.run(['tarsier', 'status', '--json'], env=env, check=True, capture_output=True).stdout)['exports']
    daemon.terminate()
    daemon.wait()
    return sorted(times), told[0]['exposure_ms']


scale.make(TREE, args.number, 1)
path, env = home.make_home(args, TREE)
os.makedirs(SERVER)
if USER:
    os.chown(SERVER, 65534, 65534)
subprocess.run(USER + [BIN + '/initdb', '-D', SERVER + '/data', '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], check=True, **quiet)
subprocess.run(USER + [BIN + '/pg_ctl', '-D', SERVER + '/data', '-w', '-l', SERVER + '/log', '-o', f"-k {SERVER} -c listen_addresses=''", 'start'], check=True, **quiet)
try:
    url = f'postgresql:///postgres?host={SERVER}&user=owner'
    index = cpu(['tarsierd', '--once'], env)
    rows = [('first index', index), ('stream', cpu(['tarsier', 'export', '--to', '-'], env)), ('stream without texts', cpu(['tarsier', 'export', '--to', '-', '--no-text'], env))]
    for name, options in (('first export', ['--setup']), ('second export', [])):
        before = server_cpu()
        client = cpu(['tarsier', '-q', 'export', '--to', url] + options, env)
        rows.append((name, client))
        rows.append((name + ', server', server_cpu() - before))
    print('| | CPU s | of the first index |\n|---|---:|---:|')
    for name, seconds in rows:
        print(f'| {name} | {seconds:.1f} | {seconds / index:.2f} |', flush=True)
    sql("VACUUM ANALYZE")
    sizes = sql("SELECT sum(pg_total_relation_size(oid)) / 1e6 FROM pg_class WHERE relnamespace = 'tarsier'::regnamespace AND relkind = 'r'; "
                "SELECT sum(pg_relation_size(oid)) / 1e6 FROM pg_class WHERE relnamespace = 'tarsier'::regnamespace AND relkind = 'i' AND right(relname, 6) = '_words'; "
                "SELECT sum(pg_relation_size(oid)) / 1e6 FROM pg_class WHERE relnamespace = 'tarsier'::regnamespace AND relkind = 'i' AND right(relname, 6) = '_terms'; "
                "SELECT sum(octet_length(text)) / 1e6 FROM tarsier.document").split()
    print('size in MB: {:.0f}, of which indexes of words {:.0f} and {:.0f}; texts {:.0f}'.format(*map(float, sizes)), flush=True)
    sql(f"CREATE ROLE ada LOGIN; INSERT INTO tarsier.principal SELECT DISTINCT 'ada'::name, unnest(allow) FROM tarsier.place ON CONFLICT DO NOTHING")
    with open(os.path.dirname(os.path.abspath(__file__)) + '/../data/export/postgresql.sql') as f:
        function = f.read().split('CREATE OR REPLACE FUNCTION tarsier.search(')[1].split('REVOKE ALL ON ALL')[0]
    for permission in (' AND p.allow && mine AND NOT p.deny && mine', ' AND n.allow && mine AND NOT n.deny && mine'):
        assert permission in function
        function = function.replace(permission, '')
    sql('CREATE FUNCTION tarsier.unprotected(' + function)
    vocabulary = scale.words(1)
    rng = random.Random(7)
    print('| words | permitted ms | unprotected ms |\n|---|---:|---:|')
    for name, span in (('rare', (20000, 60000)), ('middling', (1000, 4000)), ('common', (60, 200))):
        words = [vocabulary[rng.randrange(*span)] for _ in range(QUERIES)]
        print(f"| {name} | {median_ms('SELECT * FROM tarsier.search($$WORD$$)', words, 'ada'):.2f} | {median_ms('SELECT * FROM tarsier.unprotected($$WORD$$)', words, 'owner'):.2f} |", flush=True)
    sql('CREATE INDEX ON tarsier.place(path)')  # for this script
    times, told = exposures(env, url)
    print(f'exposure time: median {statistics.median(times):.2f} s, 95 % within {times[len(times) * 95 // 100]:.2f} s, longest {times[-1]:.2f} s; status tells {told / 1000:.2f} s for 95 %')
finally:
    subprocess.run(USER + [BIN + '/pg_ctl', '-D', SERVER + '/data', '-m', 'immediate', 'stop'], **quiet)
    shutil.rmtree(args.work, ignore_errors=True)
