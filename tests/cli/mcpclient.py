# SPDX-License-Identifier: GPL-3.0-or-later
"""mcpclient.py - speaks to "tarsier mcp" as an assistant does, and checks each answer against the
schemas of the protocol, where MCP_SCHEMAS names their directory or ../shared/suites/mcp/schema has
them, and Python has jsonschema."""
import json, os, subprocess

MODERN, LEGACY, OLDEST = '2026-07-28', '2025-11-25', '2025-06-18'
META = 'io.modelcontextprotocol/'
schemas = os.environ.get('MCP_SCHEMAS') or os.path.join(os.environ['abs_top_srcdir'], '../shared/suites/mcp/schema')
RESULTS = {'server/discover': 'DiscoverResult', 'initialize': 'InitializeResult', 'ping': 'EmptyResult', 'tools/list': 'ListToolsResult',
           'tools/call': 'CallToolResult', 'resources/list': 'ListResourcesResult', 'resources/read': 'ReadResourceResult',
           'resources/templates/list': 'ListResourceTemplatesResult'}
try:
    import jsonschema
except ImportError:
    jsonschema = None
validated = 0
_validators = {}
# A fault of the client that has no id is answered without one, which the oldest schema has no form for.
FAULTS = {OLDEST: LEGACY}


def validates():
    return jsonschema is not None and os.path.isdir(schemas)


def validator(schema):
    return jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema)


def check(version, definition, value):
    """Raises jsonschema.ValidationError."""
    global validated
    if not validates():
        return
    if (version, definition) not in _validators:
        with open(os.path.join(schemas, version, 'schema.json')) as f:
            schema = json.load(f)
        names = '$defs' if '$defs' in schema else 'definitions'
        whole = {'$schema': schema['$schema'], '$ref': f'#/{names}/{definition}', names: schema[names]}
        _validators[version, definition] = validator(whole) if definition in schema[names] else None
    if _validators[version, definition]:
        _validators[version, definition].validate(value)
        validated += 1


def check_answer(version, method, answer):
    if 'error' in answer:
        names = ('JSONRPCErrorResponse', 'JSONRPCError')
        for name in names:
            check(version if 'id' in answer else FAULTS.get(version, version), name, answer)
        return
    for name in ('JSONRPCResultResponse', 'JSONRPCResponse'):
        check(version, name, answer)
    check(version, RESULTS[method], answer['result'])


class Client:
    def __init__(self, *options, version=MODERN, handshake=True, **popen):
        self.version, self.number, self.tools = version, 0, {}
        self.process = subprocess.Popen(['tarsier', 'mcp', *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=popen.pop('stderr', subprocess.DEVNULL), **popen)
        if version != MODERN and handshake:
            self.initialized = self.ask('initialize', {'protocolVersion': version, 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}})
            self.send({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b'\n')

    def request(self, method, params=None, number=None):
        """The message, not sent."""
        self.number += 1
        params = dict(params or {})
        if self.version == MODERN:
            params['_meta'] = {META + 'protocolVersion': MODERN, META + 'clientCapabilities': {}, META + 'clientInfo': {'name': 'test', 'version': '1'}}
        message = {'jsonrpc': '2.0', 'id': self.number if number is None else number, 'method': method}
        return {**message, 'params': params} if params else message

    def receive(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, method, params=None):
        """The answer; what it is about is checked."""
        message = self.request(method, params)
        self.send(message)
        answer = self.receive()
        assert answer['id'] == message['id'], (message, answer)
        check_answer(self.version, method, answer)
        if method == 'tools/list' and 'result' in answer:
            self.tools = {tool['name']: tool for tool in answer['result']['tools']}
        return answer

    def call(self, tool, **arguments):
        """The object of a tool that must not fail; it is checked against the tool's own schema."""
        if not self.tools:
            self.ask('tools/list')
        result = self.ask('tools/call', {'name': tool, 'arguments': arguments})['result']
        assert not result['isError'], result
        found = result['structuredContent']
        assert json.loads(result['content'][0]['text']) == found
        if jsonschema:
            validator(self.tools[tool]['outputSchema']).validate(found)
        unknown = set(found) - set(self.tools[tool]['outputSchema']['properties'])
        assert not unknown, unknown
        return found

    def problem(self, tool, **arguments):
        """The text of a tool that must fail."""
        result = self.ask('tools/call', {'name': tool, 'arguments': arguments})['result']
        assert result['isError'] and 'structuredContent' not in result, result
        return result['content'][0]['text']

    def raw(self, data, answers=1):
        """Sends bytes; the answers."""
        self.write(data)
        return [self.receive() for _ in range(answers)]

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return self.process.wait(60), rest
