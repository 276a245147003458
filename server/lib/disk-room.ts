import { statfs } from 'node:fs/promises';

/** Bytes that stay free on the disk: the database needs its own place. */
const SPARE_BYTES = 268_435_456;
/** Bytes after which the room is looked at again: a length may be unknown, and others write too. */
const LOOK_BYTES = 33_554_432;

/** Throws `refusal()` where the disk of a folder has no place for so many bytes. */
export async function checkRoom(folder: string, bytes: number, refusal: () => Error): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes + SPARE_BYTES) throw refusal();
}

/** For `pipeline`: lets bytes through while the disk of the folder has place for them. */
export function whileRoom(folder: string, refusal: () => Error) {
  return async function* (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let unlooked = 0;
    for await (const piece of body) {
      unlooked += piece.length;
      if (unlooked >= LOOK_BYTES) {
        await checkRoom(folder, unlooked, refusal);
        unlooked = 0;
      }
      yield piece;
    }
  };
}
