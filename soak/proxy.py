#!/usr/bin/env python3
"""A TCP proxy between subscriber and publisher that fails on demand.

usage: proxy.py PORT

Says on which port it listens, then reads lines: `KIND BYTES SECONDS`, which it
answers with `planned` and `failed`; an empty one, for resume(), with `resumed`.

At most one failure is planned at a time.  It comes when so many bytes, counted
over all connections, have gone to the subscriber since it was planned: what is
before is delivered, in the middle of a message or not.

    close     both ends see the connection end
    reset     both ends see it reset
    silence   nothing goes either way any more, and the ends must find out
    stall     nothing goes to the subscriber until resume() or the time is up
"""
import socket
import struct
import sys
import threading

BUFFER = 65536


class Link:
    """One connection through the proxy: two sockets, a thread each way."""

    def __init__(self, proxy, subscriber):
        self.proxy = proxy
        self.subscriber = subscriber
        self.publisher = socket.create_connection(('127.0.0.1', proxy.target))
        for end in (self.publisher, self.subscriber):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.silent = False
        self.closed = False
        threading.Thread(target=self.run, args=(self.to_publisher,), daemon=True).start()
        threading.Thread(target=self.run, args=(self.to_subscriber,), daemon=True).start()

    def run(self, pump):
        try:
            pump()
        except OSError:
            pass
        if not self.silent:
            self.close()

    def close(self, reset=False):
        if self.closed:
            return
        self.closed = True
        for end in (self.subscriber, self.publisher):
            try:
                if reset:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                # Wakes the other thread, which would keep the socket open.
                end.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def to_publisher(self):
        while data := self.subscriber.recv(BUFFER):
            if self.silent:
                return
            self.publisher.sendall(data)

    def to_subscriber(self):
        while data := self.publisher.recv(BUFFER):
            while data and not self.silent:
                count, kind = self.proxy.passing(len(data))
                self.subscriber.sendall(data[:count])
                data = data[count:]
                if kind:
                    self.fail(kind)
            if self.silent:
                return

    def fail(self, kind):
        if kind in ('close', 'reset'):
            self.close(reset=kind == 'reset')
            raise OSError
        if kind == 'silence':
            self.silent = True
        elif kind == 'stall':
            self.proxy.resumed.wait(self.proxy.seconds)


class Proxy:
    """Listens on `port`; connections go to the target port."""

    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()
        self.kind = None
        self.bytes = 0
        self.seconds = 0
        self.failed = threading.Event()
        self.resumed = threading.Event()
        self.links = []
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            subscriber, _ = self.listener.accept()
            try:
                self.links.append(Link(self, subscriber))
            except OSError:
                subscriber.close()

    def plan(self, kind, after, seconds=0):
        """Fail so many bytes from now; kind `nothing` just tells when they have passed."""
        with self.lock:
            self.kind = kind
            self.bytes = after
            self.seconds = seconds
            self.failed.clear()
            self.resumed.clear()

    def wait(self, seconds):
        """Whether what was planned has come."""
        return self.failed.wait(seconds)

    def resume(self):
        """Cancel what is planned, go on after a stall, forget silent connections."""
        with self.lock:
            self.kind = None
        self.resumed.set()
        for link in self.links:
            if link.silent:
                link.close()
        self.links = [link for link in self.links if not link.closed]

    def passing(self, count):
        """How many of the bytes may pass, and what happens then, if anything."""
        with self.lock:
            if self.kind is None:
                return count, None
            if count < self.bytes:
                self.bytes -= count
                return count, None
            count, kind, self.kind = self.bytes, self.kind, None
            self.failed.set()
            return count, kind


def main():
    proxy = Proxy(int(sys.argv[1]))
    print(proxy.port, flush=True)
    for line in sys.stdin:
        if not line.strip():
            proxy.resume()
            print('resumed', flush=True)
            continue
        kind, after, seconds = line.split()
        proxy.plan(kind, int(after), float(seconds))
        print('planned', flush=True)
        proxy.wait(None)
        print('failed', flush=True)


if __name__ == '__main__':
    main()
