# SPDX-License-Identifier: GPL-3.0-or-later
"""Mail: flags of a Maildir, which a rename changes without a conversion, and attachments that are dated by
their mail."""
import json, os, subprocess, sys

home = os.environ['HOME']
mail = home + '/Mail'
tests = 0


def ok(name, good, why=''):
    global tests
    tests += 1
    print('%s %d - %s' % ('ok' if good else 'not ok', tests, name), flush=True)
    if not good:
        print('# ' + repr(why)[:2000], flush=True)


def tarsier(*args):
    done = subprocess.run(['tarsier', *args], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def found(*query):
    """The names that are found, without directories."""
    paths = tarsier('-l', '-s', 'path', '--dups=show', '--', *query)[1].split('\n')[:-1]
    return ' '.join(p.rsplit('/', 1)[1] for p in paths)


def write(path, text):
    os.makedirs(os.path.dirname(f'{mail}/{path}'), exist_ok=True)
    with open(f'{mail}/{path}', 'w') as f:
        f.write(text)


def message(id, date='Sun, 1 Mar 2026 10:00:00 +0000', body='A heron.', headers=''):
    return f'From: ada@example.org\nTo: bob@example.org\nSubject: letter {id}\nDate: {date}\nMessage-ID: <{id}@example.org>\n{headers}\n{body}\n'


attachment = ('MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n',
              '--b\nContent-Type: text/plain\n\nSee it.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=bill.txt\n\nfor the pelican\n--b--')
write('in/new/1.host', message('n1'))
write('in/cur/2.host:2,', message('n2'))
write('in/cur/3.host:2,S', message('n3'))
write('in/cur/4.host:2,FS', message('n4'))
write('in/cur/5.host:2,RS', message('n5'))
write('in/cur/6.host;2,FRS', message('n6'))
write('in/cur/7.host:2,', message('n7', date='Tue, 4 Jul 2017 10:00:00 +0000', headers=attachment[0], body=attachment[1]))
write('in/tmp/8.host', message('n8'))
write('in/cur/notes.txt', 'no message: a heron\n')
write('curls/9.host:2,F', message('n9'))
subprocess.run(['tarsier', '-q', 'add', mail], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)

ok('is:unread finds what is new or not seen', found('is:unread type:message') == '2.host:2, 7.host:2, 1.host', found('is:unread type:message'))
ok('is:unread finds attachments of unread mails', found('is:unread pelican') == '7.host:2,|bill.txt', found('is:unread pelican'))
ok('is:flagged finds flagged mails of Maildirs alone', found('is:flagged') == '4.host:2,FS 6.host;2,FRS', found('is:flagged'))
ok('is:answered finds answered mails', found('is:answered') == '5.host:2,RS 6.host;2,FRS', found('is:answered'))
ok('is:replied is the same', found('is:replied') == found('is:answered'))
ok('flags go with words and other states', found('is:flagged,answered', 'heron') == '4.host:2,FS 5.host:2,RS 6.host;2,FRS', found('is:flagged,answered', 'heron'))
ok('flags can be excluded', found('heron -is:unread in:' + mail + '/in/cur') == '3.host:2,S 4.host:2,FS 5.host:2,RS 6.host;2,FRS notes.txt', found('heron -is:unread in:' + mail + '/in/cur'))
code, out, err = tarsier('is:read')
ok('an unknown flag is answered with those there are', code == 2 and 'unread, flagged, answered' in err, err)


def ids():
    hits = [json.loads(l) for l in tarsier('--json', '--no-snippets', '-n', '99', '--dups=show', '--', 'type:message')[1].split('\n')[1:-2]]
    return {h['title']: h['id'] for h in hits}


before = ids()
os.rename(mail + '/in/new/1.host', mail + '/in/cur/1.host:2,FS')
os.rename(mail + '/in/cur/3.host:2,S', mail + '/in/cur/3.host:2,RS')
subprocess.run(['tarsier', '-q', 'index'], check=True)
ok('a rename changes the flags', found('is:flagged') == '1.host:2,FS 4.host:2,FS 6.host;2,FRS' and found('is:answered') == '3.host:2,RS 5.host:2,RS 6.host;2,FRS', found('is:flagged'))
ok('a rename that changes flags converts nothing again', len(before) > 7 and ids() == before, (before, ids()))

ok('an attachment is found by the date of its mail', found('date:2017 pelican') == '7.host:2,|bill.txt', found('date:2017 pelican'))
hit = json.loads(tarsier('--json', 'pelican')[1].split('\n')[1])
ok('it is dated by its mail', hit['mtime'] == '2017-07-04T10:00:00Z', hit)
print('1..%d' % tests)
