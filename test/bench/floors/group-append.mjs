// @ts-check
import { fdatasync, openSync, writev } from 'node:fs';

const NEWLINE = Buffer.from('\n');

/**
 * Appends to a file in groups: what waits together shares one write and one fdatasync.
 * @param {string} path
 * @returns {(bytes: Buffer, onDurable: () => void) => void}
 */
export function createGroupAppend(path) {
  const file = openSync(path, 'a');
  /** @type {{ bytes: Buffer, onDurable: () => void }[]} */
  let waiting = [];
  let isWriting = false;

  function writeGroup() {
    if (isWriting || waiting.length === 0) return;
    isWriting = true;
    const group = waiting;
    waiting = [];
    const buffers = group.flatMap(({ bytes }) => [bytes, NEWLINE]);
    appendAll(file, buffers, () => {
      for (const { onDurable } of group) onDurable();
      isWriting = false;
      writeGroup();
    });
  }

  return (bytes, onDurable) => {
    waiting.push({ bytes, onDurable });
    // After the other requests of this turn of the loop, so that they share the write.
    setImmediate(writeGroup);
  };
}

/** @param {number} file @param {Buffer[]} buffers @param {() => void} onDurable */
function appendAll(file, buffers, onDurable) {
  const expected = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  writev(file, buffers, (writeError, written) => {
    if (writeError !== null || written !== expected)
      throw writeError ?? new Error('The disk took only a part.');
    fdatasync(file, (syncError) => {
      if (syncError !== null) throw syncError;
      onDurable();
    });
  });
}
