import { onTestFinished } from 'vitest';
import type { Store } from '../../server/db/client.ts';
import type { Statements } from '../../server/db/db.ts';
import { openTestStore } from './store.ts';

/** A store that counts the small statements sent to it, those of transactions too; without BEGIN and COMMIT. */
export interface CountedStore {
  readonly store: Store;
  /** How many statements the work sent. */
  count(work: () => Promise<unknown>): Promise<number>;
}

export async function openCountedStore(): Promise<CountedStore> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  let sent = 0;
  const counted = (statements: Statements): Statements => ({
    all: (...asked) => (sent++, statements.all(...asked)),
    first: (...asked) => (sent++, statements.first(...asked)),
    run: (...asked) => (sent++, statements.run(...asked)),
  });
  const { db } = store;
  return {
    store: {
      ...store,
      db: { ...counted(db), transaction: (work) => db.transaction((tx) => work(counted(tx))) },
    },
    async count(work) {
      const before = sent;
      await work();
      return sent - before;
    },
  };
}
