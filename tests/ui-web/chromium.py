# SPDX-License-Identifier: GPL-3.0-or-later
"""chromium.py - a headless Chromium that is driven over its pipe (Chrome DevTools Protocol: JSON
that ends with NUL, commands on descriptor 3, answers and events on 4)"""
import base64, json, os, select, shutil, subprocess, time

PROGRAMS = ('chromium', 'chromium-browser', 'google-chrome')
TIMEOUT_S = 60
KEYS = {'Enter': ('\r', 13), 'Escape': ('', 27), 'ArrowDown': ('', 40), 'ArrowUp': ('', 38), 'Tab': ('', 9), '/': ('/', 191)}


def program():
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One window. directory: for its profile. A page that cannot be driven is an error."""

    def __init__(self, directory, width=1280, height=900, dark=False, scripts=True):
        commands, ours = os.pipe()
        self.answers, theirs = os.pipe()
        self.commands, self.received, self.serial, self.session, self.events = ours, b'', 0, None, []

        def pipes():
            os.dup2(commands, 103)
            os.dup2(theirs, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [program(), '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking',
             '--hide-scrollbars', '--no-proxy-server', '--user-data-dir=' + directory, 'about:blank'],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': directory})
        os.close(commands)
        os.close(theirs)
        self.open_window(width, height, dark, scripts)

    def open_window(self, width, height, dark, scripts):
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.target = target
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')
        self.size(width, height)
        if dark:
            self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
        if not scripts:
            self.call('Emulation.setScriptExecutionDisabled', value=True)

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def message(self, deadline):
        while b'\0' not in self.received:
            if not select.select([self.answers], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError('the browser does not answer')
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise EOFError('the browser has ended')
            self.received += part
        one, self.received = self.received.split(b'\0', 1)
        return json.loads(one)

    def call(self, method, **params):
        self.serial += 1
        command = {'id': self.serial, 'method': method, 'params': params}
        if self.session:
            command['sessionId'] = self.session
        os.write(self.commands, json.dumps(command).encode() + b'\0')
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            message = self.message(deadline)
            if message.get('id') == self.serial:
                if 'error' in message:
                    raise RuntimeError(message['error'])
                return message['result']
            self.events.append(message)

    def said(self, method):
        """The events of a method so far."""
        return [event['params'] for event in self.events if event.get('method') == method]

    def js(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'])
        return result['result'].get('value')

    def until(self, expression, seconds=20):
        """Waits until an expression, which is not an object, is true; its last value."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.js(expression)
            except RuntimeError: # the page is just being replaced
                value = None
            if value or time.monotonic() > deadline:
                return value
            select.select([], [], [], 0.02)

    def go(self, url):
        self.call('Page.navigate', url=url)
        return self.until('document.readyState === "complete" && location.href !== "about:blank"')

    def key(self, name):
        text, code = KEYS.get(name, (name, ord(name[0].upper())))
        down = {'type': 'keyDown' if text else 'rawKeyDown', 'key': name, 'windowsVirtualKeyCode': code}
        self.call('Input.dispatchKeyEvent', **down, **({'text': text} if text else {}))
        self.call('Input.dispatchKeyEvent', type='keyUp', key=name, windowsVirtualKeyCode=code)

    def type(self, text):
        for letter in text:
            self.key(letter)

    def picture(self, path):
        with open(path, 'wb') as f:
            f.write(base64.b64decode(self.call('Page.captureScreenshot')['data']))

    def close_window(self):
        target, session, self.session = self.target, self.session, None
        self.call('Target.closeTarget', targetId=target)
        self.session = session

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
