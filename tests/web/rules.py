# SPDX-License-Identifier: GPL-3.0-or-later
"""URL rules are learned from the pages of a site, survive kills, and keep redundant URLs from being
asked; what they replace is found by its own URL; a rule that proves wrong is withdrawn."""
import json, os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

rng = random.Random(5)
WORDS = [''.join(rng.choice('bdfgklmnprstvz') + rng.choice('aeiou') for _ in range(3)) for _ in range(400)]
FIRST, LATER = 20, 10  # pages of a site that are there at first, and later


def text(n, salt=0):
    words = random.Random(n * 7 + salt).sample(WORDS, 60)
    return f'<p>walnut number{n} ' + ' '.join(words) + '.'


# How each site writes the URL of a page that it repeats, and that URL.
FORMS = {
    'print': ('/text/{n}.html', '/print/text/{n}.html'),
    'session': ('/view/{n}', '/view/{n}?visit={key}'),
    'index': ('/chapter{n}/', '/chapter{n}/index.html'),
    'tilde': ('/~ada/{n}.html', '/people/ada/{n}.html'),
}


class Pages:
    """A site with one kind of redundant URLs, at an address of its own, so that all are read at once."""

    def __init__(self, kind, number):
        self.kind, self.numbers = kind, []
        self.site = Site({'/robots.txt': Page('', 404)}, address=f'127.0.0.{number}')
        self.start = self.site.origin + '/'
        self.add(range(FIRST))

    def forms(self, n):
        return [form.format(n=n, key=f'{n * 7919 + 13:x}q') for form in FORMS[self.kind]]

    def add(self, numbers):
        self.numbers += numbers
        for n in numbers:
            first, other = self.forms(n)
            self.site.pages[first] = Page(f'<title>Text {n}</title>{text(n)}')
            # the copy has another title and other bytes
            self.site.pages[other] = Page(f'<title>Text {n} ({self.kind})</title><body class="{self.kind}">{text(n)}')
        links = [f'<a href="{form}">x</a>' for n in self.numbers for form in self.forms(n)]
        rng.shuffle(links)
        self.site.pages['/'] = Page(f'<title>Start</title><p>start of {len(self.numbers)} {" ".join(links)}')

    def rules(self, state=None):
        done = subprocess.run(['tarsier', 'web', 'rules', self.start, '--json'], capture_output=True, text=True, timeout=60)
        rules = [json.loads(line) for line in done.stdout.splitlines()]
        return [rule for rule in rules if state is None or rule['state'] == state]

    def urls(self, numbers):
        return [self.site.origin + self.forms(n)[0] for n in numbers]


class Pairs(Pages):
    """Two texts with each number: URLs and sizes suggest a rule, the texts differ."""

    def forms(self, n):
        return [f'/story?id={n}', f'/photo?id={n}']

    def add(self, numbers):
        super().add(numbers)
        for n in numbers:
            self.site.pages[f'/photo?id={n}'] = Page(f'<title>Text {n}</title>{text(n, 1)}')


sites = [Pages(kind, 11 + i) for i, kind in enumerate(FORMS)]
others = Pairs('pairs', 10)
every = sites + [others]
configure_sources({each.start: {'kind': 'site'} for each in every})
daemon = Daemon('-v')


def killed(name, condition, seconds=150):
    """Waits, and kills the daemon as soon as it holds."""
    global daemon
    wait_until(name, condition, seconds, 0.05)
    daemon.stop(signal.SIGKILL)
    daemon = Daemon('-v')


def has_rules(state, n):
    return query(f'SELECT count(*) FROM web_rule WHERE state = {state}')[0][0] >= n


def nothing_waits():
    """Asks for what was lost with a daemon, which would come in an hour."""
    waiting = query('SELECT h.name || web_path(u.path), u.due FROM web_url u JOIN web_host h ON h.id = u.host WHERE u.status = 0 AND u.due IS NOT NULL')
    lost = [os.fsdecode(url) for url, due in waiting if due > 0]
    if lost:
        visit(*lost)
    return not waiting


