import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop was, in milliseconds, since the meter was started or last read. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

export interface LoopDelayMeter {
  /** The delays since the last reading; starts a new one. */
  read(): LoopDelay;
  stop(): void;
}

/** Every wake-up costs an idle laptop a little, and four readings a second are enough for percentiles. */
const RESOLUTION_MS = 250;

/** Starts to measure this thread's event loop; the timer's own resolution is taken off. */
export function startLoopDelayMeter(): LoopDelayMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const ms = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / 1e5) / 10 - RESOLUTION_MS) : 0;
  return {
    read() {
      const delay = {
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        max: ms(histogram.max),
      };
      histogram.reset();
      return delay;
    },
    stop: () => void histogram.disable(),
  };
}
