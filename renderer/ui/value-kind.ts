import { Braces, Calendar, CircleSlash, Hash, List, ToggleLeft, Type } from '@lucide/vue';
import type { Component } from 'vue';

export type ValueKind = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'object' | 'nothing';

/** How a kind of value is shown: its icon and its word. */
export const VALUE_KINDS: Readonly<Record<ValueKind, { icon: Component; label: string }>> = {
  text: { icon: Type, label: 'Text' },
  number: { icon: Hash, label: 'Number' },
  boolean: { icon: ToggleLeft, label: 'Boolean' },
  date: { icon: Calendar, label: 'Date' },
  list: { icon: List, label: 'List' },
  object: { icon: Braces, label: 'Object' },
  nothing: { icon: CircleSlash, label: 'Null' },
};

/** ISO 8601: a day, or a day and a time with or without its zone. */
const ISO_DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The display type of a JSON value; a text that is a date counts as a date. */
export function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return dateOf(value) ? 'date' : 'text';
}

export interface ReadDate {
  date: Date;
  /** A day of the calendar, the same in every time zone. */
  isDay: boolean;
}

/** The date that a text writes, or `null`. A time without a zone is UTC, as the server reads it. */
export function dateOf(value: unknown): ReadDate | null {
  if (typeof value !== 'string' || !ISO_DATE.test(value)) return null;
  const isDay = value.length === 10;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value.slice(10));
  const text = value.replace(' ', 'T').replace(' ', '').replace(',', '.');
  const date = new Date(isDay ? `${value}T00:00:00` : hasZone ? text : `${text}Z`);
  const isReal = !Number.isNaN(date.getTime()) && isDayOfCalendar(value);
  return isReal ? { date, isDay } : null;
}

/** `Date` takes the 31st of February for a day of March. */
function isDayOfCalendar(value: string): boolean {
  const day = Number(value.slice(8, 10));
  const last = new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate();
  return day >= 1 && day <= last;
}

/** The kinds of a value that is typed. */
export type DraftKind = 'text' | 'number' | 'boolean' | 'json';

export interface ValueDraft {
  kind: DraftKind;
  text: string;
}

export type ReadValue = { value: unknown; problem?: undefined } | { problem: string };

const DRAFT_KINDS: Readonly<Record<ValueKind, DraftKind>> = {
  text: 'text',
  date: 'text',
  number: 'number',
  boolean: 'boolean',
  list: 'json',
  object: 'json',
  nothing: 'text',
};

/** A typed value. */
export function draftOf(value: unknown): ValueDraft {
  const kind = DRAFT_KINDS[kindOf(value)];
  if (value === null || value === undefined) return { kind, text: '' };
  return { kind, text: kind === 'json' ? JSON.stringify(value, null, 2) : String(value) };
}

/** The same text under another kind; `true` and `false` for one that says neither. */
export function withKind(draft: ValueDraft, kind: DraftKind): ValueDraft {
  if (kind !== 'boolean') return { kind, text: draft.text };
  return { kind, text: /^(true|yes|1)$/i.test(draft.text.trim()) ? 'true' : 'false' };
}

/** The value that a draft writes, or what is wrong with it. */
export function readDraft({ kind, text }: ValueDraft): ReadValue {
  if (kind === 'text') return { value: text };
  if (kind === 'boolean') return { value: text === 'true' };
  if (kind === 'number') return readNumber(text.trim());
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { problem: 'null is not a value. Delete the property instead.' } : { value };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}` };
  }
}

function readNumber(text: string): ReadValue {
  const value = Number(text.replaceAll(/[ _]/g, ''));
  if (text === '' || !Number.isFinite(value)) return { problem: 'A number looks like 42 or -1.5.' };
  return { value };
}
