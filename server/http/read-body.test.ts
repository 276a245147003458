import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestApp } from '../../test/support/test-app.ts';

const LIMIT = 1_048_576;

/** Sends the pieces with a pause between them; what came back until the connection ended, and how many pieces it took. */
function converse(
  port: number,
  pieces: readonly (string | Buffer)[],
): Promise<{ text: string; taken: number }> {
  let taken = 0;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.once('error', reject);
    socket.once('close', () => resolve({ text, taken }));
    socket.once('connect', () => {
      void (async () => {
        for (const piece of pieces) {
          if (!socket.writable) return;
          socket.write(piece);
          taken++;
          await sleep(100);
        }
      })();
    });
  });
}

function headOf(bytes: number): string {
  return `POST /batch/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
}

test('1.5 a client refused during its upload can finish sending, and receives the response', async () => {
  const { port } = await openTestApp({ config: { maxBody: LIMIT } });
  const half = Buffer.alloc(LIMIT * 0.75, 'a');
  const { text, taken } = await converse(port, [headOf(half.length * 2), half, half]);
  expect(taken).toBe(3);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('payload_too_large');
});

test('1.5 a client that sends far more is answered, and disconnected', async () => {
  const { port } = await openTestApp({ config: { maxBody: LIMIT } });
  const piece = Buffer.alloc(LIMIT, 'a');
  const { text } = await converse(port, [headOf(100 * LIMIT), piece, piece, piece]);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
});
