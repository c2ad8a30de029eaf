# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs public test suites against the parsers of sites and feeds. TARSIER_SUITES names the directory
that has them; docs/WEB.md, "Public suites", says where they come from, and lists every case that comes
out otherwise than the suite wants it, with the reason. A case that is not listed fails, and so does
one that is listed and comes out right. A suite, or a tool that it needs, that is missing is skipped."""
import csv, fnmatch, glob, html, json, os, re, shutil, subprocess, sys, time
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

HERE = os.path.join(os.environ['abs_top_srcdir'], 'tests/web/suites')
SUITES = os.environ.get('TARSIER_SUITES', '')
DRIVER = os.environ['SUITE_DRIVER'] = os.path.join(os.environ['abs_top_builddir'], 'tests/web/suites/suite-driver')
if not os.path.isdir(SUITES):
    skip_all('TARSIER_SUITES names no directory with public suites')


def listed():
    """Returns suite -> (number of cases, patterns of their names), from the tables of docs/WEB.md."""
    with open(os.path.join(os.environ['abs_top_srcdir'], 'docs/WEB.md')) as f:
        text = f.read().split('\n## Public suites\n')[1].split('\n## ')[0]
    out = {}
    for suite, number, names in re.findall(r'^\| (\w[\w-]*) \| (\d+) \| ((?:`[^`]+`,? ?)+)\|', text, re.M):
        out.setdefault(suite, []).append((int(number), re.findall(r'`([^`]+)`', names)))
    return out


EXCEPTIONS = listed()


def matches(name, pattern):
    """Only "*" is special in a pattern."""
    return fnmatch.fnmatchcase(name, pattern.replace('[', '[[]').replace('?', '[?]'))


def judge(suite, results):
    """results: (name, good, why) of each case."""
    bad = [(name, why) for name, good, why in results if not good]
    rows = EXCEPTIONS.get(suite, [])
    patterns = [pattern for _, names in rows for pattern in names]
    counts = [(number, sum(any(matches(name, pattern) for pattern in names) for name, _ in bad), names[0]) for number, names in rows]
    unlisted = [entry for entry in bad if not any(matches(entry[0], pattern) for pattern in patterns)]
    unused = [pattern for pattern in patterns if not any(matches(name, pattern) for name, _ in bad)]
    print(f'# {suite}: {len(results) - len(bad)}/{len(results)}', flush=True)
    for name, why in bad:
        print(f'#   {name}: {str(why)[:300]}', flush=True)
    ok(results, f'{suite}: there are cases')
    ok(not unlisted, f'{suite}: each exception is listed', *unlisted)
    ok(not unused, f'{suite}: each exception that is listed is one', *unused)
    ok(all(listed == found for listed, found, _ in counts), f'{suite}: as many as the list says', *(row for row in counts if row[0] != row[1]))


def has(suite, path, *tools):
    """The path of a suite; None if it or a tool is missing, which is told."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing or not os.path.exists(os.path.join(SUITES, path)):
        skip(suite, f'there is no {missing[0] if missing else path}')
        return None
    return os.path.join(SUITES, path)


def run(*words, data=b''):
    return subprocess.run(words, input=data, capture_output=True, timeout=280).stdout


def lines_of(output):
    """Results that a foreign test printed: "ok" or "failed", TAB, name, TAB, why."""
    rows = [line.split('\t') for line in output.decode(errors='replace').splitlines() if line.startswith(('ok\t', 'failed\t'))]
    return [(row[1], row[0] == 'ok', row[2] if len(row) > 2 else '') for row in rows]


# ---- robots.txt

def allowed(path, agent, urls):
    out = run('tarsier', 'web', 'allowed', '--robots', path, '--agent', agent, data='\n'.join(urls).encode() + b'\n')
    return [line.split('\t')[0] for line in out.decode(errors='replace').splitlines()]


