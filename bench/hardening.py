#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hardening.py --build HARDENED --build PLAIN DIR: what the hardening costs. HARDENED is a build with the flags of configure, PLAIN one
with --disable-hardening. Each round makes a first index of DIR with the first build as it is, with the first build whose daemon does not
confine itself, and with the second one so too; the rounds are in turn. Prints the CPU seconds of the daemon with its children and of the
daemon alone, as medians and as the median of the ratios in each round, and the private memory of an idle daemon in MiB."""
import argparse, os, shutil, signal, statistics, subprocess, tempfile, time
import home

IDLE_S = 8
# Preloaded: the kernel seems to have confined the daemon. Its children confine themselves as ever.
UNCONFINED = '''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
long syscall(long number, ...)
{
	long a[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (strcmp(program_invocation_short_name, "tarsierd") == 0 &&
	        (number == SYS_seccomp || number == SYS_landlock_restrict_self))
		return 0;
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
'''


def preload(directory):
    source, library = directory + '/unconfined.c', directory + '/unconfined.so'
    with open(source, 'w') as f:
        f.write(UNCONFINED)
    subprocess.run(['cc', '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'], check=True)
    return library


def first_index(args, build, library):
    """Returns the CPU seconds of the daemon with its children, and of the daemon alone."""
    args.build = build
    path, env = home.make_home(args, args.directory)
    if library:
        env['LD_PRELOAD'] = library
    daemon = subprocess.Popen(['tarsierd', '--once'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.waitid(os.P_PID, daemon.pid, os.WEXITED | os.WNOWAIT)
    with open(f'/proc/{daemon.pid}/stat') as f:
        ticks = [int(field) for field in f.read().rpartition(')')[2].split()[11:15]]
    if daemon.wait() != 0:
        raise SystemExit('tarsierd fails')
    shutil.rmtree(path)
    return sum(ticks) / os.sysconf('SC_CLK_TCK'), sum(ticks[:2]) / os.sysconf('SC_CLK_TCK')


def private_mib(pid):
    """Of the process and its descendants."""
    with open(f'/proc/{pid}/smaps_rollup') as f:
        kib = sum(int(line.split()[1]) for line in f if line.startswith('Private_'))
    with open(f'/proc/{pid}/task/{pid}/children') as f:
        return kib / 1024 + sum(private_mib(int(child)) for child in f.read().split())


def idle_memory(args, build, library):
    args.build = build
    path, env = home.make_home(args, args.directory)
    if library:
        env['LD_PRELOAD'] = library
    daemon = subprocess.Popen(['tarsierd'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while subprocess.run(['tarsier', 'status', '--wait'], env=env, capture_output=True).returncode != 0:
        time.sleep(0.05)
    time.sleep(IDLE_S)  # the extractors end when nothing is left to convert
    mib = private_mib(daemon.pid)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    shutil.rmtree(path)
    return mib


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--build', action='append', required=True)
parser.add_argument('--rounds', type=int, default=5)
parser.add_argument('directory')
args = parser.parse_args()
hardened, plain = args.build
args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
library = preload(args.work)
variants = {'hardened': (hardened, None), 'unconfined': (hardened, library), 'plain, unconfined': (plain, library)}
taken = {name: [] for name in variants}
for _ in range(args.rounds):
    for name, (build, preloaded) in variants.items():
        taken[name].append(first_index(args, build, preloaded))
print('| first index | CPU s | ratio | of the daemon | ratio | idle MiB |\n|---|---:|---:|---:|---:|---:|')
for name, (build, preloaded) in variants.items():
    row = [name]
    for which in (0, 1):
        row.append(f'{statistics.median(figures[which] for figures in taken[name]):.2f}')
        row.append(f'{statistics.median(figures[which] / base[which] for figures, base in zip(taken[name], taken["plain, unconfined"])):.3f}')
    print('| ' + ' | '.join(row) + f' | {idle_memory(args, build, preloaded):.1f} |', flush=True)
shutil.rmtree(args.work)
