import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { field } from '../build.ts';
import { HogqlError } from '../errors.ts';
import { createHogqlParser, type HogqlParserOptions, type HogqlParser } from './hogql-parser.ts';
import type { FromParser, ToParser } from './parse-messages.ts';
import { startParserThread, type ParserEvents } from './start-parser.ts';

function open(options: HogqlParserOptions): HogqlParser {
  const parser = createHogqlParser(options);
  onTestFinished(() => parser.close());
  return parser;
}

/** Attaches a handler immediately, so that the rejection is never unhandled. */
function refusalOf(read: Promise<unknown>): Promise<Error> {
  return read.then(
    () => new Error('it was read'),
    (error: Error) => error,
  );
}

describe('the parser in its thread, as built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-parser-'));
  const url = pathToFileURL(join(folder, 'parse-thread.mjs'));
  const start = (events: ParserEvents) => startParserThread(url, events);

  beforeAll(async () => {
    await build({
      configFile: 'vite.server.config.ts',
      logLevel: 'error',
      build: {
        outDir: folder,
        emptyOutDir: false,
        sourcemap: false,
        license: false,
        rolldownOptions: { input: { 'parse-thread': 'server/hogql/parse/parse-thread.ts' } },
      },
    });
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('parses valid texts, and reports errors with their position', async () => {
    const parser = open({ start });
    expect(await parser.select('SELECT 9007199254740993 FROM events')).toMatchObject({
      node: 'SelectQuery',
      select: [{ value: 9007199254740993n, start: 7, end: 23 }],
    });
    expect(await parser.expression('event')).toMatchObject(field('event'));
    expect(await parser.order('timestamp DESC')).toMatchObject({ order: 'DESC' });
    const refused = parser.select('SELECT 1 FROM events WHERE )');
    await expect(refused).rejects.toMatchObject({ name: 'HogqlError', start: 27, end: 28 });
  });

  test('the calling thread stays responsive while a long text is parsed', async () => {
    const parser = open({ start });
    const values = Array.from({ length: 20_000 }, (_, index) => `'v${index}'`).join(', ');
    const order: string[] = [];
    const read = parser.select(`SELECT a IN (${values})`).then(
      () => order.push('read'),
      () => order.push('read'),
    );
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      order.push('turn');
    }
    await read;
    expect(order).toEqual(['turn', 'turn', 'turn', 'read']);
  });

  test('a text that takes too long is an error, and the next one is parsed', async () => {
    const parser = open({ start, timeLimitMs: 1 });
    const values = Array.from({ length: 20_000 }, (_, index) => `'v${index}'`).join(', ');
    const long = parser.select(`SELECT a IN (${values})`);
    await expect(long).rejects.toThrow(/takes longer than 0.001 s/);
    const patient = open({ start });
    expect(await patient.expression('1')).toMatchObject({ value: 1 });
  });
});

describe('the parser queue', () => {
  interface Started {
    asked: ToParser[];
    ended: boolean;
    events: ParserEvents;
  }

  /** Something that parses nothing by itself: the test answers. */
  function byHand(options: Partial<HogqlParserOptions> = {}): { parser: HogqlParser; started: Started[] } {
    const started: Started[] = [];
    const parser = open({
      ...options,
      start(events) {
        const one: Started = { asked: [], ended: false, events };
        started.push(one);
        return {
          ask: (message) => void one.asked.push(message),
          end: async () => void (one.ended = true),
        };
      },
    });
    return { parser, started };
  }
  const tree: FromParser = { outcome: 'tree', tree: field('a') };

  test('no parser is started before the first text, and one text is parsed at a time', async () => {
    const { parser, started } = byHand();
    expect(started).toHaveLength(0);
    const both = Promise.all([parser.expression('a'), parser.expression('b')]);
    expect(started.map(({ asked }) => asked.map(({ text }) => text))).toEqual([['a']]);
    started[0]!.events.onAnswer(tree);
    started[0]!.events.onAnswer(tree);
    await both;
    expect(started[0]!.asked.map(({ text }) => text)).toEqual(['a', 'b']);
  });

  test('a text is parsed once for repeated requests, and once for each grammar rule', async () => {
    const { parser, started } = byHand();
    const both = Promise.all([parser.expression('a'), parser.expression('a')]);
    started[0]!.events.onAnswer(tree);
    expect(await both).toEqual([field('a'), field('a')]);
    await parser.expression('a');
    const order = parser.order('a');
    started[0]!.events.onAnswer(tree);
    await order;
    expect(started[0]!.asked.map(({ kind }) => kind)).toEqual(['expression', 'order']);
  });

  test('a parser that takes too long is ended, and waiting texts are parsed by a new one', async () => {
    const { parser, started } = byHand({ timeLimitMs: 5 });
    const long = refusalOf(parser.expression('long'));
    const next = parser.expression('next');
    expect(await long).toBeInstanceOf(HogqlError);
    expect(started.map(({ ended }) => ended)).toEqual([true, false]);
    expect(started[1]!.asked).toMatchObject([{ text: 'next' }]);
    started[1]!.events.onAnswer(tree);
    expect(await next).toEqual(field('a'));
  });

  test('a broken parser is not used again, and its text is refused', async () => {
    const { parser, started } = byHand();
    const broken = refusalOf(parser.expression('a'));
    started[0]!.events.onAnswer({ outcome: 'broken' });
    expect((await broken).message).toMatch(/too complex/);
    expect(started[0]!.ended).toBe(true);
    const next = parser.expression('b');
    started[1]!.events.onAnswer(tree);
    await next;
  });

  test('after a crash of the parser the same text is parsed again', async () => {
    const { parser, started } = byHand();
    const lost = refusalOf(parser.expression('a'));
    started[0]!.events.onError(new Error('died'));
    expect((await lost).message).toBe('died');
    const again = parser.expression('a');
    started[1]!.events.onAnswer(tree);
    expect(await again).toEqual(field('a'));
  });

  test('after an idle time it is ended, and started again by the next text', async () => {
    const { parser, started } = byHand({ idleMs: 1 });
    const first = parser.expression('a');
    started[0]!.events.onAnswer(tree);
    await first;
    await expect.poll(() => started[0]!.ended).toBe(true);
    const second = parser.expression('b');
    started[1]!.events.onAnswer(tree);
    await second;
  });

  test('a text of a megabyte is refused before parsing', async () => {
    const { parser, started } = byHand();
    await expect(parser.select('a'.repeat(1_000_000))).rejects.toThrow(/up to 262144 characters/);
    expect(started).toHaveLength(0);
  });

  test('close rejects current and waiting texts', async () => {
    const { parser, started } = byHand();
    const all = Promise.allSettled([parser.expression('a'), parser.expression('b')]);
    await parser.close();
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(started[0]!.ended).toBe(true);
  });
});
