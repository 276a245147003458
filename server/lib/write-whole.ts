import { open, rename, rm } from 'node:fs/promises';

/** Has `fill` write a draft, which gets the name when it is complete and on disk; what fails leaves nothing. */
export async function writeWhole<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${path}.part`;
  try {
    const filled = await fill(draft);
    const file = await open(draft, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return filled;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
