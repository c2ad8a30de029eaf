# SPDX-License-Identifier: GPL-3.0-or-later
"""The wall clock jumps by hours, forward and back, while the daemon runs and while it is dead: by the
monotonic clock of the server no request is early, and no page waits for hours. JUMPS_SEED repeats
the jumps."""
import mmap, os, random, struct, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

library = os.path.join(BUILD, 'tests/faults/.libs/fake-clock.so')
if not os.path.exists(library):
    skip_all('the clock cannot be replaced here')
with open(TMP + '/clock', 'wb') as f:
    f.write(bytes(8))
clock = mmap.mmap(os.open(TMP + '/clock', os.O_RDWR), 8)
HOURS = 3600 * 10**9
DELAY_S = 2
PAGES = 7
seed = int(os.environ.get('JUMPS_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print(f'# JUMPS_SEED={seed}', flush=True)


def start():
    return Daemon('-v', wrapper=['env', f'LD_PRELOAD={library}', f'FAKE_CLOCK={TMP}/clock',
                                 'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'])


def jump(hours):
    now = struct.unpack('=q', clock)[0]
    struct.pack_into('=q', clock, 0, now + int(hours * HOURS))


def nothing_asked():
    return os.path.exists(Daemon.index + '/index.db') and query('SELECT count(*) FROM web_host WHERE asked IS NOT NULL') == [(0,)]


site = Site({'/robots.txt': Page(f'User-agent: *\nCrawl-delay: {DELAY_S}\n', Content_Type='text/plain')})
start_url = site.origin + '/'
site.pages['/'] = Page('<p>walnut start ' + ' '.join(f'<a href="/{i}.html">{i}</a>' for i in range(PAGES)))
for i in range(PAGES):
    site.pages[f'/{i}.html'] = Page(f'<title>{i}</title><p>walnut page{i}')
urls = [start_url] + [f'{start_url}{i}.html' for i in range(PAGES)]
configure_sources({start_url: {'kind': 'site'}})
daemon = start()
jumps = [sign * rng.uniform(2, 20) for sign in (1, -1, 1, -1, -1, 1)]
for i, hours in enumerate(jumps):
    before = len(site.log)
    wait_until(f'something is asked before jump {i}', lambda: len(site.log) > before, 60, 0.01)
    dies = i % 2 == 1 or i == 4
    if dies:
        wait_until('it is answered', nothing_asked, 10, 0.01)
        daemon.stop(signal.SIGKILL)
    if dies and not nothing_asked():
        hours = 0  # a request was lost; with a clock set back its host would wait for ten minutes, as after the slowest answer
    jump(hours)
    print(f'# {hours:+.1f} hours, {"dead" if dies else "running"}', flush=True)
    if dies:
        daemon = start()
soon('no page waits for hours', urls, 'walnut', seconds=100)
gaps = site.gaps()
ok(all(gap >= DELAY_S - 0.001 for gap in gaps), 'no request is early', gaps, [entry[1] for entry in site.log])
daemon.stop()
finish()
