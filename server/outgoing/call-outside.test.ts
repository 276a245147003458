import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { callOutside, mayCall, OutsideError, readOutsideUrl, type Resolve } from './call-outside.ts';

interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

async function openReceiver(status = 200, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    req.on('end', () => {
      received.push({ method: req.method!, headers: req.headers, body });
      res.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, port: (server.address() as AddressInfo).port };
}

const CALL = {
  method: 'POST',
  contentType: 'application/json',
  body: '{}',
  userAgent: 'Burrow/test',
} as const;

test('a call to loopback arrives with its body and without any key', async () => {
  const { received, port } = await openReceiver(204);
  expect(
    await callOutside({ ...CALL, url: `http://127.0.0.1:${port}/a?b=c`, body: '{"x":1}' }),
  ).toMatchObject({
    status: 204,
  });
  expect(received).toEqual([
    {
      method: 'POST',
      body: '{"x":1}',
      headers: {
        'content-type': 'application/json',
        'content-length': '7',
        'user-agent': 'Burrow/test',
        host: `127.0.0.1:${port}`,
        connection: 'close',
      },
    },
  ]);
});

test('a redirect is an error and is not followed', async () => {
  const target = await openReceiver();
  const { port } = await openReceiver(302, { Location: `http://127.0.0.1:${target.port}/` });
  await expect(callOutside({ ...CALL, url: `http://127.0.0.1:${port}/` })).rejects.toThrow(
    'It answered with a redirect (302), which Burrow does not follow.',
  );
  expect(target.received).toEqual([]);
});

test('a receiver that never answers ends with the time limit', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await expect(
    callOutside({ ...CALL, url: `http://127.0.0.1:${port}/` }, { limitMs: 100 }),
  ).rejects.toMatchObject({ message: 'No answer came within 0.1 seconds.', isFinal: false });
});

test.each([
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', { status: 101 }],
  ['HTTP/1.1 204 No Content\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', { status: 204 }],
])('a receiver that offers another protocol has answered: %j', async (text, answer) => {
  const server = createTcpServer((socket) => void socket.on('error', () => undefined).end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await callOutside({ ...CALL, url: `http://127.0.0.1:${port}/` })).toMatchObject(answer);
});

test('a receiver that closes the connection without an answer is an error', async () => {
  const server = createTcpServer((socket) => void socket.on('error', () => undefined).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(callOutside({ ...CALL, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
    message: 'The connection was closed before an answer.',
    isFinal: false,
  });
});

test('a call ends when it is given up, also while its name is being resolved', async () => {
  const giveUp = new AbortController();
  const resolve: Resolve = () => giveUp.abort();
  await expect(
    callOutside({ ...CALL, url: 'http://hooks.example.com/', signal: giveUp.signal }, { resolve }),
  ).rejects.toThrow(OutsideError);
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://0.0.0.0:8080/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://[::ffff:168.63.129.16]/',
  'http://[fd20:ce::254]/',
  'http://[fd00:42::42]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://user:password@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'example.com',
])('the URL %s is refused', (url) => {
  expect(() => readOutsideUrl(url)).toThrow(OutsideError);
});

test.each(['127.0.0.1', '10.1.2.3', '192.168.1.5', '::1', '8.8.8.8', '2606:4700::1111', 'fd12:3456::1'])(
  'the address %s may be called',
  (address) => {
    expect(mayCall(address)).toBe(true);
  },
);

test('a name that leads to a link-local address is refused, even beside an address that may be called', async () => {
  const { received, port } = await openReceiver();
  const resolve: Resolve = (_host, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ]);
  await expect(
    callOutside({ ...CALL, url: `http://hooks.example.com:${port}/` }, { resolve }),
  ).rejects.toMatchObject({
    message:
      'hooks.example.com (169.254.169.254) is a link-local, multicast or metadata address, which Burrow does not call.',
    isFinal: true,
  });
  expect(received).toEqual([]);
});

test('a name is resolved once, and the checked address is called', async () => {
  const { received, port } = await openReceiver();
  let looks = 0;
  const resolve: Resolve = (_host, callback) => {
    looks++;
    callback(null, [{ address: looks === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
  };
  expect(await callOutside({ ...CALL, url: `http://hooks.example.com:${port}/` }, { resolve })).toMatchObject(
    {
      status: 200,
    },
  );
  expect(looks).toBe(1);
  expect(received).toHaveLength(1);
});
