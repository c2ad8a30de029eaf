# SPDX-License-Identifier: GPL-3.0-or-later
"""A strict server that speaks the part of the REST API of Elasticsearch 8 and OpenSearch 2 which the export uses, as their
public reference describes it, and refuses everything else. It keeps documents in memory and looks at each of them: it
evaluates exactly the queries, analyzers and orders that the export and the search use. It breaks as such servers do, when the
test asks for it."""
import base64, copy, http.server, json, random, re, socket, ssl, threading, traceback, urllib.parse
from tap import let_time_pass

MAX_ID, MAX_TERM, MAX_WINDOW, MAX_TERMS, MAX_CLAUSES = 512, 32766, 10000, 65536, 1024
PARAMETERS = {'_bulk': {'refresh'}, '_doc': {'refresh', 'if_seq_no', 'if_primary_term', 'op_type'}, '_delete_by_query': {'refresh', 'conflicts'}}
SORTABLE = ('long', 'integer', 'keyword', 'date')


class Refused(Exception):
    def __init__(self, status, kind, reason):
        super().__init__(reason)
        self.status, self.kind = status, kind

    def json(self):
        return {'error': {'type': self.kind, 'reason': str(self), 'root_cause': []}, 'status': self.status}


def bad(reason, kind='illegal_argument_exception'):
    raise Refused(400, kind, reason)


def no_index(name):
    raise Refused(404, 'index_not_found_exception', f'no such index [{name}]')


def strict_object(text):
    """JSON as Jackson reads it: no NaN, no duplicate keys, no lone surrogates."""
    def pairs(items):
        if len({key for key, _ in items}) < len(items):
            bad('Duplicate field', 'x_content_parse_exception')
        return dict(items)

    def constant(name):
        bad(f'Non-standard token {name}', 'x_content_parse_exception')
    try:
        value = json.loads(text.decode('utf-8'), object_pairs_hook=pairs, parse_constant=constant)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, UnicodeError) as error:
        bad(f'Malformed content: {error}', 'x_content_parse_exception')
    if not isinstance(value, dict):
        bad('Malformed content, expected an object', 'x_content_parse_exception')
    return value


