# SPDX-License-Identifier: GPL-3.0-or-later
"""Mail: flags of a Maildir, which a rename changes without a conversion, and attachments that are dated by
their mail; threads."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, tarsier

home = os.environ['HOME']
mail = home + '/Mail'


def found(*query):
    """The names that are found, without directories."""
    paths = tarsier('-l', '-s', 'path', '--dups=show', '--', *query)[1].split('\n')[:-1]
    return ' '.join(p.rsplit('/', 1)[1] for p in paths)


def ordered(query):
    return [p.rsplit('/', 1)[1] for p in tarsier('-l', '--dups=show', '--', query)[1].split('\n')[:-1]]


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
code, out, err = tarsier('is:lost')
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

ok('a mail is found by its sender and the name of its attachment', found('from:ada bill.txt') == '7.host:2,', found('from:ada bill.txt'))

# ---- threads
write('list/cur/a:2,S', message('start'))
write('list/cur/b:2,S', message('x.start', headers='References: <start@example.org>\nIn-Reply-To: <start@example.org>\n'))
write('list/cur/c:2,S', message('leaf', headers='References: <start@example.org>\n <x.start@example.org>\nIn-Reply-To: <x.start@example.org>\n'))
write('list/cur/d:2,S', message('only-parent', headers='In-Reply-To: <leaf@example.org>\n'))
write('list/cur/e:2,S', message('2.start', body='It quotes start@example.org and is not an answer.'))
write('list/cur/f:2,S', 'From: ada@example.org\nSubject: no id\n\nnothing\n')
write('list/cur/g:2,S', message('long', headers='References: ' + '\n '.join(f'<r{i}@example.org>' for i in range(100)) + '\n'))
write('list/cur/h:2,S', message('r0'))
write('list/cur/i:2,S', message('r99'))
write('box.mbox', ''.join(f'From ada@example.org Sun Mar  1 10:00:00 2026\n{text}\n' for text in (message('m1'), message('m2', headers='In-Reply-To: <m1@example.org>\n'))))
answer = 'In-Reply-To: <d2@example.org>\nReferences: <d2@example.org>\n'
write('dated.mbox', ''.join(f'From ada@example.org Sun Mar  1 10:00:00 2026\n{text}\n' for text in (
    message('d1', date='Thu, 12 Mar 2026 10:00:00 +0000', headers=answer, body='A long answer. ' * 90),
    message('d2', date='Tue, 10 Mar 2026 10:00:00 +0000'),
    message('d3', date='Fri, 13 Mar 2026 10:00:00 +0000', headers=answer, body='A longer answer. ' * 900))))
subprocess.run(['tarsier', '-q', 'index'], check=True)
thread = 'a:2,S b:2,S c:2,S'
ok('thread: of the first mail finds its answers', found(f'thread:"{mail}/list/cur/a:2,S"') == thread, found(f'thread:"{mail}/list/cur/a:2,S"'))
ok('thread: of an answer finds the thread', found(f'thread:"{mail}/list/cur/b:2,S"') == thread, found(f'thread:"{mail}/list/cur/b:2,S"'))
ok('thread: of the last mail finds the answer without references too', found(f'thread:"{mail}/list/cur/c:2,S"') == thread + ' d:2,S', found(f'thread:"{mail}/list/cur/c:2,S"'))
ok('a thread is in the order of its dates', ordered(f'thread:"{mail}/dated.mbox|2.eml"') == ['dated.mbox|3.eml', 'dated.mbox|1.eml', 'dated.mbox|2.eml'],
   ordered(f'thread:"{mail}/dated.mbox|2.eml"'))
ok('a thread can be restricted', found(f'thread:"{mail}/list/cur/c:2,S"', 'letter', '-start') == 'c:2,S d:2,S' or found(f'thread:"{mail}/list/cur/c:2,S" title:leaf') == 'c:2,S', found(f'thread:"{mail}/list/cur/c:2,S" title:leaf'))
ok('of many references the first and the last count', found(f'thread:"{mail}/list/cur/g:2,S"') == 'g:2,S h:2,S i:2,S', found(f'thread:"{mail}/list/cur/g:2,S"'))
tarsier('search', '-l', 'title:leaf')
ok('thread:N is the thread of the Nth hit', found('thread:1') == thread + ' d:2,S', found('thread:1'))
members = tarsier('-l', '--dups=show', 'title:m1', 'dir:' + mail)[1].split('\n')[0]
tarsier('search', '-l', '--dups=show', 'is:member', 'title:m2')
ok('thread: finds the messages of a mailbox', len(found('thread:1').split()) == 2, (members, found('thread:1')))
code, out, err = tarsier(f'thread:"{mail}/list/cur/f:2,S"')
ok('a mail without Message-ID is named', code == 2 and 'not a mail with a Message-ID' in err, err)
code, out, err = tarsier('thread:77')
ok('a number that is not a hit is an error', code == 2 and '77 is neither a hit' in err, err)
code, out, err = tarsier('thread:')
ok('thread: needs a value', code == 2, err)
code, out, err = tarsier('--explain', 'thread:1')
ok('--explain can tell a thread', code in (0, 1, 2) and 'Traceback' not in err, err)
done_testing()