killed('a lesson is over', lambda: os.path.exists(Daemon.index + '/index.db') and query('SELECT count(*) FROM web_lesson')[0][0] >= 1)
killed('a rule is valid', lambda: has_rules(1, 1))
killed('a URL is an alias', lambda: query('SELECT count(*) FROM web_url WHERE status = 3')[0][0] >= 5)
wait_until('each site has its rule', lambda: has_rules(1, len(sites)), 150)
wait_until('all URLs are asked', nothing_waits, 150, 1)
wait_until('all rules are applied', lambda: query('SELECT count(*) FROM web_lesson WHERE walk = 1') == [(0,)], 60)
for each in sites:
    rules = each.rules('valid')
    ok(len(rules) == 1 and rules[0]['precision'] == 1 and rules[0]['support'] >= 11 and rules[0]['saved'] >= 5,
       f'{each.kind}: one rule is learned', rules)
equal(others.rules('valid'), [], 'pages that differ make no rule')


def numbers_found(each):
    done = subprocess.run(['tarsier', 'search', '-n', '1000', '--dups=show', 'walnut'], capture_output=True, text=True, timeout=60)
    return sorted(url for url in done.stdout.splitlines() if url.startswith(each.start))


for each in sites:
    wait_until(f'{each.kind}: one page of each text is found', lambda: numbers_found(each) == sorted(each.urls(range(FIRST))), 60)
    equal(numbers_found(each), sorted(each.urls(range(FIRST))), f'{each.kind}: each text is found once')
equal(len(numbers_found(others)), 2 * FIRST, 'no page is lost where there is no rule')

# ---- the next crawl

before = {each: len(each.site.log) for each in every}
for each in every:
    each.add(range(FIRST, FIRST + LATER))
visit(*(each.start for each in every))


def is_read():
    nothing_waits()
    return all(numbers_found(each) == sorted(each.urls(each.numbers)) for each in sites)


killed('new pages are asked', lambda: all(len(each.site.log) > before[each] + 3 for each in sites))
wait_until('the new pages are found', is_read, 90, 1)
for each in sites:
    equal(numbers_found(each), sorted(each.urls(each.numbers)), f'{each.kind}: the new pages are found')
    redundant = {each.forms(n)[1] for n in each.numbers}
    asked = [path for _, path, _, _ in each.site.log[before[each]:] if path in redundant]
    equal(asked, [], f'{each.kind}: no redundant URL is asked')
    done = found('url:' + each.site.origin + each.forms(FIRST + 1)[1])
    equal(done, each.urls([FIRST + 1]), f'{each.kind}: the URL that was not asked finds the page')
    saved = each.rules('valid')[0]['saved']
    ok(saved >= FIRST // 2 + LATER, f'{each.kind}: saved pages are counted', saved)
polite('a second lies between two requests', sites[0].site)
alias = sites[0].site.origin + sites[0].forms(FIRST + 1)[1]
done = subprocess.run(['tarsier', 'web', 'visit', alias, '--json'], capture_output=True, text=True)
verdict = json.loads(done.stdout)
port = sites[0].site.origin.split(':')[-1]
equal((done.returncode, verdict['verdict'], verdict['other'], verdict['rule']),
      (1, 'alias', sites[0].urls([FIRST + 1])[0], f'{port}/print/text/\t{port}/text/'), 'a visit of the URL names the rule')

# ---- tests of what was learned

daemon.stop()
database = sqlite3.connect(Daemon.index + '/index.db')
database.execute('UPDATE web_rule SET tested = 1')
database.commit()
database.close()
tilde = sites[3]
for n in tilde.numbers:  # the other directory has texts of its own now
    tilde.site.pages[tilde.forms(n)[1]] = Page(f'<title>Text {n}</title>{text(n, 2)}')
before = {each: len(each.site.log) for each in every}
daemon = Daemon('-v')
wait_until('a test refutes a rule', lambda: tilde.rules('refuted') != [], 60, 0.5)
equal(tilde.rules('valid'), [], 'a rule whose pages differ is withdrawn')
wait_until('what it replaced is found', lambda: len(numbers_found(tilde)) == 2 * (FIRST + LATER), 120, 1)
equal(len(numbers_found(tilde)), 2 * (FIRST + LATER), 'its URLs are asked again')

# ---- a page that its rule hides

session = sites[1]
first, other = session.forms(3)
session.site.pages[first] = Page('gone', 410)
visit(session.site.origin + first)
wait_until('a page that is gone refutes its rule', lambda: session.rules('refuted') != [], 90, 0.5)
wait_until('the page is found by the other URL', lambda: session.site.origin + other in found('walnut', 'number3'), 90, 1)
ok(session.site.origin + other in found('walnut', 'number3'), 'a page whose URL is gone is found by the other one')
daemon.stop()
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'the index is sound')
finish()
