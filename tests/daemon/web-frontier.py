#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The frontier in simulations: it is polite, survives kills, keeps all hosts busy, and visits where
that lowers the age. The real code and tables run; only network and time are simulated."""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.environ['abs_top_srcdir'] + '/bench')
import web_trace as web  # noqa: E402

DIR = os.environ['TEST_TMP']
TEMPORARY = f'{DIR}/temporary'
count = 0


def ok(condition, what, detail=''):
    global count
    count += 1
    print(f"{'ok' if condition else 'not ok'} {count} - {what}", flush=True)
    if not condition and detail != '':
        print(f'# {detail}', flush=True)


def run(name, lines):
    path = f'{DIR}/{name}.jsonl'
    web.write_trace(path, lines)
    return web.simulate(path)


def times(requests, path):
    return [at for at, _, p in requests if p == path]


# The order at two hosts of one address.
A, B = 'https://a.example', 'https://b.example'
lines = [{'end': 3000}, {'host': A, 'address': '192.0.2.1', 'duration': 0.2, 'delay': 5, 'robots': 200},
         {'host': B, 'address': '192.0.2.1', 'duration': 0.5},
         {'url': f'{A}/', 'links': [f'{A}/one', f'{A}/old', f'{B}/x', 'https://elsewhere.example/']},
         {'url': f'{A}/one', 'busy': [0, 100], 'retry-after': '600'}, {'url': f'{A}/old', 'moved': f'{A}/new'},
         {'url': f'{A}/new'}, {'url': f'{B}/'}]
expected = [(2000, A, '/robots.txt'), (4200, B, '/robots.txt'), (9700, A, '/'), (11900, B, '/'), (17400, A, '/one'),
            (19600, B, '/x'), (617600, A, '/old'), (627600, A, '/new')]
got = run('order', lines)
ok(got == expected, 'robots first, one request an address, gaps, Retry-After, moved pages, no other site', got)
ok(run('order', lines) == got, 'the same trace gives the same requests')
os.mkdir(TEMPORARY)
client = subprocess.run(['tarsier', 'web', 'plan', '--simulate', f'{DIR}/order.jsonl'], capture_output=True, text=True,
                        env=os.environ | {'TMPDIR': TEMPORARY})
ok(web.read_requests(client.stdout) == got and client.returncode == 0, 'tarsier web plan prints them', client)
ok(not os.listdir(TEMPORARY), 'their own index is removed at the end', os.listdir(TEMPORARY))

web.write_trace(f'{DIR}/no-host.jsonl', [{'url': f'{A}/'}])
client = subprocess.run(['tarsier', 'web', 'plan', '--simulate', f'{DIR}/no-host.jsonl'], capture_output=True, text=True)
ok(client.returncode != 0 and 'no line has "host"' in client.stderr, 'a trace without hosts is refused', client)

# robots.txt that cannot be reached forbids everything; 404 allows everything.
got = run('robots', [{'end': 8000}, {'host': A, 'robots': 500}, {'url': f'{A}/'}])
ok([r[2] for r in got] == ['/robots.txt'] * 3 and got[1][0] >= 3600000, 'without robots.txt nothing is asked', got)
got = run('robots24', [{'end': 100000}, {'host': A, 'robots': 404, 'day': 100}, {'url': f'{A}/'}])
ok(len(times(got, '/robots.txt')) == 2 and 86400000 <= times(got, '/robots.txt')[1] < 86400000 + 3700000,
   'robots.txt is kept for a day', times(got, '/robots.txt'))

# Feeds.
feeds = [f'{A}/feed{i}' for i in range(3)]
got = run('feeds', [{'end': 4000}, {'host': A, 'duration': 0.01, 'day': 100}, {'url': f'{A}/', 'links': feeds, 'cache-control': 'max-age=99999'}]
          + [{'url': url, 'feed': True} for url in feeds])
moments = sorted(at for at, _, path in got if path.startswith('/feed'))
ok(len(moments) >= 5 and min(b - a for a, b in zip(moments, moments[1:])) >= 60000, 'a minute lies between two feeds', moments)
ok(all(b - a >= 3600000 for f in feeds for a, b in zip(times(got, f[len(A):]), times(got, f[len(A):])[1:])),
   'a feed is asked once an hour at most')

# Statuses: gone at once, faded, fresh by its header.
got = run('fates', [{'end': 40 * 86400}, {'host': A, 'duration': 0.01},
                    {'url': f'{A}/', 'links': [f'{A}/gone', f'{A}/missing', f'{A}/fresh']}, {'url': f'{A}/gone', 'status': 410},
                    {'url': f'{A}/fresh', 'cache-control': 'max-age=864000'}])
ok(len(times(got, '/gone')) == 1, '410 ends a URL')
ok([round((b - a) / 86400000) for a, b in zip(times(got, '/missing'), times(got, '/missing')[1:])] == [1, 2, 4, 8, 16],
   '404 fades', times(got, '/missing'))
ok(all(b - a >= 864000000 for a, b in zip(times(got, '/fresh'), times(got, '/fresh')[1:])) and len(times(got, '/fresh')) == 4,
   'what is fresh is not asked', times(got, '/fresh'))

# A calendar without end, beside a manual with years in its paths.
days = 300
lines = [{'end': 80000}, {'host': A, 'duration': 0.01, 'depth': 1000, 'every': 0},
         {'url': f'{A}/', 'links': [f'{A}/cal/0/x'] + [f'{A}/manual/{i}/x' for i in range(50)], 'cache-control': 'max-age=99999999'}]
lines += [{'url': f'{A}/cal/{i}/x', 'links': [f'{A}/cal/{i + 1}/x'], 'poor': i > 3, 'cache-control': 'max-age=99999999'} for i in range(days)]
lines += [{'url': f'{A}/manual/{i}/x', 'cache-control': 'max-age=99999999'} for i in range(50)]
got = run('trap', lines)
in_calendar = len({p for _, _, p in got if p.startswith('/cal/')})
ok(in_calendar <= 20, 'a branch of near copies sinks', in_calendar)
ok(len({p for _, _, p in got if p.startswith('/manual/')}) == 50, 'a branch of good pages is read')

# Links to pages that do not exist, on sites that say so with 200 and with 404.
for soft in (True, False):
    lines = [{'end': 3000}, {'host': A, 'duration': 0.01, 'soft-404': soft},
             {'url': f'{A}/', 'links': [f'{A}/x/{i}' for i in range(100)] + [f'{A}/y/{i}' for i in range(50)]}]
    lines += [{'url': f'{A}/y/{i}', 'cache-control': 'max-age=99999999'} for i in range(50)]
    got = run('soft', lines)
    missing = len({p for _, _, p in got if p.startswith('/x/')})
    ok(len([p for _, _, p in got if 'no-such-page' in p]) == 1, 'one page that cannot exist is asked')
    ok(missing <= 30 if soft else missing == 100, 'a branch of soft 404s sinks' if soft else 'other sites are read', missing)
    ok(len({p for _, _, p in got if p.startswith('/y/')}) == 50, 'good pages are read')

# robots.txt: forbidden pages, sitemaps, rules that change.
lines = [{'end': 200000}, {'host': A, 'duration': 0.01, 'robots': 200, 'disallow': ['/no', '/*?sort='], 'allow': ['/no/but'],
                           'sitemaps': ['/map.xml'], 'allow-from': 90000},
         {'url': f'{A}/', 'links': [f'{A}/no/a', f'{A}/no/but', f'{A}/x?sort=1', f'{A}/x'], 'cache-control': 'max-age=99999999'},
         {'url': f'{A}/map.xml', 'links': [f'{A}/listed', f'{A}/no/listed'], 'cache-control': 'max-age=99999999'}]
lines += [{'url': f'{A}{path}', 'cache-control': 'max-age=99999999'} for path in
          ('/no/a', '/no/but', '/x?sort=1', '/x', '/listed', '/no/listed')]
got = run('rules', lines)
forbidden = {'/no/a', '/x?sort=1', '/no/listed'}
ok({p for at, _, p in got if at < 90000000} == {'/robots.txt', '/', '/no/but', '/x', '/map.xml', '/listed'}, 'robots.txt is obeyed', got)
ok(forbidden == {p for at, _, p in got if at >= 90000000 and p != '/robots.txt'}, 'what is no longer forbidden is asked', got)
del lines[1]['robots']
ok(run('rules-alone', lines) == got, 'a host with rules has a robots.txt, if nothing else is said')

# A host that never answers, beside one that does; redirects without end.
pages = {'host': B, 'duration': 0.1, 'generate': 50, 'cache-control': 'max-age=99999999'}
alone = run('alone', [{'end': 86400}, pages])
got = run('silent', [{'end': 86400}, {'host': A, 'duration': 1000}, pages])
ok([r for r in got if r[1] == B] == alone, 'a host that never answers keeps no other one waiting')
ok(all(path == '/robots.txt' for _, origin, path in got if origin == A) and len(got) - len(alone) <= 24,
   'it is asked once an hour at most', len(got) - len(alone))
got = run('redirects', [{'end': 86400}, {'host': A, 'duration': 0.01, 'pages': 200, 'depth': 100000},
                        {'url': f'{A}/', 'links': [f'{A}/to/0'], 'cache-control': 'max-age=99999999'}]
          + [{'url': f'{A}/to/{i}', 'moved': f'{A}/to/{i + 1}'} for i in range(5000)])
ok(150 <= len(got) <= 202, 'redirects end at the pages of the source', len(got))

# A topic: of two branches with equal links, the one about it is read.
lines = [{'end': 3000}, {'host': A, 'duration': 0.01, 'pages': 60, 'about': 'growing tomatoes'},
         {'url': f'{A}/', 'links': [f'{A}/{b}/{i}' for i in range(1, 5) for b in 'xy'], 'anchors': ['Read more'] * 8}]
lines += [{'url': f'{A}/{b}/{i}', 'cache-control': 'max-age=99999999', 'title': 'Tomato growing' if b == 'y' else 'Engines',
           'text': 'How tomatoes grow in a garden, and how tomatoes are grown in pots. ' if b == 'y' else 'How engines run.',
           'links': [f'{A}/{b}/{4 * i + j}' for j in range(1, 5)], 'anchors': ['Read more'] * 4} for b in 'xy' for i in range(1, 300)]
got = run('topic', lines)
ok(len(got) == 62 and sum(p.startswith('/y/') for _, _, p in got) > 3 * sum(p.startswith('/x/') for _, _, p in got),
   'a topic is followed to the branch that yields it', [p for _, _, p in got])
listed = lines[:2] + [lines[2] | {'links': [f'{A}/{b}/{i}' for i in range(1, 200) for b in 'xy'], 'anchors': ['Read more'] * 398}]
listed += [line | {'links': [], 'anchors': []} for line in lines[3:]]
got = run('listed', listed)
ok(len(got) == 62 and sum(p.startswith('/y/') for _, _, p in got) > 2 * sum(p.startswith('/x/') for _, _, p in got),
   'links that came before anything was known of their branches follow its yield', [p for _, _, p in got])
lines[1].pop('about')
got = run('no-topic', lines)
ok(sum(p.startswith('/y/') for _, _, p in got) < 2 * sum(p.startswith('/x/') for _, _, p in got), 'without a topic both are read')

# Limits of a source.
got = run('pages', [{'end': 40000}, {'host': A, 'duration': 0.01, 'generate': 500, 'pages': 30, 'cache-control': 'max-age=99999999'}])
ok(len(got) == 32, 'a source ends at its number of pages, beside robots.txt and the probe', len(got))
got = run('depth', [{'end': 40000}, {'host': A, 'duration': 0.01, 'generate': 500, 'depth': 1, 'cache-control': 'max-age=99999999'}])
ok(len(got) == 13, 'a source ends at its depth', len(got))

# Kills at any moment.
lines = [{'end': 20000}] + web.hosts_with_pages(60, 150, addresses=40)
path = f'{DIR}/kills.jsonl'
web.write_trace(path, lines)
judge = web.Judge(lines)
kills = web.simulate_killed(path, f'{DIR}/kills', random.Random(2), 0.3, judge)
print(f'# {judge.requests} requests, {kills} kills')
ok(judge.requests >= 60 * 150 and judge.early == 0, 'no request is early after kills', judge.early)
ok(judge.repeated == 0, 'no answered request is repeated after kills', judge.repeated)

# The judge itself.
judge = web.Judge(lines)
judge.run([(0, 'https://host0.example', '/'), (500, 'https://host0.example', '/')], False)
ok(judge.early == 1 and judge.repeated == 1, 'the judge finds an early and a repeated request')

# All hosts are busy.
lines = web.hosts_with_pages(30, 40)
hosts = {line['host']: line for line in lines}
got = run('busy', [{'end': 20000}] + lines)
n = {origin: sum(r[1] == origin for r in got) for origin in hosts}
ours, best = web.fetched_at(got, hosts), web.slowest_host(lines, n)
ok(all(number == 42 for number in n.values()), 'all pages are fetched')
ok(ours <= 1.05 * best, 'the slowest host alone decides how long it takes', (ours, best))
ok(ours <= 0.8 * web.fifo(lines), 'one queue takes longer', (ours, web.fifo(lines)))
ok(ours <= 0.2 * web.fifo(lines, True), 'host after host takes many times as long', web.fifo(lines, True))

# Visits go where they lower the age.
for name, how, most in (('Poisson', web.poisson, 0.7), ('bursts', web.bursts, 0.7)):
    end = 30 * 86400
    histories = web.mixed_histories(random.Random(4), 60, end, how)
    got = run(name, web.pages_that_change(histories, 240, end))
    planned, fixed, made = web.mean_ages(histories, got, end / 3, end)
    print(f'# {name}: {made} visits, mean age {planned:.0f} s, fixed {fixed:.0f} s')
    ok(planned <= most * fixed, f'{name}: the mean age is at most {most} of that of a fixed interval', planned / fixed)

# A host is not asked for more than its changes are worth.
end, quiet = 40 * 86400, [[] for _ in range(99)]
for name, histories, least, most in (('a site that never changes', quiet + [[]], 60, 130),
                                     ('a site of which one page changes every two hours', quiet + [list(range(0, end, 7200))], 60, 160)):
    got = run('worth', web.pages_that_change(histories, 0, end))
    day = sum(at >= end * 500 for at, _, _ in got) / 20
    ok(least <= day <= most, f'{name} is visited about once a day and page', day)
    first = [sum(day <= at / 86400e3 < day + 1 for at, _, _ in got) for day in range(1, 7)]
    ok(least <= min(first) and max(first) <= most, f'{name} has these visits from its second day on', first)
    last = sum(at >= end * 500 for at in times(got, '/page-99')) / 20
    ok(histories[-1] == [] or last >= 5, f'{name}: visits go where they find something', last)

# A limit of the user is used up by pages that are worth more.
histories = web.mixed_histories(random.Random(5), 100, end, web.poisson)
got = run('limit', web.pages_that_change(histories, 20, end))
day = sum(at >= end * 500 for at, _, _ in got) / 20
ok(17 <= day <= 23, 'a host that may have twenty visits a day has them', day)

# An index that is not a simulation is left alone, and a file that is not a trace is refused.
os.makedirs(f'{DIR}/files')
own = [f'--config={DIR}/other.conf', f'--index={DIR}/other']
subprocess.run(['tarsier', *own, 'add', f'{DIR}/files'], check=True, capture_output=True)
subprocess.run(['tarsierd', *own, '--once'], check=True, capture_output=True)
refused = subprocess.run(['tarsierd', f'--simulate-web={DIR}/order.jsonl', f'--index={DIR}/other'], capture_output=True, text=True)
ok(refused.returncode == 4 and 'not a simulation' in refused.stderr, 'another index is refused', refused)
for text in ('{', '[]', '{"url": "x"}', '{"host": 5}', '{"end": 1} x', '{"url": "https://a/", "links": [[]]}', '{"a": 1}', '{"url": "\\x"}'):
    with open(f'{DIR}/bad.jsonl', 'w', encoding='utf-8') as file:
        file.write('{"end": 5}\n' + text + '\n')
    bad = subprocess.run(['tarsierd', f'--simulate-web={DIR}/bad.jsonl'], capture_output=True, text=True)
    ok(bad.returncode == 2 and 'bad.jsonl:2: ' in bad.stderr and bad.stdout == '', f'no trace: {text}', bad)

# An index that another trace began asks for hosts that this one lacks: they do not answer.
web.write_trace(f'{DIR}/first.jsonl', [{'end': 1}, {'host': A}, {'url': f'{A}/'}])
web.write_trace(f'{DIR}/second.jsonl', [{'end': 100000}, {'host': B}, {'url': f'{B}/'}])
web.simulate(f'{DIR}/first.jsonl', f'--index={DIR}/changed')
got = web.simulate(f'{DIR}/second.jsonl', f'--index={DIR}/changed')
ok({r[1] for r in got} == {A, B}, 'a host that is not in the trace is silent', got)

print(f'1..{count}')
