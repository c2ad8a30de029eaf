# SPDX-License-Identifier: GPL-3.0-or-later
"""A strict server that speaks the part of the REST API of Elasticsearch 8 and OpenSearch 2 which the export uses, as their
public reference describes it, and refuses everything else. It is no search engine: it keeps documents in memory and
understands few queries. It breaks as such servers do, when the test asks for it."""
import base64, copy, http.server, json, random, re, socket, ssl, threading, traceback, urllib.parse
from tap import let_time_pass

MAX_ID, MAX_TERM, MAX_WINDOW, MAX_TERMS = 512, 32766, 10000, 65536
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
    def __init__(self, mapping):
        self.mapping, self.docs, self.gone, self.visible, self.seq_no = mapping, {}, {}, {}, 0

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


def matches(query, source, index):
    (kind, body), = query.items()
    if kind == 'bool':
        if set(body) - {'filter', 'must_not', 'should'}:
            bad(f'[bool] query does not support {sorted(body)}', 'parsing_exception')
        many = lambda name: body.get(name, []) if isinstance(body.get(name, []), list) else [body[name]]
        return (all(matches(q, source, index) for q in many('filter')) and not any(matches(q, source, index) for q in many('must_not'))
                and ('should' not in body or any(matches(q, source, index) for q in many('should'))))
    if kind not in ('term', 'terms', 'match'):
        bad(f'unknown query [{kind}]', 'parsing_exception')
    (name, wanted), = body.items()
    if kind == 'terms' and not isinstance(wanted, list):
        bad('[terms] query requires an array', 'parsing_exception')
    if kind == 'terms' and len(wanted) > MAX_TERMS:
        bad('too many terms')
    if kind == 'match':
        words = set(re.findall(r'\w+', ' '.join(map(str, values_of(source, name))).lower()))
        return all(word in words for word in wanted.lower().split())
    if index.field(name).get('type') not in SORTABLE:
        return False
    return bool(set(values_of(source, name)) & set(wanted if kind == 'terms' else [wanted]))


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
        self.lost_shard = self.shuffled = False
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
            role = self.roles[f'tarsier_{name}']
            try:
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
                index = self.indices[name]
                return sorted(id for id, source in index.visible.items() if matches(query, source, index) and matches({'match': {'text': text}}, source, index))
            except (Refused, ValueError):
                return []

    # ---- what is answered

    def answer(self, method, path, parameters, headers, body):
        parts = [urllib.parse.unquote(part) for part in path.strip('/').split('/')]
        kind = headers.get('Content-Type', '')
        if body is not None and kind != 'application/json' and not (parts[-1] == '_bulk' and kind == 'application/x-ndjson'):
            raise Refused(415 if self.kind == 'opensearch' else 406, 'media_type_header_exception', f'Content-Type header [{kind}] is not supported')
        if self.user or self.api_key:
            self.authenticate(headers.get('Authorization', ''))
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
        if route == ('GET', '_mapping', 2):
            return 200, {parts[0]: {'mappings': index.mapping}}
        if route == ('PUT', '_mapping', 2):
            new = strict_object(body)
            for name, field in new['properties'].items():
                if index.mapping.get('properties', {}).get(name, field).get('type') != field.get('type'):
                    bad(f'mapper [{name}] cannot be changed')
            index.mapping = {**index.mapping, **new}
            return 200, {'acknowledged': True}
        if route == ('POST', '_refresh', 2):
            index.refresh()
            return 200, {'_shards': self.shards()}
        if route == ('POST', '_bulk', 2):
            return self.bulk(parts[0], index, body)
        if route == ('POST', '_search', 2):
            return self.search(index, strict_object(body))
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
        wanted = 'ApiKey ' + self.api_key if self.api_key else 'Basic ' + base64.b64encode(':'.join(self.user).encode()).decode()
        if header != wanted:
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
        mapping = next((t['template']['mappings'] for t in self.templates.values() if name in t['index_patterns']), {})
        self.indices[name] = Index(copy.deepcopy(mapping))
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

    def search(self, index, request):
        if set(request) - {'size', 'query', 'sort', 'search_after', '_source', 'docvalue_fields', 'track_total_hits', 'aggs'}:
            bad(f'unknown key in {sorted(request)}', 'parsing_exception')
        if request.get('size', 10) > MAX_WINDOW:
            bad('Result window is too large')
        sort = [list(each.items())[0] for each in request.get('sort', [])]
        for name in [name for name, _ in sort] + request.get('docvalue_fields', []):
            if index.field(name).get('type') not in SORTABLE:
                bad(f'No mapping found for [{name}] in order to sort on')
        hits = [(id, source) for id, source in index.visible.items() if matches(request['query'], source, index)]
        if self.lost_shard:
            hits = [hit for hit in hits if sum(hit[0].encode()) % 2]
        key = lambda source: [(values_of(source, name) or [2 ** 63 - 1])[0] for name, _ in sort]
        total = len(hits)
        newest = max((value for _, source in hits for value in values_of(source, 'version')), default=None)
        hits.sort(key=lambda hit: key(hit[1]))
        if 'search_after' in request:
            hits = [hit for hit in hits if key(hit[1]) > request['search_after']]
        shown = []
        for id, source in hits[:request.get('size', 10)]:
            hit = {'_index': 'x', '_id': id, '_score': None, 'sort': key(source)}
            if request.get('_source', True):
                hit['_source'] = source
            if 'docvalue_fields' in request:
                hit['fields'] = {name: values_of(source, name) for name in request['docvalue_fields'] if values_of(source, name)}
            shown.append(hit)
        answer = {'took': 1, 'timed_out': False, '_shards': self.shards(), 'hits': {'max_score': None, 'hits': shown}}
        if request.get('track_total_hits', True):
            answer['hits']['total'] = {'value': total, 'relation': 'eq'}
        if 'aggs' in request:
            answer['aggregations'] = {'newest': {'value': None if newest is None else float(newest)}}
        return 200, answer


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
