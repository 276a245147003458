import { LRUCache } from 'lru-cache';
import type { Expr, OrderExpr, Query } from '../ast.ts';
import { HogqlError } from '../errors.ts';
import type { FromParser, ToParser } from './parse-messages.ts';
import type { ParserEvents, RunningParser } from './start-parser.ts';

/** Longer texts are refused unread. */
export const MAX_TEXT_LENGTH = 262_144;
const TIME_LIMIT_MS = 5_000;
/** The thread holds some 40 MB, and is back within a tenth of a second. */
const IDLE_MS = 10 * 60_000;
const CACHE_BYTES = 16 * 1024 * 1024;
/** A tree takes about so many times the bytes of its text; a small text takes some too. */
const BYTES_PER_CHARACTER = 60;

export interface HogqlParserOptions {
  /** Starts what parses: with the first text, after a rest, and after one that took too long. */
  start: (events: ParserEvents) => RunningParser;
  timeLimitMs?: number;
  /** After so long without a text what parses is ended. */
  idleMs?: number;
}

/** Reads texts of HogQL. Trees are shared between callers, which never change them. */
export interface HogqlParser {
  /** Rejects with a HogqlError that says what is wrong, and where. */
  select(text: string): Promise<Query>;
  expression(text: string): Promise<Expr>;
  /** One expression with or without ASC or DESC. */
  order(text: string): Promise<OrderExpr>;
  close(): Promise<void>;
}

interface Job extends ToParser {
  settle(answer: FromParser): void;
  fail(error: Error): void;
}

/** A parser that remembers trees by their texts, reads one text at a time, and gives up on one that takes too long. */
export function createHogqlParser(options: HogqlParserOptions): HogqlParser {
  const { timeLimitMs = TIME_LIMIT_MS, idleMs = IDLE_MS } = options;
  const cache = new LRUCache<string, Promise<FromParser>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (_answer, key) => (key.length + 16) * BYTES_PER_CHARACTER,
  });
  const waiting: Job[] = [];
  let running: RunningParser | null = null;
  let current: Job | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function read(kind: ToParser['kind'], text: string): Promise<unknown> {
    if (text.length > MAX_TEXT_LENGTH)
      throw new HogqlError(`A HogQL query can have up to ${MAX_TEXT_LENGTH} characters.`);
    const answer = await remembered(kind, text);
    if (answer.outcome === 'tree') return answer.tree;
    if (answer.outcome === 'broken') throw new HogqlError('The query is too complex.');
    const { start, end } = answer;
    throw new HogqlError(answer.message, start === null ? {} : { start, end: end ?? start });
  }

  function remembered(kind: ToParser['kind'], text: string): Promise<FromParser> {
    const key = `${kind} ${text}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const answer = new Promise<FromParser>((settle, fail) => void waiting.push({ kind, text, settle, fail }));
    cache.set(key, answer);
    // What was wrong with the thread says nothing about the text.
    answer.catch(() => cache.delete(key));
    next();
    return answer;
  }

  function next(): void {
    if (current !== null) return;
    clearTimeout(timer);
    current = waiting.shift() ?? null;
    if (current === null) {
      timer = setTimeout(() => void end(), idleMs).unref();
      return;
    }
    const { kind, text } = current;
    running ??= options.start({ onAnswer, onError });
    timer = setTimeout(tookTooLong, timeLimitMs);
    running.ask({ kind, text });
  }

  function onAnswer(answer: FromParser): void {
    // The memory of a parser that failed once cannot be trusted.
    if (answer.outcome === 'broken') void end();
    settle((job) => job.settle(answer));
  }

  function onError(error: Error): void {
    void end();
    settle((job) => job.fail(error));
  }

  function tookTooLong(): void {
    void end();
    const message = `Parsing takes longer than ${timeLimitMs / 1000} s. Simplify the query.`;
    settle((job) => job.settle({ outcome: 'refused', message, start: null, end: null }));
  }

  function settle(how: (job: Job) => void): void {
    const job = current;
    current = null;
    if (job !== null) how(job);
    next();
  }

  async function end(): Promise<void> {
    const ended = running;
    running = null;
    await ended?.end();
  }

  return {
    select: (text) => read('query', text) as Promise<Query>,
    expression: (text) => read('expression', text) as Promise<Expr>,
    order: (text) => read('order', text) as Promise<OrderExpr>,
    async close() {
      const open = [current, ...waiting.splice(0)];
      current = null;
      for (const job of open) job?.fail(new Error('The parser was closed'));
      clearTimeout(timer);
      await end();
    },
  };
}
