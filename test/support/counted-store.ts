import { onTestFinished } from 'vitest';
import type { Store } from '../../server/db/client.ts';
import type { Statements } from '../../server/db/db.ts';
import { openTestStore } from './store.ts';

/** A store that counts the statements sent to it, those of transactions too; without BEGIN and COMMIT. */
export interface CountedStore {
  readonly store: Store;
  /** How many statements the work sent. */
  count(work: () => Promise<unknown>): Promise<number>;
}

/** When a key was used last is written beside the answers, at any moment: no work has sent it. */
const NOTE_OF_USE = 'UPDATE personal_api_keys SET last_used_at';

/** `withStreams`: statements whose rows are streamed, as those of queries are, count too. */
export async function openCountedStore({ withStreams = false } = {}): Promise<CountedStore> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  let sent = 0;
  const counted = (statements: Statements): Statements => ({
    all: (...asked) => (sent++, statements.all(...asked)),
    first: (...asked) => (sent++, statements.first(...asked)),
    run: (sql, ...asked) => {
      if (!sql.startsWith(NOTE_OF_USE)) sent++;
      return statements.run(sql, ...asked);
    },
  });
  const { db, analytics } = store;
  return {
    store: {
      ...store,
      db: { ...db, ...counted(db), transaction: (work) => db.transaction((tx) => work(counted(tx))) },
      analytics: {
        all: (...asked) => (sent++, analytics.all(...asked)),
        stream(...asked) {
          if (withStreams) sent++;
          return analytics.stream(...asked);
        },
      },
    },
    async count(work) {
      const before = sent;
      await work();
      return sent - before;
    },
  };
}
