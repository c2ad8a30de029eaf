# SPDX-License-Identifier: GPL-3.0-or-later
"""busclient.py - a client of the search boxes that speaks the protocol itself (D-Bus Specification
0.41), little-endian, with strings, arrays of strings and numbers as arguments"""
import os, re, socket, struct

NAME, PATH = 'org.tarsier.Search', '/org/tarsier/Search'
SHELL, RUNNER = 'org.gnome.Shell.SearchProvider2', 'org.kde.krunner1'


def padded(data, alignment):
    return data + b'\0' * (-len(data) % alignment)


def marshal(signature, values):
    """Of the types s, u and as."""
    out = bytearray()
    for kind, value in zip(re.findall('as|s|u', signature), values):
        out += b'\0' * (-len(out) % 4)
        if kind == 'u':
            out += struct.pack('<I', value)
        elif kind == 's':
            text = value if isinstance(value, bytes) else value.encode()
            out += struct.pack('<I', len(text)) + text + b'\0'
        else:
            items = marshal('s' * len(value), value)
            out += struct.pack('<I', len(items)) + items
    return bytes(out)


class Connection:
    def __init__(self):
        address = os.environ['DBUS_SESSION_BUS_ADDRESS'].split(',')[0]
        kind, _, where = address.partition('=')
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect('\0' + where if kind.endswith('abstract') else where)
        self.serial, self.received = 0, b''
        self.socket.sendall(b'\0AUTH EXTERNAL ' + str(os.getuid()).encode().hex().encode() + b'\r\n')
        assert self.socket.recv(100).startswith(b'OK')
        self.socket.sendall(b'BEGIN\r\n')
        self.send('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'Hello', '', [])
        self.replies(1)

    def message(self, destination, path, interface, member, signature, values):
        self.serial += 1
        fields = b''
        for code, kind, text in ((1, 'o', path), (2, 's', interface), (3, 's', member), (6, 's', destination)):
            fields = padded(fields, 8) + bytes([code, 1]) + kind.encode() + b'\0' + struct.pack('<I', len(text)) + text.encode() + b'\0'
        if signature:
            fields = padded(fields, 8) + bytes([8, 1]) + b'g\0' + bytes([len(signature)]) + signature.encode() + b'\0'
        body = marshal(signature, values)
        head = struct.pack('<cBBBIII', b'l', 1, 0, 1, len(body), self.serial, len(fields)) + fields
        return padded(head, 8) + body

    def send(self, *call):
        self.socket.sendall(self.message(*call))
        return self.serial

    def ask(self, interface, member, signature, *values):
        return self.send(NAME, PATH, interface, member, signature, values)

    def take(self):
        """Returns the next message from what was received as (type, serial it answers, error, body), or None."""
        if len(self.received) < 16:
            return None
        _, kind, _, _, body, _, fields = struct.unpack('<cBBBIII', self.received[:16])
        start = 16 + fields + (-fields % 8)
        if len(self.received) < start + body:
            return None
        head, at, answers, error = self.received[:16 + fields], 16, 0, None
        while at < len(head):
            at += -at % 8
            code, sign = head[at], head[at + 2:at + 3]
            at += 4
            if sign == b'g':
                at += head[at] + 2
                continue
            at += -at % 4
            number = struct.unpack('<I', head[at:at + 4])[0]
            at += 4
            if code == 5:
                answers = number
            if sign in (b's', b'o'):
                if code == 4:
                    error = head[at:at + number].decode()
                at += number + 1
        content = self.received[start:start + body]
        self.received = self.received[start + body:]
        return kind, answers, error, content

    def replies(self, n):
        """Waits for the answers to n calls: the serial -> (error or None, body)."""
        out = {}
        while len(out) < n:
            while not (message := self.take()):
                part = self.socket.recv(1 << 16)
                if not part:
                    raise EOFError('the bus closed the connection')
                self.received += part
            if message[0] in (2, 3):
                out[message[1]] = message[2], message[3]
        return out

    def close(self):
        self.socket.close()
