import { expect, test } from 'vitest';
import { workByFrame } from './trace.mjs';

const MS = 1000;
const onPage = { pid: 7, tid: 1, args: {} };
const at = (ts: number, name: string) => ({ ...onPage, name, ph: 'I', ts: ts * MS });
const task = (ts: number, dur: number, tdur = dur) => ({
  ...onPage,
  name: 'RunTask',
  ph: 'X',
  ts: ts * MS,
  dur: dur * MS,
  tdur: tdur * MS,
});
const MARKS = { from: 'begins', to: 'ends' };

test('the work of a frame is the processor time of all tasks of the page between two frames', () => {
  const events = [
    at(0, 'begins'),
    task(1, 5, 3),
    at(2, 'BeginMainThreadFrame'),
    task(10, 2),
    task(17, 6),
    at(18, 'BeginMainThreadFrame'),
    at(30, 'ends'),
    task(31, 9),
    { ...task(11, 4), tid: 2 },
  ];
  expect(workByFrame(events, MARKS)).toEqual([5, 6]);
});

test('a trace without marks, or without frames, is refused', () => {
  expect(() => workByFrame([task(1, 5)], MARKS)).toThrow('no marks');
  expect(() => workByFrame([at(0, 'begins'), task(1, 5), at(9, 'ends')], MARKS)).toThrow('no frames');
});
