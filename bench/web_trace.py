# SPDX-License-Identifier: GPL-3.0-or-later
"""web_trace.py - traces for "tarsierd --simulate-web", and judges of what it prints

The judges know the rules of politeness from docs/WEB.md, and nothing of the program."""
import heapq
import json
import math
import os
import random
import subprocess


def write_trace(path, lines):
    with open(path, 'w', encoding='utf-8') as file:
        for line in lines:
            file.write(json.dumps(line) + '\n')


def read_requests(text):
    """Requests as (milliseconds, origin, path); a line that a kill cut off was never sent."""
    requests = []
    for line in text.split('\n')[:-1]:
        time, url = line.split('\t')
        seconds, thousandths = time.split('.')
        place = url.index('/', url.index('://') + 3)
        requests.append((int(seconds) * 1000 + int(thousandths), url[:place], url[place:]))
    return requests


def simulate(trace, *options):
    answer = subprocess.run(['tarsierd', f'--simulate-web={trace}', *options], check=True, capture_output=True, text=True)
    return read_requests(answer.stdout)


def hosts_with_pages(n_hosts, n_pages, seed=1, addresses=None):
    """Hosts of different speed that share addresses; each page links to ten others. Nothing is
    visited twice: the pages stay fresh."""
    dice = random.Random(seed)
    lines = []
    for i in range(n_hosts):
        address = i % addresses if addresses else i
        lines.append({'host': f'https://host{i}.example', 'address': f'10.{address >> 16}.{address >> 8 & 255}.{address & 255}',
                      'duration': round(dice.choice([0.02, 0.1, 0.3]) * dice.uniform(0.5, 1.5), 3),
                      'delay': dice.choice([0, 0, 0, 2]), 'robots': dice.choice([200, 404]), 'generate': n_pages,
                      'pages': n_pages, 'cache-control': 'max-age=31536000'})
    return lines


class Judge:
    """Counts requests that come too early, and repeated requests that had been answered, over runs
    that may have been killed."""

    def __init__(self, lines):
        self.hosts = {line['host']: line for line in lines if 'host' in line}
        self.early, self.repeated, self.requests = 0, 0, 0
        self.host_free, self.address_free = {}, {}
        self.answered = set()

    def _delay(self, host, knows_robots):
        return round(host.get('delay', 0) * 1000) if knows_robots and host.get('robots', 404) == 200 else 0

    def run(self, requests, killed):
        """requests: of one process, which was killed after the last of them, or ended."""
        last = requests[-1][0] if requests else 0
        for at, origin, path in requests:
            host = self.hosts[origin]
            duration = round(host['duration'] * 1000)
            address = host.get('address', origin)
            self.requests += 1
            self.early += at < max(self.host_free.get(origin, 0), self.address_free.get(address, 0))
            self.repeated += (origin, path) in self.answered
            lost = killed and at + duration > last
            busy = min(duration, last - at) if lost else duration
            if not lost:
                self.answered.add((origin, path))
            gap = max(10 * busy, 1000)
            delay = self._delay(host, path != '/robots.txt' or not lost)
            self.host_free[origin] = at + busy + max(gap, delay)
            self.address_free[address] = at + busy + gap


def simulate_killed(trace, index, dice, mean_s, judge, most_runs=10000):
    """Runs the simulation in one index, killing it at random moments until it ends; more slowly if it
    made no request, so that it ends on a loaded machine too. Returns the number of kills."""
    for kills in range(most_runs):
        with open(f'{index}.out', 'w+', encoding='utf-8') as out:
            process = subprocess.Popen(['tarsierd', f'--simulate-web={trace}', f'--index={index}'], stdout=out)
            try:
                process.wait(dice.expovariate(1 / mean_s))
                killed = False
            except subprocess.TimeoutExpired:
                process.kill()
                killed = process.wait() != 0
            out.seek(0)
            requests = read_requests(out.read())
            judge.run(requests, killed)
            mean_s *= 1 if requests else 1.5
        if not killed:
            os.unlink(f'{index}.out')
            assert process.returncode == 0, process.returncode
            return kills
    raise AssertionError('the simulation does not end')


# ---- utilisation: the time until all pages of all hosts are fetched