def robots_google():
    source = has('robots-google', 'robots/google-robots_test.cc', 'g++')
    if not source:
        return
    for name in ('robots.h', 'gtest/gtest.h', 'absl/strings/str_cat.h', 'absl/strings/string_view.h'):
        os.makedirs(os.path.dirname(f'{TMP}/google/{name}'), exist_ok=True)
        with open(f'{TMP}/google/{name}', 'w') as f:
            f.write(f'#include "{HERE}/google.h"\n')
    subprocess.run(['g++', '-std=c++17', '-w', '-I', f'{TMP}/google', '-o', f'{TMP}/google/run', source], check=True)
    judge('robots-google', lines_of(run(f'{TMP}/google/run')))


def robots_real():
    table = has('robots-real', 'robots/real.tsv')
    if not table:
        return
    wanted = {}
    with open(table, encoding='utf-8', errors='surrogateescape') as f:
        for row in csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
            wanted.setdefault((row[0], row[1]), []).append(row[2:])
    results = []
    for (site, agent), rows in wanted.items():
        files = [path for path in (f'{SUITES}/robots/real/{site}', f'{SUITES}/robots/real/{site}.txt') if os.path.exists(path)]
        got = allowed(files[0], agent, [row[0] for row in rows]) if files else []
        results += [(f'{site} {agent} {url}', i < len(got) and got[i] == verdict, f'not {verdict}') for i, (url, verdict) in enumerate(rows)]
    judge('robots-real', results)


def java_suite(suite, sources, tests):
    """Compiles tests of crawler-commons with the files that stand for its classes; returns their results."""
    top = f'{TMP}/java-{suite}'
    files = {}
    for source in sources:
        with open(os.path.join(HERE, source)) as f:
            for part in f.read().split('\n// ==== ')[1:]:
                name, files[f'{top}/src/{name}'] = part.split('\n', 1)
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)
    os.makedirs(f'{top}/src/test')
    os.symlink(f'{SUITES}/crawler-commons/resources', f'{top}/src/test/resources')
    subprocess.run(['javac', '-nowarn', '-encoding', 'UTF-8', '-d', f'{top}/classes', *files, *tests], check=True)
    results = []
    for test in tests:
        name = os.path.basename(test)[:-len('.java')]
        package = os.path.basename(os.path.dirname(test))
        done = subprocess.run(['java', '-Dfile.encoding=UTF-8', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', f'{top}/classes:{SUITES}/crawler-commons/resources', 'suite.Run',
                               f'crawlercommons.{package}.{name}'], capture_output=True, timeout=280, cwd=top)
        results += [(f'{name}.{case}', good, why) for case, good, why in lines_of(done.stdout)]
    return results


def robots_crawler_commons():
    suite = has('robots-crawler-commons', 'crawler-commons/robots', 'javac', 'java')
    if suite:
        judge('robots-crawler-commons', java_suite('robots', ['CrawlerCommons.java'], sorted(glob.glob(f'{suite}/*Test.java'))))


# ---- URLs

def parts_of(pairs):
    """Parses (URL, base) pairs."""
    data = '\n'.join(f'{text.encode("utf-8", "surrogatepass").hex()}\t{(base or "").encode("utf-8", "surrogatepass").hex()}' for text, base in pairs)
    names = ('href', 'protocol', 'username', 'password', 'host', 'port', 'pathname', 'search', 'hash')
    lines = run(DRIVER, 'url', data=data.encode() + b'\n').decode().split('\n')[:-1]
    return [None if line == 'failure' else dict(zip(names, line.split('\t'))) for line in lines]


def valid_text(text):
    """A lone surrogate is no text that a file could have."""
    return not any(0xd800 <= ord(c) < 0xe000 for c in text)


def urls_wpt():
    path = has('urls', 'url/urltestdata.json')
    if not path:
        return
    cases = [case for case in json.load(open(path)) if isinstance(case, dict) and valid_text(case['input'])]
    results = []
    for case, got in zip(cases, parts_of([(case['input'], case.get('base')) for case in cases])):
        wanted = None if case.get('failure') else {name: case[name] for name in ('href', 'protocol', 'username', 'password', 'port', 'pathname', 'search', 'hash')}
        if wanted and got:
            wanted['host'] = case['hostname']
        results.append((f'{case["input"]!r} {case.get("base")!r}', got == wanted, f'{got} for {wanted}'))
    judge('urls', results)


