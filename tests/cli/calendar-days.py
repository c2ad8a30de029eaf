# SPDX-License-Identifier: GPL-3.0-or-later
"""A day, and a time without a zone, are those of the calendar here, wherever that is."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier

docs = os.environ['HOME'] + '/docs'
DATES = {'day': '2026-03-01', 'evening': '2026-03-01T23:30:00', 'zulu': '2026-03-01T23:30:00Z'}
# By zone: the documents of the day before, of the day and of the day after.
WANTED = {'UTC0': ('', 'day evening zulu', ''), 'EST5': ('', 'day evening zulu', ''), 'JST-9': ('', 'day evening', 'zulu'),
          'LINT-14': ('', 'day evening', 'zulu'), 'SST11': ('', 'day evening zulu', '')}

for zone, days in WANTED.items():
    here = f'{docs}/{zone}'
    os.makedirs(here)
    for name, date in DATES.items():
        with open(f'{here}/{name}.md', 'w') as f:
            f.write(f'---\ntitle: {name} in {zone}\ndate: {date}\n---\n\nA marmoset.\n')
    if zone == 'UTC0':
        subprocess.run(['tarsier', '-q', 'add', docs], check=True)
    subprocess.run(['tarsier', '-q', 'index'], check=True, env=dict(os.environ, TZ=zone))
    for day, wanted in zip(('2026-02-28', '2026-03-01', '2026-03-02'), days):
        out = tarsier('search', '-l', '-s', 'path', '--dups=show', '-d', here, '--', f'date:{day}', env={'TZ': zone})[1]
        found = ' '.join(os.path.basename(line)[:-3] for line in out.splitlines())
        ok(f'{zone}: {day} has {wanted or "nothing"}', found == wanted, found)
    out = tarsier('show', '--meta', f'{here}/evening.md', env={'TZ': zone})[1]
    ok(f'{zone}: a time without a zone is shown as it is', '2026-03-01 23:30' in out or '2026-03-01T23:30:00' in out, out)
done_testing()