class Index:
    def __init__(self, mapping, analysis):
        self.mapping, self.docs, self.gone, self.visible, self.seq_no = mapping, {}, {}, {}, 0
        self.analysis, self.closed, self.read = analysis, False, {}
        self.check_analyzers(mapping)

    def check_analyzers(self, mapping):
        for name, field in mapping.get('properties', {}).items():
            if field.get('analyzer', 'standard') not in ('standard', *self.analysis.get('analyzer', {})):
                bad(f'Failed to parse mapping: analyzer [{field["analyzer"]}] has not been configured in mappings', 'mapper_parsing_exception')
            if set(field) - {'type', 'properties', 'ignore_above', 'ignore_malformed', 'enabled', 'analyzer', 'index_options', 'position_increment_gap', 'fields', 'norms'}:
                bad(f'unknown parameter in {sorted(field)} on mapper [{name}]', 'mapper_parsing_exception')
            self.check_analyzers(field)

    def tokens(self, analyzer, text):
        """The words of each position."""
        if analyzer == 'standard':
            return [[word] for word in re.findall(r'\w+', text.lower())]
        chain = self.analysis['analyzer'][analyzer]
        tokenizer = self.analysis['tokenizer'][chain['tokenizer']]
        assert chain['type'] == 'custom' and set(chain) <= {'type', 'tokenizer', 'filter'} and set(tokenizer) == {'type', 'pattern'} and tokenizer['type'] == 'pattern'
        found = [[word] for word in re.split(tokenizer['pattern'], text) if word]
        for name in chain.get('filter', []):
            capture = self.analysis['filter'][name]
            assert capture['type'] == 'pattern_capture' and capture['preserve_original'] is False and set(capture) == {'type', 'preserve_original', 'patterns'}
            found = [[part for word in words for pattern in capture['patterns'] for part in re.findall(pattern, word)] for words in found]
        return found

    def words(self, source, name):
        """{word: [position]} of a text."""
        key = id(source), name
        if key not in self.read or self.read[key][0] is not source:
            field, found, at = self.field(name), {}, 0
            for value in values_of(source, name):
                for words in self.tokens(field.get('analyzer', 'standard'), str(value)):
                    for word in words:
                        found.setdefault(word, []).append(at)
                    at += 1
                at += field.get('position_increment_gap', 100)
            self.read[key] = source, found
        return self.read[key][1]

    def values(self, source, name):
        """What the index has of a field that is not text."""
        field = self.field(name)
        return [v for v in values_of(source, name) if v is not None and not (isinstance(v, str) and len(v) > field.get('ignore_above', 2 ** 31))]

    def terms(self, source, name):
        """The words of a text, or the values of another field, to look one up."""
        if self.field(name).get('type') == 'text':
            return self.words(source, name)
        key = id(source), name, 'terms'
        if key not in self.read or self.read[key][0] is not source:
            self.read[key] = source, frozenset(self.values(source, name) if self.field(name).get('type') in SORTABLE else [])
        return self.read[key][1]

    def has_values(self, name):
        """Is it kept by document too, to sort and count by?"""
        return self.field(name).get('type') in SORTABLE

    def field(self, name):
        at = self.mapping
        for part in name.split('.'):
            at = at.get('properties', {}).get(part, {})
        return at

    def check(self, source, mapping=None):
        for name, kind in (mapping or self.mapping).get('properties', {}).items():
            values = source.get(name)
            values = values if isinstance(values, list) else [] if values is None else [values]
            for value in values:
                self.check_value(name, kind, value)

    def check_value(self, name, kind, value):
        what = kind.get('type')
        good = True
        if 'properties' in kind:
            good = isinstance(value, dict)
            if good:
                self.check(value, kind)
        elif what in ('long', 'integer'):
            good = isinstance(value, int) and not isinstance(value, bool) and -2 ** 63 <= value < 2 ** 63
        elif what in ('keyword', 'text'):
            good = isinstance(value, (str, int, float, bool))
            if what == 'keyword' and len(str(value)) <= kind.get('ignore_above', 2 ** 31) and len(str(value).encode()) > MAX_TERM:
                bad(f'Document contains at least one immense term in field="{name}"')
        elif what == 'date':
            good = isinstance(value, str) and bool(re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z', value))
        if not good and not kind.get('ignore_malformed'):
            bad(f'failed to parse field [{name}] of type [{what}]', 'document_parsing_exception')

    def write(self, id, source, meta, delete=False):
        """Returns the status and the result, or raises a conflict."""
        old = self.docs.get(id)
        current = old['version'] if old else self.gone.get(id)
        version = (current or 0) + 1
        if meta.get('version_type') == 'external_gte':
            version = meta['version']
            if current is not None and version < current:
                raise Refused(409, 'version_conflict_engine_exception', f'[{id}]: version conflict, current version [{current}] is higher than the one provided [{version}]')
        if 'if_seq_no' in meta and (not old or old['seq_no'] != meta['if_seq_no'] or meta.get('if_primary_term') != 1):
            raise Refused(409, 'version_conflict_engine_exception', f'[{id}]: version conflict, required seqNo [{meta["if_seq_no"]}]')
        if meta.get('op_type') == 'create' and old:
            raise Refused(409, 'version_conflict_engine_exception', f'[{id}]: version conflict, document already exists')
        self.seq_no += 1
        if delete:
            self.docs.pop(id, None)
            self.gone[id] = version
            return (200, 'deleted') if old else (404, 'not_found')
        self.check(source)
        self.gone.pop(id, None)
        self.docs[id] = {'version': version, 'seq_no': self.seq_no, 'source': source}
        return (200, 'updated') if old else (201, 'created')

    def refresh(self):
        self.visible = {id: doc['source'] for id, doc in self.docs.items()}


def values_of(source, name):
    at = [source]
    for part in name.split('.'):
        at = [value for each in at if isinstance(each, dict) and part in each
              for value in (each[part] if isinstance(each[part], list) else [each[part]])]
    return at


def one_of(body, kind, allowed):
    """The field and the parameters of a query of one field, whose short form has the value alone."""
    if len(body) != 1:
        bad(f'[{kind}] query malformed, expected one field', 'parsing_exception')
    (name, wanted), = body.items()
    wanted = wanted if isinstance(wanted, dict) else {'value': wanted}
    if set(wanted) - allowed:
        bad(f'[{kind}] query does not support {sorted(set(wanted) - allowed)}', 'parsing_exception')
    return name, wanted


def matches_bool(body, source, index):
    if set(body) - {'filter', 'must_not', 'should', 'minimum_should_match'}:
        bad(f'[bool] query does not support {sorted(body)}', 'parsing_exception')
    many = lambda name: body.get(name, []) if isinstance(body.get(name, []), list) else [body[name]]
    least = min(body.get('minimum_should_match', 0 if 'filter' in body else 1), len(many('should')))
    return (all(matches(q, source, index) for q in many('filter')) and not any(matches(q, source, index) for q in many('must_not'))
            and sum(matches(q, source, index) for q in many('should')) >= least)


def matches_value(kind, body, source, index):
    name, wanted = one_of(body, kind, {'value', 'case_insensitive'})
    value, folded = wanted['value'], wanted.get('case_insensitive', False)
    if index.field(name).get('type') == 'text':
        have = index.words(source, name)
    else:
        have = index.values(source, name) if index.field(name).get('type') in SORTABLE else []
    fold = (lambda v: v.lower() if isinstance(v, str) else v) if folded else (lambda v: v)
    if kind == 'term':
        return any(fold(v) == fold(value) for v in have) if folded else value in have
    if not isinstance(value, str) or index.field(name).get('type', 'text') not in ('text', 'keyword'):
        bad('[prefix] query is for keyword and text fields only')
    return any(fold(v).startswith(fold(value)) for v in have)


def matches_range(body, source, index):
    name, wanted = one_of(body, 'range', {'gte', 'lte'})
    if not all(type(v) is int and -2 ** 63 <= v < 2 ** 63 for v in wanted.values()) or index.field(name).get('type') not in ('long', 'integer'):
        bad(f'failed to create query: range of [{name}]', 'query_shard_exception')
    return any(wanted.get('gte', v) <= v <= wanted.get('lte', v) for v in index.values(source, name))


def spans(query, source, index):
    """The (field, [(begin, end)]) of a span query."""
    (kind, body), = query.items()
    if kind == 'span_term':
        name, wanted = one_of(body, kind, {'value'})
        return name, [(at, at + 1) for at in index.words(source, name).get(wanted['value'], [])]
    if kind == 'span_multi':
        if set(body) != {'match'} or set(body['match']) != {'prefix'}:
            bad('[span_multi] [match] must be of type multi-term query', 'parsing_exception')
        ends, name = words_with(body['match']['prefix'], index), list(body['match']['prefix'])[0]
        return name, [(at, at + 1) for word in ends for at in index.words(source, name).get(word, [])]
    if kind != 'span_near' or set(body) != {'clauses', 'slop', 'in_order'} or body['in_order'] is not True or not body['clauses']:
        bad(f'[{kind}] is not a span query, or malformed', 'parsing_exception')
    parts = [spans(clause, source, index) for clause in body['clauses']]
    if len({name for name, _ in parts}) != 1:
        bad('Clauses must have same field')
    found = {(begin, end, 0) for begin, end in parts[0][1]}
    for _, following in parts[1:]:
        found = {(begin, last, gap + first - end) for begin, end, gap in found for first, last in following if 0 <= first - end <= body['slop'] - gap}
    return parts[0][0], [(begin, end) for begin, end, _ in found]


def matches(query, source, index):
    if not isinstance(query, dict) or len(query) != 1:
        bad('[_na] query malformed, expected one name', 'parsing_exception')
    (kind, body), = query.items()
    if kind == 'bool':
        return matches_bool(body, source, index)
    if kind in ('term', 'prefix'):
        return matches_value(kind, body, source, index)
    if kind == 'range':
        return matches_range(body, source, index)
    if kind.startswith('span_'):
        return bool(spans(query, source, index)[1])
    if kind == 'match_all' and body == {}:
        return True
    if kind not in ('terms', 'match', 'match_phrase'):
        bad(f'unknown query [{kind}]', 'parsing_exception')
    (name, wanted), = body.items()
    if kind == 'terms':
        if not isinstance(wanted, list):
            bad('[terms] query requires an array', 'parsing_exception')
        if len(wanted) > MAX_TERMS:
            bad('too many terms')
        if not all(isinstance(value, (str, int)) for value in wanted):
            bad('[terms] query requires values')
        have = index.terms(source, name)
        return any(value in have for value in wanted)
    words = [word for at in index.tokens('standard', wanted) for word in at]
    have = index.words(source, name)
    if kind == 'match':
        return all(word in have for word in words)
    return any(all(at + i in have.get(word, []) for i, word in enumerate(words)) for at in have.get(words[0], [])) if words else False


def clauses_of(query, index):
    """How many clauses Lucene counts in a whole query when it has rewritten it: the leaves, wherever they stand. Versions differ;
    this is the most that any since 9 counts. Up to 16 terms are rewritten to one clause each, more are one. Where a field has
    values beside its postings, a leaf that may use either counts twice. A query of nothing but exclusions gets a clause for
    everything else. The beginning of a word in a span is as many clauses as the index has words that begin so."""
    (kind, body), = query.items()
    if kind == 'bool':
        parts = {name: part if isinstance(part, list) else [part] for name, part in body.items() if name != 'minimum_should_match'}
        return sum(clauses_of(q, index) for part in parts.values() for q in part) + (set(parts) == {'must_not'})
    if kind == 'span_near':
        return sum(clauses_of(clause, index) for clause in body['clauses'])
    if kind == 'span_multi':
        return max(len(words_with(body['match']['prefix'], index)), 1)
    if kind == 'match_all':
        return 1
    (name, wanted), = body.items()
    if kind in ('match', 'match_phrase'):
        return max(sum(map(len, index.tokens('standard', wanted))), 1)
    several = index.has_values(name) and (kind in ('range', 'prefix', 'terms'))
    return max(len(set(wanted)) if kind == 'terms' and len(set(wanted)) <= 16 else 1, 2 if several else 1)


def words_with(prefix, index):
    """The words of the index that a prefix query stands for."""
    name, wanted = one_of(prefix, 'prefix', {'value'})
    return {word for doc in index.visible.values() for word in index.words(doc, name) if word.startswith(wanted['value'])}


def check_clauses(query, index):
    """Both engines answer with 500 for this, and newer ones with 400."""
    if clauses_of(query, index) > MAX_CLAUSES:
        raise Refused(500, 'too_many_nested_clauses', f'Query contains too many nested clauses; maxClauseCount is set to {MAX_CLAUSES}')


def marked_words(query, source, index):
    """The words of the text that a query marks."""
    (kind, body), = query.items()
    if kind == 'bool':
        return {word for q in body.get('should', []) for word in marked_words(q, source, index)}
    if not matches(query, source, index):
        return set()
    (name, wanted), = body.items()
    if kind == 'prefix':
        return {word for word in index.words(source, name) if word.startswith(wanted)}
    return set(wanted) if kind == 'terms' else {word for at in index.tokens('standard', wanted) for word in at}


def part_of(source, wanted):
    """_source with the fields that were asked for."""
    if isinstance(wanted, bool):
        return source
    out = {}
    for name in wanted:
        keys, at, to = name.split('.'), source, out
        while len(keys) > 1 and isinstance(at, dict) and keys[0] in at:
            to, at = to.setdefault(keys[0], {}), at[keys.pop(0)]
        if len(keys) == 1 and keys[0] in at:
            to[keys[0]] = at[keys[0]]
    return out


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, kind='opensearch', version=None, certificate=None):
        super().__init__(('127.0.0.1', 0), Handler)
        self.kind, self.version = kind, version or {'opensearch': '2.11.0', 'elasticsearch': '8.13.2', 'quickwit': '0.9.0'}.get(kind, '1.0')
        self.scheme = 'https' if certificate else 'http'
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.indices, self.templates, self.roles = {}, {}, {}
        self.user = self.api_key = None
        self.readers = {}  # {(user, password): tokens}, who have the role that was set up
        self.has_security, self.max_content = True, 100 << 20
        self.lock = threading.RLock()
        self.heal()
        self.requests, self.largest_bulk = [], 0
        self.naked, self.crashes = [], []  # documents without permissions; faults of this server itself
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def heal(self):
        """Ends all faults."""
        self.fault = lambda method, path, body: None  # -> (status, JSON or bytes), or 'cut'
        self.item_fault = lambda action, id: None  # -> (status, kind, reason)
        self.lost_shard = self.shuffled = self.late = False
        self.after = lambda method, path: None  # the answer is lost if it returns 'cut'
        self.cut_items = 0  # results that are left out of each answer
        self.delay = 0

    def handle_error(self, request, address):
        pass  # a client that was killed

    @property
    def url(self):
        return f'{self.scheme}://127.0.0.1:{self.server_port}'

    def snapshot(self):
        with self.lock:
            return copy.deepcopy(self.indices)

    def restore(self, indices):
        with self.lock:
            self.indices = copy.deepcopy(indices)
            for index in self.indices.values():
                index.refresh()

    def documents(self, name='tarsier'):
        """What searches see, by id."""
        with self.lock:
            return dict(self.indices[name].visible) if name in self.indices else {}

    def search_as(self, tokens, text, name='tarsier'):
        """The documents that a user finds, confined by the role that was set up. tokens: None: he has none."""
        with self.lock:
            try:
                query = self.readable(tokens, name)
                index = self.indices[name]
                return sorted(id for id, source in index.visible.items() if matches(query, source, index) and matches({'match': {'text': text}}, source, index))
            except (Refused, ValueError):
                return []

    def readable(self, tokens, name):
        """The query of the role, for a user with these tokens."""
        role = self.roles[f'tarsier_{name}']
        if self.kind == 'opensearch':
            rule, = role['index_permissions']
            names = rule['index_patterns']
            query = rule['dls']
            if tokens is not None:
                query = query.replace('${attr.internal.tarsier}', ', '.join(f'"{t}"' for t in tokens))
        else:
            rule, = role['indices']
            names = rule['names']
            query = rule['query']['template']['source'].replace('{{#toJson}}_user.metadata.tarsier{{/toJson}}', json.dumps(tokens))
        query = json.loads(query)
        assert names == [name]
        return query

    # ---- what is answered

    def answer(self, method, path, parameters, headers, body):
        parts = [urllib.parse.unquote(part) for part in path.strip('/').split('/')]
        kind = headers.get('Content-Type', '')
        if body is not None and kind != 'application/json' and not (parts[-1] == '_bulk' and kind == 'application/x-ndjson'):
            raise Refused(415 if self.kind == 'opensearch' else 406, 'media_type_header_exception', f'Content-Type header [{kind}] is not supported')
        tokens = None
        if self.user or self.api_key or self.readers:
            tokens = self.authenticate(headers.get('Authorization', ''))
            if tokens is not None and (method, parts[1:]) != ('POST', ['_search']):
                raise Refused(403, 'security_exception', f'action [{method} {path}] is unauthorized for user')
        if body is not None and len(body) > self.max_content:
            raise Refused(413, 'content_too_long', 'entity content is too long')
        allowed = PARAMETERS.get(parts[1] if len(parts) > 1 else '', set())
        if set(parameters) - allowed:
            bad(f'request [{path}] contains unrecognized parameters: {sorted(set(parameters) - allowed)}')
        if path == '/':
            return 200, self.hello()
        if parts[0] in ('_security', '_plugins'):
            return self.put_role(method, parts, body)
        if parts[0] == '_index_template' and method == 'PUT' and len(parts) == 2:
            self.templates[parts[1]] = strict_object(body)
            return 200, {'acknowledged': True}
        if parts[0].startswith('_') or not re.fullmatch(r'[a-z0-9][a-z0-9._-]*', parts[0]):
            bad(f'no handler found for uri [{path}] and method [{method}]')
        if len(parts) == 1:
            return self.make_index(method, parts[0])
        if parts[0] not in self.indices:
            no_index(parts[0])
        route = (method, parts[1], len(parts))
        index = self.indices[parts[0]]
        if route in (('POST', '_close', 2), ('POST', '_open', 2)):
            index.closed = parts[1] == '_close'
            return 200, {'acknowledged': True}
        if route == ('PUT', '_settings', 2):
            if not index.closed:
                bad(f'Can\'t update non dynamic settings for open indices [{parts[0]}]')
            index.analysis = strict_object(body)['analysis']
            return 200, {'acknowledged': True}
        if index.closed:
            bad(f'closed [{parts[0]}]', 'index_closed_exception')
        if route == ('GET', '_mapping', 2):
            return 200, {parts[0]: {'mappings': index.mapping}}
        if route == ('PUT', '_mapping', 2):
            new = strict_object(body)
            for name, field in new['properties'].items():
                if index.mapping.get('properties', {}).get(name, field).get('type') != field.get('type'):
                    bad(f'mapper [{name}] cannot be changed')
            index.check_analyzers(new)
            index.mapping = {**index.mapping, **new}
            return 200, {'acknowledged': True}
        if route == ('POST', '_refresh', 2):
            index.refresh()
            return 200, {'_shards': self.shards()}
        if route == ('POST', '_bulk', 2):
            return self.bulk(parts[0], index, body)
        if route == ('POST', '_search', 2):
            return self.search(index, strict_object(body), self.readable(tokens, parts[0]) if tokens is not None else {'match_all': {}})
        if route == ('POST', '_mget', 2):
            request = strict_object(body)
            if set(request) != {'ids'} or not all(isinstance(id, str) for id in request['ids']):
                bad('unexpected fields in [_mget]')
            return 200, {'docs': [self.get(parts[0], index, id) for id in request['ids']]}
        if route == ('POST', '_delete_by_query', 2):
            query = strict_object(body)['query']
            gone = [id for id, source in index.visible.items() if matches(query, source, index)]
            for id in gone:
                index.write(id, None, {}, delete=True)
            if parameters.get('refresh') == 'true':
                index.refresh()
            return 200, {'took': 1, 'timed_out': False, 'total': len(gone), 'deleted': len(gone), 'failures': [], 'version_conflicts': 0}
        if parts[1] == '_doc' and len(parts) == 3:
            return self.document(method, parts[0], index, parts[2], parameters, body)
        bad(f'no handler found for uri [{path}] and method [{method}]')

    def authenticate(self, header):
        """The tokens of a reader; None: he may do everything."""
        basic = lambda user: 'Basic ' + base64.b64encode(':'.join(user).encode()).decode()
        for reader, tokens in self.readers.items():
            if header == basic(reader):
                return tokens
        if header != ('ApiKey ' + self.api_key if self.api_key else self.user and basic(self.user)):
            raise Refused(401, 'security_exception', 'unable to authenticate')

    def hello(self):
        about = {'name': 'node', 'cluster_name': 'tests', 'version': {'number': self.version}}
        if self.kind in ('opensearch', 'quickwit'):
            about['version']['distribution'] = self.kind
        about['tagline'] = {'opensearch': 'The OpenSearch Project: https://opensearch.org/', 'elasticsearch': 'You Know, for Search'}.get(self.kind, '')
        return about

    def put_role(self, method, parts, body):
        path = ['_plugins', '_security', 'api', 'roles'] if self.kind == 'opensearch' else ['_security', 'role']
        if method != 'PUT' or parts[:-1] != path or not self.has_security:
            bad('no handler found for uri [/' + '/'.join(parts) + ']')
        role = strict_object(body)
        if set(role) != ({'cluster_permissions', 'index_permissions'} if self.kind == 'opensearch' else {'indices'}):
            bad('unexpected field in role')
        self.roles[parts[-1]] = role
        return 200, {'status': 'CREATED', 'role': {'created': True}}

    def make_index(self, method, name):
        if method != 'PUT':
            bad('only PUT here')
        if name in self.indices:
            bad(f'index [{name}] already exists', 'resource_already_exists_exception')
        template = next((t['template'] for t in self.templates.values() if name in t['index_patterns']), {})
        self.indices[name] = Index(copy.deepcopy(template.get('mappings', {})), copy.deepcopy(template.get('settings', {}).get('analysis', {})))
        return 200, {'acknowledged': True, 'shards_acknowledged': True, 'index': name}

    def shards(self):
        return {'total': 2, 'successful': 1, 'skipped': 0, 'failed': 1} if self.lost_shard else {'total': 2, 'successful': 2, 'skipped': 0, 'failed': 0}

    def get(self, name, index, id):
        doc = index.docs.get(id)
        head = {'_index': name, '_id': id, 'found': doc is not None}
        return {**head, '_version': doc['version'], '_seq_no': doc['seq_no'], '_primary_term': 1, '_source': doc['source']} if doc else head

    def document(self, method, name, index, id, parameters, body):
        meta = {key: int(value) if value.isdigit() else value for key, value in parameters.items()}
        refresh = meta.pop('refresh', None)
        if method == 'GET':
            found = self.get(name, index, id)
            return 200 if found['found'] else 404, found
        if method not in ('PUT', 'DELETE') or len(id.encode()) > MAX_ID:
            bad('unexpected request for a document')
        status, result = index.write(id, strict_object(body) if method == 'PUT' else None, meta, delete=method == 'DELETE')
        if refresh == 'true':
            index.refresh()
        return status, {'_index': name, '_id': id, 'result': result, '_seq_no': index.seq_no, '_primary_term': 1, '_shards': self.shards()}

    def bulk(self, name, index, body):
        if not body or not body.endswith(b'\n'):
            bad('The bulk request must be terminated by a newline [\\n]')
        self.largest_bulk = max(self.largest_bulk, len(body))
        lines, at, actions = body[:-1].split(b'\n'), 0, []
        while at < len(lines):
            action = strict_object(lines[at])
            if len(action) != 1 or list(action)[0] not in ('index', 'delete'):
                bad(f'Malformed action/metadata line [{at + 1}]')
            (kind, meta), = action.items()
            if set(meta) != {'_id', 'version', 'version_type'} or meta['version_type'] != 'external_gte' or not isinstance(meta['version'], int) or not 0 <= meta['version'] < 2 ** 63:
                bad(f'Action/metadata line [{at + 1}] contains an unknown or wrong parameter')
            at += 1
            if kind == 'index' and at >= len(lines):
                bad('The source of an index action is missing')
            actions.append((kind, meta, lines[at] if kind == 'index' else None))
            at += kind == 'index'
        items = [{kind: self.bulk_item(name, index, kind, meta, source)} for kind, meta, source in actions]
        if self.shuffled:
            random.shuffle(items)
        return 200, {'took': 1, 'errors': any(status['status'] >= 400 for item in items for status in item.values()), 'items': items[self.cut_items:]}

    def bulk_item(self, name, index, kind, meta, line):
        head = {'_index': name, '_id': meta['_id']}
        try:
            fault = self.item_fault(kind, meta['_id'])
            if fault:
                raise Refused(*fault)
            if len(meta['_id'].encode()) > MAX_ID:
                bad('id is too long')
            source = strict_object(line) if line else None
            status, result = index.write(meta['_id'], source, meta, delete=kind == 'delete')
            if source and not (source.get('allow') and isinstance(source.get('deny'), list)):
                self.naked.append(meta['_id'])
            return {**head, 'status': status, 'result': result, '_version': meta['version'], '_seq_no': index.seq_no, '_primary_term': 1, '_shards': self.shards()}
        except Refused as refused:
            return {**head, 'status': refused.status, 'error': {'type': refused.kind, 'reason': str(refused)}}

    def search(self, index, request, readable):
        if set(request) - {'from', 'size', 'query', 'sort', 'search_after', '_source', 'docvalue_fields', 'track_total_hits', 'aggs', 'timeout', 'collapse', 'highlight'}:
            bad(f'unknown key in {sorted(request)}', 'parsing_exception')
        size, first = request.get('size', 10), request.get('from', 0)
        if first + size > MAX_WINDOW:
            bad('Result window is too large')
        if not re.fullmatch(r'\d+s', request.get('timeout', '1s')) or ('search_after' in request and ('collapse' in request or first)):
            bad('[timeout] or [search_after] is malformed')
        check_clauses({'bool': {'filter': [request['query'], readable]}}, index)  # some versions add the query of the role to that of the user
        if 'highlight' in request:
            check_clauses(request['highlight'].get('highlight_query', {'match_all': {}}), index)
        sort = [list(each.items())[0] for each in request.get('sort', [])]
        collapse = request.get('collapse', {})
        if set(collapse) - {'field'} or not all(order in ('asc', 'desc') for _, order in sort):
            bad('[collapse] or [sort] is malformed')
        for name in [name for name, _ in sort if name != '_score'] + request.get('docvalue_fields', []) + list(collapse.values()):
            if not index.has_values(name):
                bad(f'No mapping found for [{name}] in order to sort on')
        hits = [(id, source) for id, source in index.visible.items() if matches(readable, source, index) and matches(request['query'], source, index)]
        if self.lost_shard:
            hits = [hit for hit in hits if sum(hit[0].encode()) % 2]
        total, aggregations = len(hits), {name: self.aggregate(agg, hits, index) for name, agg in request.get('aggs', {}).items()}
        scores = {id: float(sum(matches(q, source, index) for q in request['query'].get('bool', {}).get('should', []))) for id, source in hits}
        value = lambda hit, name: scores[hit[0]] if name == '_score' else (index.values(hit[1], name) or [None])[0]
        key = lambda hit: [value(hit, name) for name, _ in sort]
        for name, order in reversed(sort):  # what has no value is last in each order
            hits.sort(key=lambda hit: value(hit, name) if value(hit, name) is not None else '' if index.field(name)['type'] == 'keyword' else 0, reverse=order == 'desc')
            hits.sort(key=lambda hit: value(hit, name) is None)
        if collapse:
            groups = {}
            for hit in hits:
                groups.setdefault(value(hit, collapse['field']), hit)
            hits = list(groups.values())
        if 'search_after' in request:
            if len(request['search_after']) != len(sort) or any(order != 'asc' for _, order in sort):
                bad('search_after has another number of values than sort')
            hits = [hit for hit in hits if key(hit) > request['search_after']]
        answer = {'took': 1, 'timed_out': self.late, '_shards': self.shards(), 'hits': {'max_score': None, 'hits': [self.hit(hit, key(hit), scores, request, index) for hit in hits[first:first + size]]}}
        if request.get('track_total_hits', True):
            answer['hits']['total'] = {'value': total, 'relation': 'eq'}
        if aggregations:
            answer['aggregations'] = aggregations
        return 200, answer

    def aggregate(self, agg, hits, index):
        (kind, body), = agg.items()
        values = [v for _, source in hits for v in index.values(source, body['field'])]
        if kind == 'cardinality' and set(body) <= {'field', 'precision_threshold'} and body.get('precision_threshold', 0) <= 40000:
            return {'value': len(set(values))}
        if kind != 'max' or set(body) != {'field'}:
            bad(f'Unknown aggregation type [{kind}]', 'parsing_exception')
        return {'value': float(max(values)) if values else None}

    def hit(self, hit, key, scores, request, index):
        id, source = hit
        out = {'_index': 'x', '_id': id, '_score': scores[id] if any('_score' in each for each in request.get('sort', [])) else None, 'sort': key}
        if request.get('_source', True):
            out['_source'] = part_of(source, request.get('_source', True))
        if 'docvalue_fields' in request:
            out['fields'] = {name: values_of(source, name) for name in request['docvalue_fields'] if values_of(source, name)}
        if 'highlight' in request:
            marked = self.highlight(source, request['highlight'], index)
            if marked:
                out['highlight'] = {'text': [marked]}
        return out

    def highlight(self, source, wanted, index):
        """The best fragment; None: there is none."""
        if set(wanted) != {'pre_tags', 'post_tags', 'number_of_fragments', 'fragment_size', 'highlight_query', 'fields'} or wanted['number_of_fragments'] != 1 or wanted['fields'] != {'text': {}}:
            bad(f'unknown key in highlight {sorted(wanted)}', 'parsing_exception')
        text, words = source['text'], marked_words(wanted['highlight_query'], source, index)
        if len(text) > 1000000 and index.field('text').get('index_options') != 'offsets':
            bad('The length of [text] field has exceeded [1000000] - maximum allowed to be analyzed for highlighting')
        places = [m for m in re.finditer(r'\w+', text) if m.group().lower() in words]
        if not places:
            return None
        begin = max(places[0].start() - 20, 0)
        fragment = text[begin:begin + wanted['fragment_size']]
        return re.sub(r'\w+', lambda m: wanted['pre_tags'][0] + m.group() + wanted['post_tags'][0] if m.group().lower() in words else m.group(), fragment)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *arguments):
        pass

    def respond(self, status, answer, headers={}):
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def cut(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def handle_request(self):
        server, length = self.server, self.headers.get('Content-Length')
        body = self.rfile.read(int(length)) if length is not None else None
        path, _, query = self.path.partition('?')
        server.requests.append((self.command, self.path))
        if server.delay:
            let_time_pass(server.delay, 'a server that is slow')
        fault = server.fault(self.command, path, body)
        if fault == 'cut':
            return self.cut()
        if fault:
            return self.respond(*fault)
        try:
            with server.lock:
                status, answer = server.answer(self.command, path, dict(urllib.parse.parse_qsl(query, strict_parsing=bool(query))), self.headers, body)
        except Refused as refused:
            status, answer = refused.status, refused.json()
        except Exception:
            server.crashes.append(traceback.format_exc())
            status, answer = 500, {}
        if server.after(self.command, path) == 'cut':
            return self.cut()
        self.respond(status, answer)

    do_GET = do_PUT = do_POST = do_DELETE = handle_request
