import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { Reply, type ManagementRoute } from '../../server/http/define-route.ts';
import { createAnswerCheck } from '../support/answer-check.ts';
import { anyRoute } from './rules/route-rules.ts';

const thing = z.object({ id: z.int(), owner: z.object({ name: z.string() }).nullable() });
const TAKEN = { type: 'validation_error', code: 'unique', detail: 'This name is taken.', attr: 'name' };

interface Answer {
  status?: number;
  type?: string;
  body?: unknown;
}

/** What the check says of a route that gives this answer over HTTP, in two pieces. */
async function faultsOf(route: Partial<ManagementRoute>, answer: Answer): Promise<readonly string[]> {
  const check = createAnswerCheck();
  const server = createServer((req, res) => {
    check.watch(req, res);
    check.onRoute({ ...anyRoute, response: thing, ...route }, res);
    const text = typeof answer.body === 'string' ? answer.body : (JSON.stringify(answer.body) ?? '');
    res.setHeader('X-Request-Id', '1').setHeader('Content-Type', answer.type ?? 'application/json');
    res.statusCode = answer.status ?? 200;
    res.write(text.slice(0, 3));
    res.end(text.slice(3));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false }, (res) => res.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  return check.faults;
}

describe('a response outside its schema fails the current test', () => {
  test.each<[string, Partial<ManagementRoute>, Answer, string]>([
    [
      'a value of another type',
      {},
      { body: { id: 1, owner: { name: 7 } } },
      'GET P/things/ answered 200: at owner.name: Invalid input: expected string, received number; the value is 7',
    ],
    ['a key that is missing', {}, { body: { id: 1 } }, 'at owner: '],
    [
      'a key that is unknown',
      {},
      { body: { id: 1, owner: { name: 'a', age: 7 } } },
      'at owner.age: the schema does not know this key.',
    ],
    ['another status', {}, { status: 201, body: { id: 1, owner: null } }, 'its route promises 200.'],
    ['no body', {}, {}, 'the body is empty'],
    [
      'a body where none is promised',
      { response: null, status: 202 },
      { status: 202, body: {} },
      'its route promises no body.',
    ],
    ['something else than JSON', {}, { body: '<html>' }, 'at the top: '],
    [
      'an error of another shape',
      {},
      { status: 400, body: { error: 'no' } },
      'not the body of an error: {"error":"no"}',
    ],
    [
      'an error that it does not name',
      {},
      { status: 400, body: TAKEN },
      'unique is none of what this route may refuse.',
    ],
    [
      'JSON instead of a stream',
      { response: null, streams: 'text/event-stream' },
      { body: {} },
      'its route promises text/event-stream.',
    ],
  ])('%s', async (_, route, answer, fault) => {
    expect(await faultsOf(route, answer)).toEqual([expect.stringContaining(fault)]);
  });

  test.each<[string, Partial<ManagementRoute>, Answer]>([
    ['what the schema says', {}, { body: { id: 1, owner: { name: 'a' } } }],
    ['an error that it names', { errors: ['unique'] }, { status: 400, body: TAKEN }],
    ['an empty body, where the schema allows it', { response: thing.optional() }, {}],
    [
      'CSV, where it is offered',
      { formats: ['json', 'csv'] },
      { type: 'text/csv; charset=utf-8', body: 'a,b' },
    ],
    ['an immediate refusal', { atOnce: Reply.empty(405) }, { status: 405 }],
  ])('but not %s', async (_, route, answer) => {
    expect(await faultsOf(route, answer)).toEqual([]);
  });
});
