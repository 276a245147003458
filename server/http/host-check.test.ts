import { describe, expect, test } from 'vitest';
import { hostName, isAllowedHost, isLoopback, isOwnPage, type RequestingPage } from './host-check.ts';

test.each([
  ['localhost:2877', 'localhost'],
  ['LOCALHOST', 'localhost'],
  ['localhost.', 'localhost'],
  ['127.0.0.1:2877', '127.0.0.1'],
  ['[::1]:2877', '::1'],
  ['my_box.lan:80', 'my_box.lan'],
  [undefined, null],
  ['', null],
  ['.', null],
  ['localhost:2877@evil.test', null],
  ['evil.test/localhost', null],
  ['localhost evil.test', null],
  ['[::1', null],
  ['[127.0.0.1]', null],
  ['localhost:port', null],
  ['localhost:65536', null],
])('hostName(%j) is %j', (header, expected) => {
  expect(hostName(header)).toBe(expected);
});

test.each([
  ['localhost', true],
  ['shop.localhost', true],
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.1.evil.test', false],
  ['127.evil.test', false],
  ['localhost.evil.test', false],
  ['notlocalhost', false],
  ['0.0.0.0', false],
  ['192.168.1.7', false],
])('isLoopback(%j) is %j', (name, expected) => {
  expect(isLoopback(name)).toBe(expected);
});

describe('isAllowedHost', () => {
  const local = { host: '127.0.0.1', allowedHosts: ['box.lan'], beyondLoopback: false };
  const open = { host: '0.0.0.0', allowedHosts: [], beyondLoopback: true };

  test.each([
    ['localhost:2877', local, true],
    ['127.0.0.1', local, true],
    ['[::1]:2877', local, true],
    ['box.lan:2877', local, true],
    ['BOX.LAN', local, true],
    ['evil.test', local, false],
    ['evil.test:2877', local, false],
    ['127.0.0.1.evil.test:2877', local, false],
    ['192.168.1.7:2877', local, false],
    ['sub.box.lan', local, false],
    [undefined, local, false],
    ['192.168.1.7:2877', open, true],
    ['[fe80::1]:2877', open, true],
    ['evil.test:2877', open, false],
    ['mybox.lan', { ...open, host: 'MyBox.lan' }, true],
  ])('Host %j under %j: %j', (header, rules, expected) => {
    expect(isAllowedHost(header, rules)).toBe(expected);
  });
});

test.each<[string, Partial<RequestingPage>, boolean]>([
  ['no browser', {}, true],
  ['the console', { origin: 'http://localhost:2877', fetchSite: 'same-origin', fetchMode: 'cors' }, true],
  ['the console, a GET', { fetchSite: 'same-origin', fetchMode: 'cors' }, true],
  ['an address typed in', { fetchSite: 'none', fetchMode: 'navigate' }, true],
  ['a link of another page', { fetchSite: 'cross-site', fetchMode: 'navigate' }, true],
  ['another port', { origin: 'http://localhost:5173' }, false],
  ['another scheme', { origin: 'https://localhost:2877' }, false],
  ['another name of this machine', { origin: 'http://127.0.0.1:2877' }, false],
  ['another site', { origin: 'http://evil.test' }, false],
  [
    'a form of another site',
    { origin: 'http://evil.test', fetchSite: 'cross-site', fetchMode: 'navigate' },
    false,
  ],
  ['a sandboxed page', { origin: 'null' }, false],
  ['an image on another site', { fetchSite: 'cross-site', fetchMode: 'no-cors' }, false],
  ['an image on another port', { fetchSite: 'same-site', fetchMode: 'no-cors' }, false],
])('a request from %s', (_asker, page, expected) => {
  const asking = { origin: undefined, fetchSite: undefined, fetchMode: undefined, ...page };
  expect(isOwnPage(asking, 'http://localhost:2877')).toBe(expected);
});