def urls_hosts():
    for suite, name in (('urls-toascii', 'toascii.json'), ('urls-idna', 'IdnaTestV2.json')):
        path = has(suite, f'url/{name}')
        if not path:
            continue
        cases = [case for case in json.load(open(path)) if isinstance(case, dict) and valid_text(case['input'])]
        got = parts_of([(f'https://{case["input"]}/x', None) for case in cases])
        judge(suite, [(ascii(case['input']), (part and part['host']) == case['output'], f'{part and part["host"]} for {case["output"]}') for case, part in zip(cases, got)])


def urls_encoding():
    path = has('urls-encoding', 'url/percent-encoding.json')
    if not path:
        return
    cases = [case for case in json.load(open(path)) if isinstance(case, dict)]
    got = parts_of([(f'https://a.test/?{case["input"]}#{case["input"]}', None) for case in cases])
    judge('urls-encoding', [(repr(case['input']), part and part['search'] == '?' + case['output']['utf-8'] and part['hash'] == '#' + case['output']['utf-8'], part)
                            for case, part in zip(cases, got)])


def csv_rows(path):
    """The rows as JUnit's CsvFileSource has them: "'" quotes, lines that begin with "#" are comments."""
    with open(path, encoding='utf-8', newline='') as f:
        lines = [line for line in f.read().splitlines() if line.strip() and not line.startswith('#')]
    for row in csv.reader(lines, quotechar='"', skipinitialspace=True):
        yield [cell.strip() for cell in row]


def canonical(text, *options):
    return run('tarsier', 'web', 'canonical', *options, data=text.encode() + b'\n').decode().split('\t')[0]


def urls_crawler_commons():
    top = has('urls-normal', 'crawler-commons/resources/normalizer')
    if top:
        rows = [row for row in csv_rows(f'{top}/weirdToNormalizedUrls.csv') if len(row) > 1]
        out = run('tarsier', 'web', 'canonical', data='\n'.join(row[0] for row in rows).encode() + b'\n').decode()
        got = [line.split('\t')[0] for line in out.splitlines()]
        results = [(row[0], form == row[1], f'{form} for {row[1]}') for row, form in zip(rows, got)]
        results += [(row[0], canonical(row[0]) == 'invalid', canonical(row[0])) for row in csv_rows(f'{top}/invalidUrls.csv')]
        judge('urls-normal', results)
    path = has('urls-resolve', 'crawler-commons/resources/url-utils/url-resolve.csv')
    if path:
        results = []
        for row in csv_rows(path):
            text, base, wanted = (row + ['', ''])[:3]
            got = canonical(text, *(['--base', base] if base else []))
            results.append((f'{text} {base}', got == canonical(wanted), f'{got} for {canonical(wanted)}'))
        judge('urls-resolve', results)


# ---- HTTP caching

def http_date(offset, now):
    return time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(now + offset))


def http_caching():
    top = has('http-caching', 'http-cache/tests', 'node')
    if not top:
        return
    program = "import(process.argv[1]).then(m => console.log(JSON.stringify(m.default)))"
    results, now = [], 1790000000
    for name in ('cc-freshness', 'expires-freshness', 'expires-parse', 'age-parse', 'cc-parse', 'cc-response', 'pragma'):
        for case in json.loads(run('node', '--input-type=module', '-e', program, f'file://{top}/{name}.mjs'))['tests']:
            first, last = case['requests'][0], case['requests'][-1]
            if len(case['requests']) > 2 or last.get('request_headers') or case.get('browser_skip'):
                continue  # several answers; headers that are never sent; what the suite marks as of shared caches
            headers = 'HTTP/1.1 200 OK\r\n'
            for header in first.get('response_headers', []):
                value = http_date(header[1], now) if isinstance(header[1], int) and header[0] in ('Expires', 'Date', 'Last-Modified') else header[1]
                headers += f'{header[0]}: {value}\r\n'
            fresh = int(run(DRIVER, 'fresh', str(now), data=headers.encode('latin-1', 'replace') + b'\r\n'))
            waited = 3 if first.get('pause_after') else 0
            results.append((case['id'], (fresh > waited) == (last.get('expected_type') == 'cached'), f'{last.get("expected_type")}, but fresh for {fresh} s'))
    judge('http-caching', results)


