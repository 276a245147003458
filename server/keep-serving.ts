import type { LastRestore, Restores } from './features/backups/index.ts';
import { systemClock } from './lib/clock.ts';
import { newSecret } from './lib/ids.ts';
import type { Restored } from './restore.ts';
import { serve, type ServeOptions, type Serving } from './serve.ts';

export interface KeepServingOptions extends Omit<ServeOptions, 'onReopened' | 'restores'> {
  /** Puts the file in the place of the database, which is not open then. */
  restore: (file: string) => Promise<Restored>;
  /** Called when the server answers again after it went back to a backup. */
  onBack: () => void;
}

/**
 * Serves, and restores a backup on request: the server drains, the file takes the place of the database, and another
 * one begins on the same port, also when the file was refused. Throws what `serve` throws.
 */
export async function keepServing(options: KeepServingOptions): Promise<Serving> {
  const { config, log, notices, restore, onBack, onCrash } = options;
  let last: LastRestore | null = null;
  let under: Promise<void> | null = null;
  const restores: Restores = {
    get last() {
      return last;
    },
    begin(file) {
      if (under !== null) return null;
      const token = newSecret('');
      under = goBackTo(file, token)
        .catch(onCrash)
        .finally(() => (under = null));
      return token;
    },
  };
  let current = await serve({ ...options, onReopened: onBack, restores });

  async function goBackTo(file: string, token: string): Promise<void> {
    const { port } = current;
    log.info({ file }, 'Restoring a backup');
    await current.drain();
    // What was said of the database before; the next one says what is true of it.
    notices.clear('store_damaged');
    const begin = () => serve({ ...options, config: { ...config, port }, onReopened: onBack, restores });
    const { undo, ...done } = await attempt(file);
    last = done;
    log.info(last, 'The server restarts');
    try {
      current = await begin();
    } catch (error) {
      if (undo === null) throw error;
      await undo();
      const text = `${(error as Error).message} The previous database is in use again.`;
      last = { isDone: false, text, at: systemClock() };
      log.error({ err: error }, 'The restored database cannot be opened; the one of before is used again');
      current = await begin();
    }
    current.app.features.console.acceptToken(token);
    onBack();
  }

  async function attempt(file: string): Promise<LastRestore & Pick<Restored, 'undo'>> {
    try {
      const { text, undo } = await restore(file);
      return { isDone: true, text, undo, at: systemClock() };
    } catch (error) {
      return { isDone: false, text: (error as Error).message, undo: null, at: systemClock() };
    }
  }

  return {
    get url() {
      return current.url;
    },
    get port() {
      return current.port;
    },
    get app() {
      return current.app;
    },
    get isStuck() {
      return current.isStuck;
    },
    newConsoleUrl: () => current.newConsoleUrl(),
    async drain() {
      await under;
      await current.drain();
    },
  };
}
