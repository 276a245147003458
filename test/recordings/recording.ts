import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp, type TestResponse } from '../support/test-app.ts';
import { createPlaceholders } from './placeholders.ts';

/** Whether this run writes the answers down instead of comparing them. */
export const RECORDS = process.env['BURROW_RECORD'] === '1';

/** A request, and what was answered; all of it without what differs in each run. */
interface Exchange {
  /** Who sends it, as the recording calls him. */
  who: string;
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  status: number;
  /** Headers of the answer that are not in `USUAL`. */
  answerHeaders: Readonly<Record<string, string>>;
  answer: string;
}

export interface Sent {
  who?: string;
  method?: string;
  /** Sent as JSON, unless it is text already. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Recording {
  readonly app: TestApp;
  /** A key by the name under which the recording shows it; `owner` has every scope, `nobody` sends no key. */
  readonly keys: Map<string, string | null>;
  ask(path: string, sent?: Sent): Promise<TestResponse>;
  /** Something beside answers that must stay the same, such as the rows of a table. */
  note(title: string, value: unknown): void;
  /** Whether stored requests exist; they are sent by `replay`. */
  readonly stored: readonly Exchange[];
  /** Sends the requests that were written down, in their order. */
  replay(): Promise<void>;
  /**
   * The difference between the file and the requests and responses, as a readable text; empty when there is none.
   * Writes the file instead when `BURROW_RECORD=1`.
   */
  finish(): string;
}

/** Of the connection, of the day, or of the length of what is compared anyway. */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);
/** Longer answers are compared as a hash behind their beginning. */
const LONGEST = 30_000;
const SHOWN_DIFFERENCES = 5;
const AROUND = 120;

type AppOptions = NonNullable<Parameters<typeof openTestApp>[0]>;

/** Opens an app whose answers are compared with `answers/<name>.ndjson.br`, or written there when `BURROW_RECORD=1`. */
export async function openRecording(name: string, options: AppOptions = {}): Promise<Recording> {
  const app = await openTestApp(options);
  const file = new URL(`./answers/${name}.ndjson.br`, import.meta.url);
  const stored = existsSync(file) ? readLines(file) : [];
  const made: Exchange[] = [];
  const texts = createPlaceholders([app.url, `127.0.0.1:${app.port}`, `localhost:${app.port}`]);
  texts.fix(`${TEST_KEY} ${TEST_TOKEN}`);
  const keys = new Map<string, string | null>([
    ['owner', TEST_KEY],
    ['nobody', null],
  ]);

  async function ask(path: string, sent: Sent = {}): Promise<TestResponse> {
    const { who = 'owner', method = 'GET', headers = {} } = sent;
    if (!keys.has(who)) throw new Error(`The recording has no key of ${who}.`);
    const body =
      sent.body === undefined || typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
    for (const text of [path, body ?? '', ...Object.values(headers)]) texts.fix(text);
    const answer = await app.ask(path, { method, key: keys.get(who)!, body, headers });
    made.push({
      who,
      method,
      path: texts.hide(path),
      ...(Object.keys(headers).length === 0 ? {} : { headers: mapValues(headers, texts.hide) }),
      ...(body === undefined ? {} : { body: texts.hide(body) }),
      status: answer.status,
      answerHeaders: comparedHeaders(answer.headers, texts.hide),
      answer: shortened(texts.hide(answer.text)),
    });
    return answer;
  }

  return {
    app,
    keys,
    ask,
    stored,
    note(title, value) {
      const answer = shortened(texts.hide(typeof value === 'string' ? value : JSON.stringify(value)));
      made.push({ who: '', method: 'NOTE', path: title, status: 0, answerHeaders: {}, answer });
    },
    async replay() {
      for (const { who, method, path, headers, body } of stored) {
        if (method === 'NOTE') continue;
        await ask(texts.fill(path), {
          who,
          method,
          ...(headers === undefined ? {} : { headers: mapValues(headers, texts.fill) }),
          ...(body === undefined ? {} : { body: texts.fill(body) }),
        });
      }
    },
    finish() {
      const differences = differencesOf(stored, made);
      if (differences.length === 0) return '';
      if (!RECORDS) return report(name, differences);
      if (stored.length > 0) console.log(report(name, differences));
      const lines = made.map((exchange) => `${JSON.stringify(exchange)}\n`).join('');
      writeFileSync(file, compress(lines));
      console.log(`${name}: ${made.length} answers written`);
      return '';
    },
  };
}

