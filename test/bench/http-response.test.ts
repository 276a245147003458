import { describe, expect, test } from 'vitest';
import { createResponseReader } from './http-response.mjs';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"status":1}';
const EMPTY = 'HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n';
const REFUSED = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nRetry-After: 1\r\n\r\n{}';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{"status":1}\r\n0\r\n\r\n';

function statusesOf(pieces: readonly string[]): number[] {
  const statuses: number[] = [];
  const read = createResponseReader((status) => statuses.push(status));
  for (const piece of pieces) read(Buffer.from(piece));
  return statuses;
}

describe('the responses of a connection', () => {
  test('are separated when several arrive in one chunk', () => {
    expect(statusesOf([OK + EMPTY + REFUSED + CHUNKED + OK])).toEqual([200, 204, 503, 200, 200]);
  });

  test('are assembled when they arrive byte by byte', () => {
    expect(statusesOf([...(OK + CHUNKED + REFUSED + OK)])).toEqual([200, 200, 503, 200]);
  });

  test('count only when they are complete', () => {
    expect(statusesOf([OK.slice(0, -1)])).toEqual([]);
    expect(statusesOf([CHUNKED.slice(0, -2)])).toEqual([]);
  });
});
