# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that writes new words all day reaches the limit of its directory: its next files wait
for the next day and say so, other directories go on, and the next day they are read."""
import mmap, os, sqlite3, struct, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

WORDS, FILES, LIMIT, DAY_S = 1000, 12, 5000, 86400
clock_library = os.path.join(os.environ['abs_top_builddir'], 'tests/faults/.libs/fake-clock.so')
if not os.path.exists(clock_library):
    skip_all('the clock cannot be replaced here')
with open(TMP + '/clock', 'wb') as f:
    f.write(bytes(8))
clock = mmap.mmap(os.open(TMP + '/clock', os.O_RDWR), 8)
days = 0


def start():
    return Daemon(wrapper=['env', f'LD_PRELOAD={clock_library}', f'FAKE_CLOCK={TMP}/clock',
                           'ASAN_OPTIONS=' + os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'])


def save(path, text):
    """Puts a whole file in place: one that is read while it is written would be read twice."""
    beside = write('.beside', text)
    os.makedirs(os.path.dirname(f'{TREE}/{path}'), exist_ok=True)
    os.rename(beside, f'{TREE}/{path}')


def pass_day():
    global days
    days += 1
    struct.pack_into('=q', clock, 0, days * DAY_S * 10**9)
    write('tick', f'day {days}')
    daemon.sync()


def limits(**values):
    configure()
    with open(HOME + '/.config/tarsier/tarsier.conf', 'a') as f:
        f.write('[limits]\n' + ''.join(f'{key.replace("_", "-")}={value}\n' for key, value in values.items()))


def new_words(prefix, n=WORDS):
    return ' '.join(f'{prefix}w{i:x}' for i in range(n))


def is_found(word):
    return subprocess.run(['tarsier', 'search', '-q', word], capture_output=True).returncode == 0


def waiting():
    return json.loads(subprocess.run(['tarsier', 'status', '--json'], capture_output=True).stdout)['day_limited']


def say(*arguments):
    return subprocess.run(['tarsier', *arguments], capture_output=True, text=True).stdout


limits(daily_words=LIMIT)
daemon = start()
for i in range(FILES):
    save(f'noisy/{i % 3}/{i}.txt', new_words(f'n{i}'))
    daemon.sync()
first_day = FILES - waiting()
ok(LIMIT // WORDS <= first_day <= LIMIT // WORDS + 1, 'the files of a day are read until the limit of words', first_day)
ok(is_found(f'n{first_day - 1}w0') and not is_found(f'n{first_day}w0'), 'they are found, and the next one is not')
late = f'{TREE}/noisy/{first_day % 3}/{first_day}.txt'
info = json.loads(say('info', '--json', late))
equal((info['state'], info['reason']), ('failed', 'day-limit'), 'info says why')
ok(late in say('failed'), 'failed lists it')
ok('Tomorrow' in say('status'), 'status tells that files wait', say('status'))
equal(is_found('name:' + os.path.basename(late)), True, 'it is found by its name')
for i in range(3):
    save(f'quiet/{i}.txt', new_words(f'q{i}'))
save('here.txt', new_words('h'))
daemon.sync()
ok(is_found('q2w0') and is_found('hw0'), 'other directories, and files right in the root, have limits of their own')
write('noisy/0/0.txt', new_words('later'))
daemon.sync()
ok(is_found('n0w0') and not is_found('laterw0'), 'a file that changes then keeps its old text')
os.unlink(f'{TREE}/noisy/0/0.txt')
daemon.sync()
equal(is_found('n0w0'), False, 'a file that is deleted is gone')
subprocess.run(['tarsier', 'retry'], capture_output=True)
daemon.sync()
equal(waiting(), FILES - first_day, 'they cannot be had earlier')

pass_day()
left = waiting()
ok(left < FILES - first_day, 'the next day the next ones are read', left)
while waiting() > 0 and days < 10:
    pass_day()
equal(waiting(), 0, 'in the end all are read')
same('the index equals the file system')

for i in range(FILES):
    save(f'busy/{i}.txt', new_words(f'b{i}'))
    daemon.sync()
ok(waiting() > 0, 'the limit is reached again')
daemon.stop()
limits(daily_words=2 * WORDS)
daemon = start()
daemon.sync()
before = waiting()
limits(daily_words=0)
ok(wait_until('the new settings are used', lambda: daemon.sync() and waiting() == 0), 'without a limit all are read at once', before)

limits(daily_words=0, daily_text='1 MiB')
pass_day()
for i in range(8):
    save(f'long/{i}.txt', f'text {i} ' + 'the same few words again and again ' * 10000)
    daemon.sync()
ok(2 <= 8 - waiting() <= 4, 'text counts although its words are known', waiting())
pass_day()
same('the index equals the file system after all limits')
daemon.stop()

# ---- a conversion that was left for later
limits(daily_words=LIMIT)
content = query("SELECT content FROM inode i JOIN node n ON n.inode = i.id WHERE n.name = CAST('here.txt' AS BLOB)")[0][0]
db = sqlite3.connect(Daemon.index + '/index.db')
db.execute('INSERT INTO meta VALUES(?, ?)', (f'later {content}', content))
db.commit()
db.close()


def left_for_later():
    return query("SELECT count(*) FROM meta WHERE key LIKE 'later %'")[0][0]


write('spends.txt', new_words('s', 2 * LIMIT))
daemon = start()
daemon.sync()
equal(left_for_later(), 1, 'in a directory that reached its limit, what is left for later waits too')
pass_day()
ok(wait_until('the conversion is done', lambda: left_for_later() == 0, 30), 'it is done the next day', log_text())
same('the index equals the file system after that day')
daemon.stop()
finish()
