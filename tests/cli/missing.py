# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and directories that are missing, damaged, directories or not watched are called so, and the verbs
agree on the exit code."""
import os, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *
from tap import tarsier

docs = HOME + '/docs'
os.makedirs(docs + '/empty')
os.makedirs(docs + '/.git')
os.mkdir(HOME + '/unwatched')
words = 'The heron waits beside the water until a careless frog swims near its feet.\n'
for name in ('a.txt', 'b.txt'):
    with open(f'{docs}/{name}', 'w') as f:
        f.write(words)
with open(docs + '/.git/x.txt', 'w') as f:
    f.write('hidden heron\n')
with open(docs + '/short.txt', 'w') as f:
    f.write('few words\n')
with zipfile.ZipFile(docs + '/box.zip', 'w') as box:
    box.writestr('in.txt', words)
for name in ('broken.pdf', 'same.pdf', 'other.pdf'):
    with open(f'{docs}/{name}', 'w') as f:
        f.write('%PDF-1.4\nbroken\n' if name != 'other.pdf' else '%PDF-1.4\nbroken too\n')
os.symlink(docs, HOME + '/link')
tarsier('-q', 'add', docs)
tarsier('-q', 'index')


def says(words, code, text, *without):
    got = tarsier(*words)
    ok(got[0] == code and text in got[2] and not any(each in got[2] for each in without), ' '.join(words) + f' exits with {code} and says: {text}', got)


missing = HOME + '/missing'
for words in (['show', missing], ['open', missing], ['similar', missing], ['extract', missing], ['list', missing], ['dups', missing], ['dups', '--rules', missing], ['failed', missing],
              ['search', 'heron', '-d', missing], ['search', '-d', missing], ['list', docs + '/a.txt/below'], ['show', docs + '/a.txt/below']):
    says(words, 1, 'does not exist', 'no entries there', 'Nothing found', 'by itself')
got = tarsier('info', missing)
ok(got[0] == 1 and 'does not exist' in got[1], 'info says so too, with the same exit code', got)
says(['index', docs + '/missing'], 2, 'does not exist')
says(['add', missing], 2, 'does not exist')
says(['add', docs + '/a.txt'], 2, 'is not a directory')
got = tarsier('search', 'heron', '-d', missing, '-d', docs)
ok(got[0] == 0 and docs + '/a.txt' in got[1] and f'{missing} does not exist.' in got[2], 'a search of two directories names the one that is missing', got)
says(['search', 'heron', '-d', docs + '/a.txt'], 1, 'a.txt is not a directory.', 'Nothing found', 'by itself')
got = tarsier('search', '--json', 'heron', '-d', missing)
ok(got[0] == 1 and [line[:14] for line in got[1].splitlines()] == ['{"type":"begin', '{"type":"end",'], 'JSON is whole all the same', got)
got = tarsier('search', '-q', 'heron', '-d', missing)
ok(got == (1, '', ''), 'with -q nothing is said', got)
for verb in ('list', 'dups', 'failed', 'search'):
    says([verb, '-d', HOME + '/unwatched', 'heron'] if verb == 'search' else [verb, HOME + '/unwatched'], 1, 'not in a watched directory')
says(['list', docs + '/.git'], 1, '.git is not in the index: ')
says(['dups', docs + '/empty'], 1, 'There are no copies.')
says(['failed', docs + '/empty'], 1, 'No conversion has failed there.')
got = tarsier('search', 'nosuchword', 'otherword', 'nosuchword')
ok(got[2].count('"nosuchword"') == 1 and got[2].count('"otherword"') == 1, 'a missing word that stands twice in the query is named once', got)
got = tarsier('search', *(f'nosuchword{chr(97 + i)}{chr(97 + i)}' for i in range(9)))
equal([line for line in got[2].splitlines() if ' in no text' in line or 'contains the word' in line],
      [f'No text or file name contains the word "nosuchword{c}{c}".' for c in 'abcde'] + ['4 more words are in no text and no file name.'], 'of many missing words the first are named')
got = tarsier('search', 'heron ' * 1000)
ok(got[0] == 2 and all(len(line) <= 130 for line in got[2].splitlines()) and '^' in got[2], 'of a query that is too long, an error shows the place in one line', got[2])
# ---- --soft is named where it finds something
soft = '--soft shows'
says(['search', 'how', 'did', 'the', 'heron', 'wait'], 1, soft + ' what has the other words')
says(['search', 'heron', 'few'], 1, soft + ' the best partial matches')
says(['search', 'heron', 'few', 'ext:pdf'], 1, 'nothing matches all of it', soft)
says(['search', 'nosuchword', 'otherword'], 1, 'otherword', soft)
says(['search', 'heron', 'nosuchword', 'ext:none'], 1, 'nosuchword', soft)
says(['search', 'heron', 'nosuchword', '-s', 'date'], 1, 'nosuchword', soft)
says(['search', 'heron', '-nosuchword', 'few'], 1, soft)
says(['search', 'hreon', 'few', 'words'], 1, 'nearest word is "heron"')
says(['search', 'nosuchword', '-d', HOME + '/link'], 1, 'No text or file name contains the word "nosuchword"')
says(['search', '図書館'], 1, 'No text or file name contains the word "図書館".', '"図書"', '"書館"')
got = tarsier('search', 'heron 図書館の本 nosuchword')
equal([line for line in got[2].splitlines() if 'contains' in line], ['No text or file name contains the word "図書館の本".', 'No text or file name contains the word "nosuchword".'],
      'a word of a script without spaces is named once, as it was typed')
link = HOME + '/link'
got = tarsier('search', 'heron', '-d', link)
ok(got[0] == 0 and docs + '/a.txt' in got[1], 'a link to a watched directory is searched', got)
ok(docs + '/a.txt' in tarsier('list', link)[1], 'it is listed')
ok(docs + '/other.pdf' in tarsier('failed', link)[1], 'its failures are listed')
ok(docs + '/a.txt' in tarsier('dups', link)[1], 'and its copies')
for verb in ('show', 'similar', 'extract'):
    says([verb, docs], 1, 'is a directory; "tarsier list" lists')
unprivileged = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] if os.geteuid() == 0 else []
os.chmod(docs + '/a.txt', 0)
for verb in ('show', 'info', 'similar', 'extract'):
    got = subprocess.run([*unprivileged, 'tarsier', verb, docs + '/a.txt'], capture_output=True, text=True, timeout=60)
    ok(got.returncode == 1 and (verb == 'show' or 'a.txt: Permission denied' in got.stdout + got.stderr), f'{verb} of a file that may not be read exits with 1', got)
os.chmod(docs + '/a.txt', 0o600)

# ---- documents that have no text
says(['similar', docs + '/broken.pdf'], 0, 'broken.pdf: it is damaged', 'too few words')
got = tarsier('similar', docs + '/broken.pdf')
ok(got[1] == docs + '/same.pdf\n', 'files that are equal to a damaged one are shown', got)
says(['similar', docs + '/other.pdf'], 1, 'other.pdf: it is damaged', 'too few words')
says(['similar', docs + '/short.txt'], 1, 'too few words')
says(['search', f'near:"{docs}/other.pdf"'], 2, 'it is damaged', 'too few words')
says(['show', docs + '/other.pdf'], 1, 'it is damaged')
says(['extract', docs + '/other.pdf'], 1, 'it is damaged')
says(['similar', docs + '/box.zip|none.txt'], 1, 'there is no such member', 'too few words')
says(['similar', docs + '/box.zip|in.txt'], 0, '')
says(['extract', docs + '/box.zip|in.txt'], 2, '"tarsier show" prints')
code, out, err = tarsier('show', docs + '/box.zip|none.txt')
ok(code == 1 and '"tarsier info" tells why' in err and 'extract' not in err, 'of a member that the index lacks show names no command that refuses it', err)
for verb in ('show', 'similar', 'extract'):
    says([verb, 'https://a.example/page'], 1, 'https://a.example/page is not in the index; "tarsier info" tells why')

# ---- retry
daemon = Daemon()
says(['retry', missing], 1, 'does not exist', 'tarsier search', 'queued')
says(['retry', docs + '/other.pdf'], 0, '1 file is queued again')
daemon.stop()

# ---- a number is a document for show, and a hit for open
id = json.loads(tarsier('info', '--json', docs + '/short.txt')[1])['id']
got = tarsier('--color', 'always', 'show', '--no-pager', str(id))
ok(got[0] == 0 and f'{id} is the number of the document {docs}/short.txt' in got[2], 'on a terminal, show says what a number means', got)
for words in (['show', str(id)], ['--color', 'always', 'show', '--no-pager', f'id:{id}'], ['--color', 'always', 'show', '--no-pager', docs + '/a.txt']):
    got = tarsier(*words)
    ok(got[0] == 0 and got[2] == '', 'but not ' + ' '.join(words), got)

# ---- a path that no system call takes
parts = ['d' * 200] * 25
here = os.getcwd()
os.chdir(docs)
for part in parts:
    os.mkdir(part)
    os.chdir(part)
with open('deep.txt', 'w') as f:
    f.write('a narwhal below all others\n')
os.chdir(here)
deep = '/'.join([docs, *parts, 'deep.txt'])
tarsier('-q', 'index')
for words in (['-l', 'narwhal'], ['-l', 'name:deep'], ['-l', '-d', os.path.dirname(deep), 'narwhal']):
    got = tarsier(*words)
    ok(got[0] == 0 and got[1] == deep + '\n', f'a file with a path of more than 4,096 bytes is found by {words[-1]} ({len(words)} words)', got)
got = tarsier('info', '--json', deep)
ok(got[0] == 0 and json.loads(got[1])['state'] == 'ok', 'info knows it', got)
got = tarsier('show', deep)
ok(got[:2] == (0, 'a narwhal below all others\n'), 'and show prints it', got)
says(['open', deep], 5, 'File name too long')
finish()
