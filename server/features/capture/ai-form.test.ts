import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const BOUNDARY = 'form-boundary';
const UUID = '0190a000-0000-7000-8000-000000000001';
const EVENT = { event: '$ai_generation', distinct_id: 'ada', uuid: UUID, properties: { $ai_model: 'm' } };

interface Part {
  name: string;
  body: string | Buffer;
  type?: string;
  filename?: string;
  encoding?: string;
}

function eventPart(event: object = EVENT): Part {
  return { name: 'event', type: 'application/json', body: JSON.stringify(event) };
}

function formOf(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, body, type, filename, encoding }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    encoding === undefined ? '' : `\r\nContent-Encoding: ${encoding}`,
    '\r\n\r\n',
    body,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

interface Sending {
  path?: string;
  key?: string | null;
  headers?: Record<string, string>;
}

function send(app: TestApp, body: Buffer, { path = '/i/v0/ai', headers = {}, ...rest }: Sending = {}) {
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const all = { 'Content-Type': type, ...headers };
  return app.ask(path, { method: 'POST', key: TEST_TOKEN, headers: all, body, ...rest });
}

async function stored(app: TestApp): Promise<any[]> {
  return (await app.ask('/api/projects/@current/events/')).json.results;
}

async function propertiesOf(app: TestApp): Promise<Record<string, unknown>> {
  return JSON.parse((await stored(app))[0].properties);
}

describe('2.2/ai an AI event as a multipart form', () => {
  test.each(['/i/v0/ai', '/i/v0/ai/'])(
    '%s stores it like any event and returns the accepted parts',
    async (path) => {
      const app = await openTestApp();
      const large = {
        name: 'event.properties.$ai_input',
        type: 'application/json',
        body: '[{"role":"user"}]',
      };
      const answer = await send(app, formOf(eventPart(), large), { path });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        accepted_parts: [
          {
            name: 'event',
            length: JSON.stringify(EVENT).length,
            'content-type': 'application/json',
            'content-encoding': null,
          },
          { name: large.name, length: 17, 'content-type': 'application/json', 'content-encoding': null },
        ],
      });
      expect(await stored(app)).toMatchObject([{ id: UUID, event: '$ai_generation', distinct_id: 'ada' }]);
      expect(await propertiesOf(app)).toMatchObject({ $ai_model: 'm', $ai_input: [{ role: 'user' }] });
    },
  );

  test('properties may be in a separate part', async () => {
    const app = await openTestApp();
    const { properties, ...event } = EVENT;
    await send(app, formOf(eventPart(event), { name: 'event.properties', body: JSON.stringify(properties) }));
    expect(await propertiesOf(app)).toMatchObject({ $ai_model: 'm' });
  });

  test('a part may be JSON, text or binary, compressed or not', async () => {
    const app = await openTestApp();
    await send(
      app,
      formOf(
        eventPart(),
        { name: 'event.properties.json', type: 'application/json', body: '{"a":[1,null]}' },
        { name: 'event.properties.text', type: 'text/plain; charset=utf-8', body: 'grüße' },
        { name: 'event.properties.bare', body: 'no type' },
        {
          name: 'event.properties.image',
          type: 'image/png',
          filename: 'a.png',
          body: Buffer.from([0, 255, 13, 10]),
        },
        { name: 'event.properties.latin', type: 'text/plain', body: Buffer.from([0xfc]) },
        { name: 'event.properties.packed', type: 'text/plain', encoding: 'gzip', body: gzipSync('packed') },
      ),
    );
    expect(await propertiesOf(app)).toMatchObject({
      json: { a: [1, null] },
      text: 'grüße',
      bare: 'no type',
      image: { name: 'a.png', type: 'image/png', size: 4 },
      latin: { name: null, type: 'text/plain', size: 1 },
      packed: 'packed',
    });
  });

  test('a form written by fetch is read, also when compressed', async () => {
    const app = await openTestApp();
    const form = new FormData();
    form.append('event', new Blob([JSON.stringify(EVENT)], { type: 'application/json' }));
    form.append('event.properties.$ai_output_choices', new Blob(['"hi"'], { type: 'application/json' }));
    const written = new Response(form);
    const headers = {
      'Content-Type': written.headers.get('content-type')!,
      'Content-Encoding': 'gzip',
    };
    const answer = await send(app, gzipSync(Buffer.from(await written.arrayBuffer())), { headers });
    expect(answer.status).toBe(200);
    expect(await propertiesOf(app)).toMatchObject({ $ai_output_choices: 'hi' });
  });

  test('sent again it is stored once', async () => {
    const app = await openTestApp();
    await send(app, formOf(eventPart()));
    await send(app, formOf(eventPart()));
    expect(await stored(app)).toHaveLength(1);
  });

  test('without a name it is answered 200 and dropped, as on every path', async () => {
    const app = await openTestApp();
    expect((await send(app, formOf(eventPart({ distinct_id: 'ada' })))).status).toBe(200);
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report.dropped_by_reason).toMatchObject([{ reason: 'missing_event_name' }]);
  });
});

describe('an invalid AI event is refused, and no part of it is stored', () => {
  const json = { type: 'application/json' };
  test.each([
    ['no event', formOf({ name: 'event.properties', body: '{}' })],
    ['an event that is not an object', formOf({ name: 'event', ...json, body: '[]' })],
    ['an event that is not JSON', formOf({ name: 'event', ...json, body: '{' })],
    ['properties twice', formOf(eventPart(), { name: 'event.properties', body: '{}' })],
    ['an unknown part', formOf(eventPart(), { name: 'other', body: '1' })],
    [
      'a property twice',
      formOf(eventPart(), ...[1, 2].map(() => ({ name: 'event.properties.a', body: 'x' }))),
    ],
    ['a nested property', formOf(eventPart(), { name: 'event.properties.a.b', body: 'x' })],
    ['JSON that is none', formOf(eventPart(), { name: 'event.properties.a', ...json, body: '{' })],
    ['a cut form', formOf(eventPart()).subarray(0, 120)],
    ['no form', Buffer.from('hello')],
    ['nothing', Buffer.from('')],
    ['an uuid that is none', formOf(eventPart({ ...EVENT, uuid: 'x' }))],
  ])('%s: 400', async (_, body) => {
    const app = await openTestApp();
    const answer = await send(app, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ type: 'validation_error', attr: null });
    expect(await stored(app)).toEqual([]);
  });

  test.each([
    ['no key', { key: null }, 401],
    ['an unknown key', { key: 'phc_unknown' }, 401],
    ['another content type', { headers: { 'Content-Type': 'application/json' } }, 415],
    ['no boundary', { headers: { 'Content-Type': 'multipart/form-data' } }, 400],
    ['an encoding that is not read', { headers: { 'Content-Encoding': 'compress' } }, 415],
  ])('%s: %#', async (_, sending, status) => {
    const app = await openTestApp();
    expect((await send(app, formOf(eventPart()), sending)).status).toBe(status);
    expect(await stored(app)).toEqual([]);
  });

  test('parts that decompress to more than eight times the body limit: 413', async () => {
    const app = await openTestApp({ config: { maxBody: 5_000 } });
    const packed = { type: 'text/plain', encoding: 'gzip', body: gzipSync('x'.repeat(30_000)) };
    const parts = [1, 2].map((n) => ({ name: `event.properties.p${n}`, ...packed }));
    expect((await send(app, formOf(eventPart(), ...parts))).status).toBe(413);
    expect((await send(app, formOf(eventPart(), parts[0]!))).status).toBe(200);
  });
});
