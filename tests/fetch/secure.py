# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-fetch believes a server that proves its name, and no other."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/fetch'))
from fetchtest import *

if not NGINX or not shutil.which('openssl'):
    skip_all('needs nginx and openssl')
CERTIFICATES = TMP + '/certificates'
os.makedirs(CERTIFICATES)
os.chdir(CERTIFICATES)


def openssl(*words):
    subprocess.run(['openssl', *words], check=True, capture_output=True)


def authority(name):
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30', '-keyout', f'{name}.key',
            '-out', f'{name}.pem', '-subj', f'/CN={name}', '-addext', 'basicConstraints=critical,CA:TRUE',
            '-addext', 'keyUsage=critical,keyCertSign')


def certificate(name, subject, start='20200101000000Z', end='20490101000000Z', issuer='authority'):
    """Makes NAME.pem and NAME.key for a name or an address, such as DNS:localhost."""
    for file, content in (('database', ''), ('serial', '01\n')):
        with open(file, 'w') as f:
            f.write(content)
    with open('conf', 'w') as f:
        f.write('[ca]\ndefault_ca=a\n[a]\ndatabase=database\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\nunique_subject=no\n'
                f'[p]\ncommonName=supplied\n[x]\nsubjectAltName={subject}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n')
    openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', f'{name}.key', '-out', f'{name}.csr',
            '-subj', f'/CN={name}')
    openssl('ca', '-batch', '-notext', '-config', 'conf', '-extensions', 'x', '-startdate', start, '-enddate', end, '-cert', f'{issuer}.pem',
            '-keyfile', f'{issuer}.key', '-in', f'{name}.csr', '-out', f'{name}.pem')


def block(name, more=''):
    return (f'listen 127.0.0.1:{{port}} ssl{more}; ssl_certificate {CERTIFICATES}/{name}.pem; '
            f'ssl_certificate_key {CERTIFICATES}/{name}.key;')


authority('authority')
authority('stranger')
certificate('good', 'IP:127.0.0.1,DNS:localhost')
certificate('other', 'DNS:other.example')
certificate('expired', 'IP:127.0.0.1', end='20200201000000Z')
certificate('future', 'IP:127.0.0.1', start='20480101000000Z')
certificate('unknown', 'IP:127.0.0.1', issuer='stranger')
authority('self')
nginx = Nginx(block('good', ' http2'), block('good'), block('other'), block('expired'), block('future'), block('unknown'), block('self'),
              'listen 127.0.0.1:{port};')
nginx.write('page.html', b'a page about marmosets')
urls = [f'https://127.0.0.1:{port}/page.html' for port in nginx.ports]
client = Client('--certificates', CERTIFICATES + '/authority.pem')


def ask(url, client=client):
    return client.ask(url, local=place(url), seconds=30)


two, one, *refused, plain = urls
answer = ask(two)
equal((answer.error, answer.status, answer.body), ('ok', 200, b'a page about marmosets'), 'a page comes over TLS')
ok(answer.headers.startswith(b'HTTP/2 200'), 'by HTTP/2', answer.headers)
answer = ask(one)
equal((answer.status, answer.headers[:8]), (200, b'HTTP/1.1'), 'and by HTTP/1.1 from a server that knows no other')
named = one.replace('127.0.0.1', 'localhost')
equal(ask(named).status, 200, 'by name too')
for url, why in zip(refused, ('the name of another server', 'an expired certificate', 'one of the future', 'an unknown authority', 'a certificate signed by itself')):
    answer = ask(url)
    equal((answer.error, answer.status, answer.bytes), ('tls', 0, 0), f'refused: {why}')
    ok(answer.detail, 'with a reason', answer.detail)
ok(ask(plain).error in ('tls', 'protocol'), 'a server without TLS is not asked over TLS')
equal(ask(plain.replace('https', 'http')).status, 200, 'only without')
usual = Client()
equal(ask(one, usual).error, 'tls', "the system's certificates do not vouch for it")
for path in ('/nonexistent.pem', '/dev/null'):
    broken = Client('--certificates', path)
    ok(ask(one, broken).error in ('tls', 'failed'), f'without certificates nothing is believed: {path}')
for one_client in (client, usual):
    equal(one_client.end(), 0, 'it ends without a fault')
finish()
