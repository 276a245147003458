import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resumingDownloader } from './electron-download.mjs';

const FILE = randomBytes(400_000);

describe('the download of the Electron runtime', () => {
  let folder: string;
  let server: Server;
  /** The ranges of the requests, in their order; null is the whole file. */
  let ranges: (string | null)[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'burrow-download-'));
    ranges = [];
    server = createServer((request, response) => {
      ranges.push(request.headers.range ?? null);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const part = () => join(folder, 'parts', 'electron.zip.part');

  async function download(lines: string[] = []): Promise<Buffer> {
    const target = join(folder, 'electron.zip');
    const { port } = server.address() as AddressInfo;
    const options = { print: (text: string) => void lines.push(text), isTerminal: true, pauseMs: 1 };
    await resumingDownloader(join(folder, 'parts'), options).download(`http://127.0.0.1:${port}/`, target);
    return readFileSync(target);
  }

  /** The requested range, of which only `bytes` arrive before the connection breaks. */
  function sendRange(request: IncomingMessage, response: ServerResponse, bytes = Infinity): void {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (start >= FILE.length) {
      response.writeHead(416, { 'content-range': `bytes */${FILE.length}` }).end();
      return;
    }
    response.writeHead(start === 0 ? 200 : 206, { 'content-length': FILE.length - start });
    if (start + bytes >= FILE.length) response.end(FILE.subarray(start));
    else response.write(FILE.subarray(start, start + bytes), () => response.destroy());
  }

  test('goes on where the connection broke, and shows how far it is', async () => {
    answer = (request, response) => sendRange(request, response, 150_000);
    const lines: string[] = [];
    expect((await download(lines)).equals(FILE)).toBe(true);
    expect(ranges).toHaveLength(3);
    expect(ranges[0]).toBeNull();
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(lines.join('')).toContain('100 % of 0 MB');
  });

  test('goes on where an earlier run has ended', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    await expect(download()).rejects.toThrow('404');
    writeFileSync(part(), FILE.subarray(0, 300_000));
    answer = (request, response) => sendRange(request, response);
    expect((await download()).equals(FILE)).toBe(true);
    expect(ranges.at(-1)).toBe('bytes=300000-');
  });

  test('takes what an earlier run had received wholly', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    await expect(download()).rejects.toThrow('404');
    writeFileSync(part(), FILE);
    answer = (request, response) => sendRange(request, response);
    expect((await download()).equals(FILE)).toBe(true);
  });

  test('begins again where a server sends no ranges', async () => {
    answer = (request, response) => {
      if (ranges.length === 1) sendRange(request, response, 150_000);
      else response.writeHead(200, { 'content-length': FILE.length }).end(FILE);
    };
    expect((await download()).equals(FILE)).toBe(true);
  });

  test('ends after five attempts without a byte, and keeps what has arrived', async () => {
    answer = (request, response) => {
      if (ranges.length === 1) sendRange(request, response, 150_000);
      else response.destroy();
    };
    await expect(download()).rejects.toThrow(/fetch failed|terminated/);
    expect(ranges).toHaveLength(5);
    expect(readFileSync(part()).length).toBeGreaterThan(0);
  });
});
