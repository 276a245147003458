import { z } from 'zod';
import { RELATIVE_TIME } from '../lib/relative-date.contract.ts';

/**
 * A moment as ISO 8601 text; becomes UTC text with microseconds, as the database reads and writes it. `isLocal`: without an
 * offset it stays so, for a reader that has the time zone.
 */
export function dateTimeField({ isLocal = false } = {}) {
  return z.string().transform((text, context): string => {
    const moment = readIsoMicros(text);
    if (moment !== null) return isLocal && !hasOffset(text) ? moment.slice(0, -1) : moment;
    context.addIssue({
      code: 'custom',
      message: 'This must be a time such as 2026-11-20T09:30:00Z.',
      input: text,
    });
    return z.NEVER;
  });
}

/** One end of a span of time: a day (`2026-11-20`), a moment, or a span before now (`-7d`). */
export function timeBoundField(options: { isLocal?: boolean } = {}) {
  const day = z.iso.date().regex(/^(19|2\d)/);
  return z.union([day, z.string().regex(RELATIVE_TIME), dateTimeField(options)], {
    error: 'Expected a time such as 2026-11-20, 2026-11-20T09:30:00Z or -7d.',
  });
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))? ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads a moment written as ISO 8601 (a date alone is its midnight, a time without offset is UTC) into UTC text with
 * microseconds: `2026-11-20T09:10:11.123456Z`. Null for other text, days that no calendar has, and years before 1.
 */
function readIsoMicros(text: string): string | null {
  const [, date, time = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = ISO.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const local = `${date}T${time}${seconds}`;
  const asUtc = Date.parse(`${local}Z`);
  // Date.parse carries what is too much over: 30 February becomes a day of March.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local)) return null;
  const ms = asUtc - offsetMs(offset);
  const year = new Date(ms).getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return null;
  return `${new Date(ms).toISOString().slice(0, -5)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

function hasOffset(text: string): boolean {
  return ISO.exec(text.trim())?.[5] !== undefined;
}

/** NaN for hours and minutes that no clock has. */
function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
