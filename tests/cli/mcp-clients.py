# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier mcp with clients that others wrote: the inspector's command line and the client of the
TypeScript SDK, which npm installs once into the build directory. A first installation that takes
longer than INSTALL_S begins anew at the next run, with what it has in its cache."""
import json, os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

INSTALL_S = 55
PACKAGES = ['@modelcontextprotocol/inspector', '@modelcontextprotocol/sdk']
if 'jansson' in subprocess.run(['tarsier', 'mcp'], stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr:
    skip_all('built without jansson')
if not shutil.which('npm') or not shutil.which('node'):
    skip_all('npm or node is not there')
place = os.path.join(os.environ['abs_top_builddir'], 'tests/cli/mcp-npm')
os.makedirs(place, exist_ok=True)
mark = os.path.join(place, 'installed')
if not os.path.exists(mark):
    try:
        done = subprocess.run(['npm', 'install', '--no-fund', '--no-audit', '--ignore-scripts', '--cache', place + '/cache', '--fetch-retries=0', *PACKAGES],
                              cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.TimeoutExpired: # what is half unpacked would count as installed; the cache stays
        shutil.rmtree(place + '/node_modules', ignore_errors=True)
        skip_all(f'npm did not install the clients in {INSTALL_S} s')
    if done.returncode != 0:
        skip_all('npm cannot install the clients: ' + ' '.join(done.stderr.split())[:200])
    shutil.rmtree(place + '/cache', ignore_errors=True)
    open(mark, 'w').close()

os.makedirs(TREE)
write('marmoset.txt', 'A marmoset eats apples in the garden, says the budget of the zoo in its yearly report.\n')
write('lemur.txt', 'A lemur of another text with other words for the budget.\n')
configure()
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
server = [shutil.which('tarsier'), 'mcp']

# ---- the inspector
command = os.path.join(place, 'node_modules/.bin/mcp-inspector')


# The inspector hands down few variables of its environment.
variables = [part for key in sorted(os.environ) if key.startswith(('TARSIER_', 'XDG_')) for part in ('-e', f'{key}={os.environ[key]}')]


def inspect(*options):
    done = subprocess.run([command, '--cli', *variables, *server, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {'failed': done.stdout + done.stderr}


answer = inspect('--method', 'tools/list')
equal(sorted(tool['name'] for tool in answer.get('tools', [])), ['list', 'read', 'search', 'similar', 'why'], 'the inspector lists the tools')
answer = inspect('--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=budget', '--tool-arg', 'limit=5')
equal(answer.get('structuredContent', answer).get('total'), 2, 'the inspector searches')
answer = inspect('--method', 'resources/list')
equal(sorted(resource['name'] for resource in answer.get('resources', [])), ['lemur.txt', 'marmoset.txt'], 'the inspector lists resources')

# ---- the SDK
with open(os.path.join(place, 'client.mjs'), 'w') as f:
    f.write('''import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const answers = { server: client.getServerVersion(), capabilities: client.getServerCapabilities() };
answers.tools = (await client.listTools()).tools.map((tool) => tool.name);
answers.found = await client.callTool({ name: "search", arguments: { query: "marmoset" } });
const uri = answers.found.structuredContent.hits[0].uri;
answers.read = await client.callTool({ name: "read", arguments: { document: uri } });
answers.similar = await client.callTool({ name: "similar", arguments: { document: uri } });
answers.why = await client.callTool({ name: "why", arguments: { document: uri } });
answers.list = await client.callTool({ name: "list", arguments: {} });
answers.wrong = await client.callTool({ name: "search", arguments: { query: "(x" } });
answers.resource = await client.readResource({ uri });
answers.templates = (await client.listResourceTemplates()).resourceTemplates.length;
answers.missing = await client.readResource({ uri: "tarsier://99999" }).then(() => null, (error) => error.code);
await client.ping();
await client.close();
console.log(JSON.stringify(answers));
''')
done = subprocess.run(['node', 'client.mjs', *server], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
ok(done.returncode == 0, 'the client of the SDK ends well: it checks each answer against its schemas', done.stderr)
answers = json.loads(done.stdout) if done.returncode == 0 else {}
if answers:
    equal((answers['server']['name'], answers['capabilities']), ('tarsier', {'tools': {}, 'resources': {}}), 'it knows the server and what it offers')
    equal(len(answers['tools']), 5, 'it lists the tools')
    equal(answers['found']['structuredContent']['hits'][0]['path'], TREE + '/marmoset.txt', 'it searches')
    ok('eats apples' in answers['read']['structuredContent']['text'], 'it reads a hit')
    equal(len(answers['list']['structuredContent']['entries']), 3, 'it lists entries')
    equal(answers['why']['structuredContent']['state'], 'ok', 'it asks why')
    equal(answers['wrong']['isError'], True, 'it is told of a wrong query')
    ok('eats apples' in answers['resource']['contents'][0]['text'], 'it reads a resource')
    equal((answers['templates'], answers['missing']), (4, -32002), 'it lists templates, and is told of a resource that is not there')
finish()
