import { isJsonObject } from '../lib/exact-number.contract.ts';
import { z } from 'zod';

/** `z.preprocess` for what old and careless clients send; the input's type is that of `schema`, which clients are to send. */
export function lenient<S extends z.ZodType>(read: (value: unknown) => unknown, schema: S) {
  return z.preprocess(read, schema) as unknown as z.ZodType<z.output<S>, z.input<S>>;
}

/** Words for yes and no that clients send (management contract 2.4). */
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'true', 'True', 'TRUE', 1, '1', 't', 'T', 'yes', 'Yes', 'on', 'On'].map(
    (word) => [word, true] as const,
  ),
  ...[false, 'false', 'False', 'FALSE', 0, '0', 'f', 'F', 'no', 'No', 'off', 'Off'].map(
    (word) => [word, false] as const,
  ),
]);

/** A boolean, also as one of the words and numbers for it. */
export function booleanField() {
  return lenient((value) => BOOLEANS.get(value) ?? value, z.boolean());
}

/** A whole number, also as a text of digits; the empty text is not one. */
export function integerField() {
  return lenient(
    (value) => (typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value) ? Number(value) : value),
    z.int(),
  );
}

/** The id of an object in a path; 0, which nothing has, for text that is no id. */
export function readPathId(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The same as a path parameter; 0 leads to the not-found error of the route. */
export function pathId() {
  return z.string().transform(readPathId);
}

/** A text; a number is accepted and written out, anything else is not. Trimmed, and not empty. */
export function textField(maxLength: number) {
  return lenient(
    (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value),
    z.string().min(1).max(maxLength),
  );
}

/** A text as `textField`, which may be empty; without `maxLength` as long as a body can be. */
export function freeTextField(maxLength = Number.MAX_SAFE_INTEGER) {
  return lenient(
    (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value),
    z.string().max(maxLength),
  );
}

/** A query parameter: one that is there but empty counts as absent. */
export function parameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(
    (value) => (value === '' ? undefined : value),
    schema.optional(),
  ) as unknown as z.ZodOptional<z.ZodType<z.output<S>, z.input<S>>>;
}

const MAX_TAG_LENGTH = 255;

/** Tags: trimmed, lower-cased, each once (management contract 2.7). */
export function tagsField() {
  return z
    .array(
      z
        .string()
        .transform((tag) => tag.trim().toLowerCase())
        .pipe(z.string().min(1).max(MAX_TAG_LENGTH)),
    )
    .transform((tags) => [...new Set(tags)]);
}

/** A query parameter that is a JSON list of texts. */
export function jsonListField() {
  return z.string().transform((text, context): string[] => {
    const list = parseJson(text);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
    context.addIssue({ code: 'custom', message: 'This must be a JSON list of strings, such as ["signup"].' });
    return z.NEVER;
  });
}

/** A query parameter that is a JSON object. */
export function jsonObjectField() {
  return z
    .string()
    .transform((text, context): unknown => {
      const value = parseJson(text);
      if (isJsonObject(value)) return value;
      context.addIssue({ code: 'custom', message: 'This must be a JSON object.' });
      return z.NEVER;
    })
    .pipe(z.record(z.string(), z.unknown()));
}

/** A query parameter that is a JSON list or object, or any other text. */
export function jsonOrTextField() {
  return z
    .string()
    .transform((text): unknown => (/^\s*[[{]/.test(text) ? parseJson(text) : undefined) ?? text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