# ---- sitemaps

def local_name(element):
    return element.tag.split('}')[-1] if isinstance(element.tag, str) else ''


def sitemap_entry(element):
    """The address of an entry; None: it is none. Extensions have an element in between."""
    texts = {local_name(child): (child.text or '').strip() for child in reversed(element)}
    links = [child.get('href') for child in element if local_name(child) == 'link' and child.get('rel', 'alternate') == 'alternate']
    name = local_name(element)
    if name in ('url', 'sitemap'):
        return texts.get('loc') or (element.text or '').strip()
    if name == 'item':
        return texts.get('link') or texts.get('guid')
    return links[0] if name == 'entry' and links else None


def sitemap_entries(data):
    """What another parser finds."""
    import gzip, xml.etree.ElementTree as tree
    data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
    if b'<' not in data:
        return [line.strip() for line in data.decode('utf-8-sig').splitlines() if line.strip().startswith('http')]
    try:
        return [url for url in map(sitemap_entry, tree.fromstring(data.strip()).iter()) if url]
    except tree.ParseError as error:
        return str(error)


def sitemaps():
    top = has('sitemaps', 'crawler-commons/resources/sitemaps')
    if not top:
        return
    results = []
    for path in sorted(glob.glob(f'{top}/*') + glob.glob(f'{top}/extension/*') + glob.glob(f'{top}/../rss/*')):
        if not os.path.isfile(path):
            continue
        with open(path, 'rb') as f:
            wanted = sitemap_entries(f.read())
        done = subprocess.run(['tarsier', 'web', 'sitemap', path], capture_output=True, text=True, timeout=60)
        got = [json.loads(line)['loc'] for line in done.stdout.splitlines()]
        results.append((os.path.basename(path), got == wanted, f'status {done.returncode}, {got[:2]} for {wanted[:2]}'))
    judge('sitemaps', results)


def sitemaps_crawler_commons():
    """Not the tests of extensions, whose values are not read, and of the validator of hosts."""
    suite = has('sitemaps-crawler-commons', 'crawler-commons/sitemaps', 'javac', 'java')
    if suite:
        tests = [f'{suite}/{name}Test.java' for name in ('AbstractSiteMap', 'SiteMapIndex', 'SiteMapParser', 'SiteMapURL')]
        judge('sitemaps-crawler-commons', java_suite('sitemaps', ['CrawlerCommons.java', 'CrawlerCommonsSitemaps.java'], tests))


# ---- feeds

def plain(text):
    """Words without markup."""
    return re.sub(r'\s+', ' ', html.unescape(re.sub(r'<[^>]*>', ' ', html.unescape(text or '')))).strip()


def author_of(item):
    authors = [author.get('name') or author.get('email') or '' for author in item.get('authors') or [] if isinstance(author, dict)]
    author = item.get('author')
    author = author.get('name') if isinstance(author, dict) else author
    return ', '.join(name for name in authors if name) or author or (item.get('dcExt') or {}).get('creator', [''])[0]


def link_of(item):
    for link in item.get('links') or []:
        if isinstance(link, dict) and link.get('rel') in (None, 'alternate') and link.get('href'):
            return link['href']
    guid = item.get('guid') or {}
    return item.get('link') or item.get('url') or item.get('home_page_url') or (guid.get('value') if guid.get('isPermalink') == 'true' else '') or ''


