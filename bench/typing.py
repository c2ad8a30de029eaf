#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long "tarsier tui" takes from a key to the list of hits.

bench/typing.py --build BUILD [--build BEFORE] HOME QUERY...

Types each query key by key on a pseudo terminal and waits after each key until the list is drawn: until the client has
used no CPU time and written nothing for IDLE_MS, which is less than it waits before it makes passages. Prints ms from the
key to the last byte of the list (median, 95 % and maximum of all keys from the third one of a word on) and CPU ms for
each key. With two builds they take turns, and the ratios of the first one to the second one are printed. --burst types
without waiting, 30 ms between the keys, and measures from the last key."""
import argparse, fcntl, os, pty, select, struct, subprocess, sys, termios, time
import home as homes
import measure

IDLE_MS = 90
PREFIX = 3 # shorter words are not prefixes


def cpu_ms(pid):
    with open(f'/proc/{pid}/schedstat') as f:
        return int(f.read().split()[0]) / 1e6


def sleeps(pid):
    with open(f'/proc/{pid}/stat') as f:
        return f.read().rsplit(')', 1)[1].split()[0] == 'S'


class Terminal:
    def __init__(self, env):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
        self.p = subprocess.Popen(['tarsier', 'tui'], stdin=slave, stdout=slave, stderr=slave, env=dict(env, TERM='xterm-256color'), start_new_session=True)
        os.close(slave)

    def drain(self, seconds):
        """The time when output was last read, or None."""
        last = None
        while select.select([self.master], [], [], seconds)[0]:
            if not os.read(self.master, 1 << 16):
                sys.exit('the client ended')
            last, seconds = time.monotonic(), 0
        return last

    def settle(self):
        """Waits until the client is idle; returns the time of its last output, and its CPU time then."""
        last, idle_since, cpu = None, time.monotonic(), cpu_ms(self.p.pid)
        while time.monotonic() - idle_since < IDLE_MS / 1e3:
            last_now, now = self.drain(0.002), cpu_ms(self.p.pid)
            if last_now or now > cpu + 0.5 or not sleeps(self.p.pid):
                idle_since, cpu, last = time.monotonic(), now, last_now or last
        return last, cpu

    def key(self, letter):
        """Types one letter; returns ms to the list and CPU ms."""
        before, start = cpu_ms(self.p.pid), time.monotonic()
        os.write(self.master, letter.encode())
        last, cpu = self.settle()
        return 1e3 * ((last or start) - start), cpu - before

    def end(self):
        os.write(self.master, b'\x03')
        while self.p.poll() is None:
            try:
                self.drain(0.01)
            except OSError:
                break
        self.p.wait()
        os.close(self.master)


def type_query(terminal, query, burst):
    times = []
    if burst:
        for letter in query[:-1]:
            os.write(terminal.master, letter.encode())
            terminal.drain(0)
            time.sleep(0.03)
        times.append(terminal.key(query[-1]))
    else:
        for i, letter in enumerate(query):
            took = terminal.key(letter)
            word = query[:i + 1].split(' ')[-1]
            if len(word) >= PREFIX:
                times.append(took)
    os.write(terminal.master, b'\x15') # Ctrl-U
    terminal.settle()
    return times


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', action='append', required=True)
    ap.add_argument('--burst', action='store_true')
    ap.add_argument('-n', type=int, default=5)
    ap.add_argument('home')
    ap.add_argument('words', nargs='+', metavar='QUERY')
    args = ap.parse_args()
    times = {b: [] for b in args.build}
    for _ in range(args.n):
        for b in args.build:
            terminal = Terminal(homes.environment(argparse.Namespace(build=b), args.home))
            terminal.settle()
            for query in args.words:
                times[b] += type_query(terminal, query, args.burst)
            terminal.end()
    print('| build | keys | median ms | p95 ms | most ms | median CPU ms | p95 CPU ms |\n|---|---:|---:|---:|---:|---:|---:|')
    rows = []
    for b, pairs in times.items():
        walls, cpus = zip(*pairs)
        rows.append([measure.percentile(walls, 50), measure.percentile(walls, 95), max(walls), measure.percentile(cpus, 50), measure.percentile(cpus, 95)])
        print(f'| {b} | {len(pairs)} | ' + ' | '.join(f'{v:.1f}' for v in rows[-1]) + ' |')
    if len(rows) == 2:
        print('| ratio | | ' + ' | '.join(f'{new / max(old, 0.01):.2f}' for new, old in zip(*rows)) + ' |')


if __name__ == '__main__':
    main()
