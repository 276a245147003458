import { expect, test } from 'vitest';
import { createMemoryWatch, type Look } from './memory-watch.ts';

const MIB = 1_048_576;
let beats = 0;
const look = (megabytes: number, more: Partial<Look> = {}): Look => ({
  intervalMs: 50,
  rss: megabytes * MIB,
  beat: ++beats,
  isQuerying: true,
  ...more,
});
const watch = () => createMemoryWatch({ maxBytes: 800 * MIB, silentMs: 250 });

test('a query that exceeds the memory limit is interrupted once, and the process continues when that helps', () => {
  const judge = watch();
  const verdicts = [700, 810, 850, 700, 690].map((megabytes) => judge(look(megabytes)));
  expect(verdicts).toEqual(['ok', 'interrupt', 'ok', 'ok', 'ok']);
});

test('close to the limit the cache is shed, again only after that has helped', () => {
  const judge = watch();
  const verdicts = [690, 710, 750, 790, 600, 710].map((megabytes) => judge(look(megabytes)));
  expect(verdicts).toEqual(['ok', 'shed', 'ok', 'ok', 'ok', 'shed']);
});

test('the process is ended when the interrupt does not help, sooner when memory grows further', () => {
  const slow = watch();
  const verdicts = Array.from({ length: 61 }, () => slow(look(900)));
  expect(verdicts.slice(0, 2)).toEqual(['interrupt', 'ok']);
  expect(verdicts.indexOf('end-memory')).toBe(60);
  const fast = watch();
  const growing = Array.from({ length: 21 }, (_, at) => fast(look(850 + 40 * at)));
  expect(growing.indexOf('end-memory')).toBe(20);
});

test('memory held without a query does not end the process, and the limit for the next query is above it', () => {
  const judge = watch();
  expect(judge(look(1000, { isQuerying: false }))).toBe('ok');
  expect([1050, 1090, 1101].map((megabytes) => judge(look(megabytes)))).toEqual(['shed', 'ok', 'interrupt']);
});

test('an unresponsive main thread is ended', () => {
  const judge = watch();
  const beat = ++beats;
  const verdicts = Array.from({ length: 6 }, () => judge(look(100, { beat })));
  expect(verdicts).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'end-silent']);
});
