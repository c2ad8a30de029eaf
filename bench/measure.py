# SPDX-License-Identifier: GPL-3.0-or-later
"""measure.py: the cost of a process tree. CPU is from wait4 (with children that were waited for),
memory is the highest sum of PSS over the tree, bytes written are from /proc/PID/io."""
import os, subprocess, threading, time


def children(pid):
    found, todo = [], [pid]
    while todo:
        p = todo.pop()
        found.append(p)
        try:
            for t in os.listdir(f'/proc/{p}/task'):
                todo += [int(c) for c in open(f'/proc/{p}/task/{t}/children').read().split()]
        except OSError:
            pass
    return found


def pss_kib(pid):
    try:
        for line in open(f'/proc/{pid}/smaps_rollup'):
            if line.startswith('Pss:'):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def tree_pss_mib(pid):
    return sum(pss_kib(p) for p in children(pid)) / 1024


def written_bytes(pid):
    try:
        for line in open(f'/proc/{pid}/io'):
            if line.startswith('write_bytes:'):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def tree_cpu(pid):
    """Returns the CPU seconds of the tree so far, with children that were reaped."""
    ticks = 0
    for p in children(pid):
        try:
            f = open(f'/proc/{p}/stat').read().rsplit(')', 1)[1].split()
            ticks += sum(int(x) for x in f[11:15])
        except OSError:
            pass
    return ticks / os.sysconf('SC_CLK_TCK')


def switches(pid):
    n = 0
    for p in children(pid):
        try:
            for t in os.listdir(f'/proc/{p}/task'):
                for line in open(f'/proc/{p}/task/{t}/status'):
                    if 'ctxt_switches' in line:
                        n += int(line.split()[1])
        except OSError:
            pass
    return n


def du(path):
    return sum(os.lstat(os.path.join(d, f)).st_size for d, _, fs in os.walk(path) for f in fs)


class Watch(threading.Thread):
    """Samples the tree below pid until stop()."""
    def __init__(self, pid, index_dir=None, every=0.1):
        super().__init__(daemon=True)
        self.pid, self.dir, self.every = pid, index_dir, every
        self.peak_mib = self.written = self.peak_disk = 0
        self.ended = threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(self.every):
            self.peak_mib = max(self.peak_mib, tree_pss_mib(self.pid))
            self.written = max(self.written, written_bytes(self.pid))
            if self.dir and os.path.isdir(self.dir):
                try:
                    self.peak_disk = max(self.peak_disk, du(self.dir))
                except OSError:
                    pass

    def stop(self):
        self.ended.set()
        self.join()


def run(command, env=None, index_dir=None, log=subprocess.DEVNULL):
    """Runs the command to its end; returns a dict of figures."""
    before = os.times()
    start = time.monotonic()
    p = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    watch = Watch(p.pid, index_dir)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    watch.stop()
    return {'cpu_s': usage.ru_utime + usage.ru_stime, 'wall_s': wall, 'peak_pss_mib': watch.peak_mib,
            'written_mb': max(watch.written, usage.ru_oublock * 512) / 1e6, 'peak_disk_mb': watch.peak_disk / 1e6,
            'status': p.returncode}


def percentile(values, p):
    s = sorted(values)
    return s[min(len(s) - 1, int(len(s) * p / 100))]