def cycle_ms(host):
    duration = round(host['duration'] * 1000)
    delay = round(host['delay'] * 1000) if host['robots'] == 200 else 0
    return duration + max(10 * duration, 1000, delay)


def fetched_at(requests, hosts):
    return max(at + round(hosts[origin]['duration'] * 1000) for at, origin, _ in requests)


def slowest_host(lines, n_requests):
    """No plan can be faster than its slowest host."""
    return max(cycle_ms(line) * (n_requests[line['host']] - 1) + round(line['duration'] * 1000) for line in lines)


def fifo(lines, by_host=False):
    """The time in which one queue, in the order of discovery, fetches all pages: its head waits for
    its host, and all others behind it. by_host: the pages of one host before those of the next. One
    request a host at a time, any number in all."""
    queues = [[(line, page) for page in (-1, 0)] for line in lines]
    if not by_host:
        queues = [[one for two in zip(*queues) for one in two]]
    now = end = 0
    for queue in queues:
        pending, place, free = [], 0, {}
        while place < len(queue) or pending:
            if place == len(queue):
                now = max(now, pending[0][0])
            while pending and pending[0][0] <= now:
                _, _, line, page = heapq.heappop(pending)
                queue += [(line, i) for i in range(10 * page + 1, min(10 * page + 11, line['generate'])) if page >= 0]
            if place == len(queue):
                continue
            line, page = queue[place]
            ready = max(now, free.get(line['host'], 0), free.get(line['address'], 0))
            if pending and pending[0][0] <= ready:
                now = max(now, pending[0][0])
                continue
            now = ready
            free[line['host']] = free[line['address']] = now + cycle_ms(line)
            heapq.heappush(pending, (now + round(line['duration'] * 1000), place, line, page))
            end = max(end, now + round(line['duration'] * 1000))
            place += 1
    return end


# ---- age


def poisson(dice, rate, end):
    times, at = [], dice.expovariate(rate)
    while at < end:
        times.append(round(at))
        at += dice.expovariate(rate)
    return times


def bursts(dice, rate, end, period=2 * 86400):
    """Ten times the rate in a tenth of the time."""
    shift = dice.uniform(0, period)
    return [at for at in poisson(dice, 10 * rate, end) if (at + shift) % period < period / 10]


def pages_that_change(histories, day, end):
    """One host whose first page links to all pages. day: visits in a day; 0: as many as they are worth."""
    origin = 'https://changes.example'
    urls = [f'{origin}/page-{i}' for i in range(len(histories))]
    return ([{'end': end}, {'host': origin, 'duration': 0.05, 'pages': len(urls) + 1, 'day': day},
             {'url': f'{origin}/', 'links': urls, 'cache-control': 'max-age=31536000'}]
            + [{'url': url, 'changes': changes} for url, changes in zip(urls, histories)])


def age_of(changes, visits, start, end):
    """The integral over time of the time since the first change that no visit has seen yet."""
    total, place, last = 0, 0, 0
    for visit in list(visits) + [end]:
        while place < len(changes) and changes[place] <= last:
            place += 1
        if place < len(changes) and changes[place] < visit and visit > start:
            first = changes[place]
            a = max(first, start) - first
            total += ((visit - first) ** 2 - a ** 2) / 2
        last = visit
    return total


def mean_ages(histories, requests, start, end):
    """Mean age in seconds of the pages under the requests, and under a fixed interval with as many
    requests, from start to end; and the number of requests."""
    visits = [[] for _ in histories]
    for at, _, path in requests:
        if path.startswith('/page-'):
            visits[int(path[len('/page-'):])].append(at / 1000)
    made = sum(at >= start for page in visits for at in page)
    interval = len(histories) * (end - start) / made
    fixed = [[start - interval + (i / len(histories) + k) * interval for k in range(math.ceil((end - start) / interval) + 1)]
             for i in range(len(histories))]
    span = len(histories) * (end - start)
    planned = sum(age_of(c, v, start, end) for c, v in zip(histories, visits)) / span
    equal = sum(age_of(c, [at for at in v if at < end], start, end) for c, v in zip(histories, fixed)) / span
    return planned, equal, made


def mixed_histories(dice, n, end, how):
    return [how(dice, 10 ** dice.uniform(-7, -3.5), end) for _ in range(n)]
