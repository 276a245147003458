import { z } from 'zod';
import type { ServiceChannel } from '../../db/client.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NoticeBoard } from '../../lib/notices.ts';
import type { ServerSettings } from '../server-settings/index.ts';

/** The name of the setting, whose value is a `Pause`, or null. */
const SETTING = 'capture_pause';
/** Milliseconds between two looks at the clock: a timer of the whole pause would stand still while a laptop sleeps. */
const CHECK_MS = 500;
const MINUTE_MS = 60_000;

const pause = z.object({
  /** Unix milliseconds; null: until it is resumed. */
  until: z.number().nullable(),
});
export type Pause = z.output<typeof pause>;

/** Pauses capture of all projects: events are answered as accepted and not stored. */
export interface CapturePause {
  /** Null: events are stored. */
  current(): Pause | null;
  /** Pauses for so many minutes; null: until it is resumed. Kept over restarts. */
  pause(minutes: number | null): Promise<void>;
  resume(): Promise<void>;
  close(): void;
}

interface Dependencies {
  channel: ServiceChannel;
  clock: Clock;
  notices: NoticeBoard;
  settings: ServerSettings;
}

/** Goes on with the pause of the last run, if it has not ended. */
export async function createCapturePause(dependencies: Dependencies): Promise<CapturePause> {
  const { channel, clock, notices, settings } = dependencies;
  const kept = pause.nullable().safeParse((await settings.find(SETTING)) ?? null);
  let current: Pause | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function apply(next: Pause | null): Promise<void> {
    clearInterval(timer);
    await channel.call({ kind: 'capture.pause', isPaused: next !== null });
    current = next;
    if (next === null) return notices.clear('capture_paused');
    notices.raise({
      id: 'capture_paused',
      level: 'warning',
      title: 'Capture is paused',
      text: `Events are answered as accepted and not stored ${untilWhen(next)}.`,
      page: 'ingestion',
      refusesEvents: false,
      dismissible: false,
    });
    const { until } = next;
    if (until === null) return;
    timer = setInterval(() => {
      if (clock() >= until) void set(null).catch(() => undefined);
    }, CHECK_MS);
    timer.unref();
  }

  async function set(next: Pause | null): Promise<void> {
    await settings.save(SETTING, next);
    await apply(next);
  }

  if (kept.data && (kept.data.until === null || kept.data.until > clock())) await apply(kept.data);
  return {
    current: () => current,
    pause: (minutes) => set({ until: minutes === null ? null : clock() + minutes * MINUTE_MS }),
    resume: () => set(null),
    close: () => clearInterval(timer),
  };
}

function untilWhen({ until }: Pause): string {
  if (until === null) return 'until capture is resumed';
  return `until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
