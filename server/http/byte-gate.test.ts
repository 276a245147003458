import { expect, test } from 'vitest';
import { createByteGate } from './byte-gate.ts';

/** An upload of the test, whose bytes are in the gate. */
function openUpload(gate: ReturnType<typeof createByteGate>, bytes: number) {
  const upload = { bytes, isGivenUp: false };
  expect(gate.tryTake(bytes)).toBe(true);
  const end = gate.addUpload({
    received: () => upload.bytes,
    abort() {
      upload.isGivenUp = true;
      gate.release(upload.bytes);
      end();
    },
  });
  return upload;
}

test('bytes are accepted up to the limit, and again once they are released', () => {
  const gate = createByteGate(100);
  expect([gate.tryTake(60), gate.tryTake(41), gate.tryTake(40)]).toEqual([true, false, true]);
  gate.release(60);
  expect([gate.held, gate.tryTake(60)]).toEqual([40, true]);
});

test('a single request is accepted at any size', () => {
  expect(createByteGate(100).tryTake(1_000)).toBe(true);
});

test('a stalled upload is dropped when another request needs its room, and not before', () => {
  let now = 0;
  const gate = createByteGate(100_000, () => now);
  const stalled = openUpload(gate, 60_000);
  now = 1_000;
  const young = openUpload(gate, 30_000);
  expect(gate.tryTake(20_000)).toBe(false);
  now = 2_500;
  expect(gate.tryTake(10_000)).toBe(true);
  expect(stalled.isGivenUp).toBe(false);
  expect(gate.tryTake(20_000)).toBe(true);
  expect([stalled.isGivenUp, young.isGivenUp]).toEqual([true, false]);
});

test('an upload with steady progress keeps its room, a trickling one does not', () => {
  let now = 0;
  const gate = createByteGate(100_000, () => now);
  const steady = openUpload(gate, 20_000);
  const trickling = openUpload(gate, 40_000);
  now = 2_500;
  for (const [upload, bytes] of [
    [steady, 30_000],
    [trickling, 1],
  ] as const) {
    expect(gate.tryTake(bytes)).toBe(true);
    upload.bytes += bytes;
  }
  expect(gate.tryTake(20_000)).toBe(true);
  expect([steady.isGivenUp, trickling.isGivenUp]).toEqual([false, true]);
});