function comparedHeaders(
  headers: Readonly<Record<string, string>>,
  hide: (text: string) => string,
): Record<string, string> {
  const compared = Object.entries(headers)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]): [string, string] => [name, name === 'etag' ? '*' : hide(value)]);
  return Object.fromEntries(compared.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** A long text by its beginning, its length and its hash. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, LONGEST)}… ${text.length} characters, SHA-256 ${hash}`;
}

function readLines(file: URL): Exchange[] {
  const text = brotliDecompressSync(readFileSync(file)).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange);
}

function compress(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 10,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** One sentence for each exchange that is not as it was. */
function differencesOf(before: readonly Exchange[], after: readonly Exchange[]): string[] {
  const differences: string[] = [];
  for (const [index, exchange] of after.entries()) {
    const known = before[index];
    if (known === undefined) {
      differences.push(`${index + 1}. ${titleOf(exchange)}\n   is new`);
    } else if (titleOf(known) !== titleOf(exchange) || known.body !== exchange.body) {
      const changed = firstChange(requestText(known), requestText(exchange));
      differences.push(`${index + 1}. ${titleOf(exchange)}\n   another request was sent\n${changed}`);
      // Everything behind it may be another request too.
      return [...differences, `and ${after.length - index - 1} requests behind it, which were not compared`];
    } else if (!isSameAnswer(known, exchange)) {
      const changed = firstChange(answerText(known), answerText(exchange));
      differences.push(`${index + 1}. ${titleOf(exchange)}${bodyOf(exchange)}\n${changed}`);
    }
  }
  if (before.length > after.length)
    differences.push(`${before.length - after.length} requests were not sent again, beginning with
   ${titleOf(before[after.length]!)}`);
  return differences;
}

/** Groups of HogQL without an order come in any, as lines of CSV or as lists of JSON. */
function isSameAnswer(known: Exchange, exchange: Exchange): boolean {
  const [before, after] = [answerText(known), answerText(exchange)];
  if (before === after) return true;
  const { body = '' } = exchange;
  if (!/"SELECT [^"]* GROUP BY /.test(body) || /ORDER BY/.test(body)) return false;
  const rows = (text: string): string =>
    text
      .split(/[\n[\]]+/)
      .toSorted()
      .join('\n');
  return rows(before) === rows(after);
}

function titleOf({ who, method, path }: Exchange): string {
  return `${who} ${method} ${path}`.trim();
}

function bodyOf({ body }: Exchange): string {
  return body === undefined ? '' : `\n   ${body.slice(0, 600)}`;
}

function requestText(exchange: Exchange): string {
  return `${titleOf(exchange)} ${JSON.stringify(exchange.headers ?? {})} ${exchange.body ?? ''}`;
}

function answerText({ status, answerHeaders, answer }: Exchange): string {
  return `${status} ${JSON.stringify(answerHeaders)}\n${answer}`;
}

/** The places around the first character in which two texts differ. */
function firstChange(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const from = Math.max(0, at - AROUND);
  const cut = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from, at + AROUND)}`;
  return `   - ${cut(before)}\n   + ${cut(after)}`;
}

function report(name: string, differences: readonly string[]): string {
  const more = differences.length - SHOWN_DIFFERENCES;
  return [
    `${name}: ${differences.length} answers are not as they were recorded.`,
    ...differences.slice(0, SHOWN_DIFFERENCES),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}
