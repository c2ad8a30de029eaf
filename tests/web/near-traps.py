# SPDX-License-Identifier: GPL-3.0-or-later
"""A calendar and a list with facets, whose pages differ in a few words, are not read for ever; an
archive whose pages differ in a few words that are their own is read to its end."""
import os, random, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

FRAME = ('The harbour office keeps this page for all who moor here. It is written by the clerk on duty and read by '
         'the pilot. Ask at the counter if a berth is free, pay the fee before noon, and tell when you leave. ')
MONTHS = 'January February March April May June July August September October November December'.split()
COLOURS = 'red green blue yellow white black brown grey'.split()
SIZES = 'small medium large huge tiny wide'.split()
ENTRIES = 40
rng = random.Random(3)
WORDS = [''.join(rng.choice('bdfgklmnprstvz') + rng.choice('aeiou') for _ in range(4)) for _ in range(ENTRIES * 4)]


class Endless(dict):
    """Each page below a prefix links to two others."""

    def __init__(self, prefix, text):
        super().__init__({'/robots.txt': Page('', 404), '/': Page(f'<title>Start</title><p>walnut start <a href="{prefix}1.html">.</a> <a href="/last.html">.</a>'),
                          '/last.html': Page('<p>walnut last')})
        self.prefix, self.text = prefix, text

    def get(self, path, default=None):
        if not path.startswith(self.prefix):
            return super().get(path, default)
        n = int(path[len(self.prefix):-5])
        links = ''.join(f'<a href="{self.prefix}{n * 2 + i}.html">.</a> ' for i in range(2))
        return Page(f'<title>Page {n}</title><p>{FRAME}{self.text(n)}<p>{links}')


calendar = Site(address='127.0.0.21')
calendar.pages = Endless('/day/', lambda n: f'On day {n} of {MONTHS[n % 12]} nothing is planned.')
facets = Site(address='127.0.0.22')
facets.pages = Endless('/list/', lambda n: f'Boats that are {COLOURS[n % 8]} and {SIZES[n % 6]}: {n % 17} in all.')
entries = {f'/log/{i}.html': Page(f'<title>Log {i}</title><p>{FRAME}Today came the {" and the ".join(WORDS[i * 4:i * 4 + 4])}.') for i in range(ENTRIES)}
archive = Site({'/robots.txt': Page('', 404), '/': Page('<title>Start</title>' + ''.join(f'<a href="{path}">.</a> ' for path in entries)), **entries},
               address='127.0.0.23')
sites = [calendar, facets, archive]
configure_sources({site.origin + '/': {'kind': 'site'} for site in sites})
daemon = Daemon('-v')
wait_until('the sites are read', lambda: query('SELECT 1 FROM web_url WHERE due = 0') == [] and all(len(site.log) > 10 for site in sites), 200, 0.5)
for name, site, prefix in (('calendar', calendar, '/day/'), ('list with facets', facets, '/list/')):
    asked = len([entry for entry in site.log if entry[1].startswith(prefix)])
    ok(16 <= asked <= 48, f'the {name} sinks', asked)
    equal(len(site.asked('/last.html')), 1, f'the page beside the {name} is read')
equal(len({entry[1] for entry in archive.log if entry[1] in entries}), ENTRIES, 'all pages of the archive are read')
soon('they are found', [archive.origin + path for path in entries], 'site:127.0.0.23', 'clerk')
polite('a second lies between two requests', calendar)
daemon.stop()
finish()