def feed_differences(wanted, got):
    feed, items = got[0], got[1:]
    entries = wanted.get('items') or wanted.get('entries') or []
    yield 'version', feed['version'] or '', re.sub('.*/', '', wanted.get('version') or '')
    yield 'title', plain(feed['title']), plain(wanted.get('title'))
    yield 'link', feed['link'] or '', link_of(wanted)
    yield 'items', len(items), len(entries)
    for item, entry in zip(items, entries):
        content = entry.get('content')
        content = content.get('value') if isinstance(content, dict) else content
        summary = entry.get('summary') or entry.get('description')
        text = content or entry.get('content_html') or entry.get('content_text') or summary
        yield 'id', item['id'] or '', entry.get('id') or (entry.get('guid') or {}).get('value') or ''
        yield 'link', item['link'] or '', link_of(entry)
        yield 'title', plain(item['title']), plain(entry.get('title'))
        yield 'author', plain(item['author']), plain(author_of(entry))
        yield 'text', plain(item['text']), plain(text)
        yield 'enclosures', [e.get('url') for e in item['enclosures']], [e['url'] for e in entry.get('enclosures') or entry.get('attachments') or [] if e.get('url')]


def feeds():
    top = has('feeds', 'feeds/testdata/parser')
    if not top:
        return
    results = []
    for kind in ('atom', 'rss', 'json'):
        for path in sorted(glob.glob(f'{top}/{kind}/*.xml') + glob.glob(f'{top}/{kind}/*[0-9r].json')):
            expected = path[:-4] + '.json' if path.endswith('.xml') else path[:-5] + '_expected.json'
            if not os.path.exists(expected):
                continue
            got = [json.loads(line) for line in run('tarsier', 'web', 'feed', path).decode().splitlines()]
            with open(expected) as f:
                wanted = json.load(f)
            differences = [row for row in feed_differences(wanted, got) if row[1] != row[2]] if got else ['nothing was read']
            results.append((f'{kind}/{os.path.basename(path)}', not differences, differences))
    judge('feeds', results)


# ---- WARC

def warc_records(path):
    """Returns the number of responses and resources that have bytes, read as the standard says it;
    None: the file is not sound."""
    import gzip
    with open(path, 'rb') as f:
        data = f.read()
    data, n = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data, 0
    while data:
        head, _, rest = data.partition(b'\r\n\r\n')
        length = re.search(rb'(?im)^content-length:\s*(\d+)', head)
        if not head.startswith(b'WARC/') or not length or len(rest) < int(length[1]):
            return None
        body, data = rest[:int(length[1])], rest[int(length[1]):].lstrip(b'\r\n')
        kind = re.search(rb'(?im)^warc-type:\s*(\w+)', head)[1]
        n += kind == b'resource' or kind == b'response' and len(body.partition(b'\r\n\r\n')[2]) > 0
    return n


def warc():
    top = has('warc', 'warc/test/data')
    if not top:
        return
    shutil.copytree(top, TREE)
    run('tarsier', 'add', TREE)
    done = subprocess.run(['tarsier', 'index'], capture_output=True, text=True, timeout=200)
    entries = [json.loads(line) for line in run('tarsier', 'list', '--json', TREE).decode().splitlines()]
    results = []
    for path in sorted(glob.glob(f'{TREE}/*.warc*')):
        try:
            wanted = warc_records(path)
        except OSError:
            wanted = None
        own = [entry for entry in entries if entry['path'] == path]
        got = sum(entry['kind'] == 'member' and '|' not in entry['member'] for entry in own)
        state = {entry.get('state') for entry in own if entry['kind'] == 'file'}
        good = got == wanted if wanted is not None else bool(state)
        results.append((os.path.basename(path), good, f'{got} members for {wanted}, {state}, {done.stderr[-100:]}'))
    judge('warc', results)


chosen = os.environ.get('SUITE', '')
for each in (robots_google, robots_real, robots_crawler_commons, urls_wpt, urls_hosts, urls_encoding, urls_crawler_commons, http_caching, sitemaps, sitemaps_crawler_commons, feeds, warc):
    if not chosen or each.__name__.startswith(chosen):
        each()
finish()
