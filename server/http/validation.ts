import type { ZodType, output, z } from 'zod';
import { ERRORS, fail, type ApiError, type ErrorName } from '../errors.ts';
import { safeParseExactly } from './exact-values.ts';

type Issue = z.core.$ZodIssue;

/**
 * Checks a value that came from outside. Throws the first problem as a row of the error table, with the field's path
 * joined by two underscores (management contract 2.4).
 */
export function validate<S extends ZodType>(schema: S, value: unknown): output<S> {
  const parsed = safeParseExactly(schema, value);
  if (parsed.success) return parsed.data;
  throw problemOf(parsed.error.issues[0]!);
}

/**
 * Checks the fields of a form like `validate`; values are texts, so a single value of a list field becomes a list of
 * one.
 */
export function validateForm<S extends ZodType>(schema: S, fields: unknown): output<S> {
  let sent = fields as Record<string, unknown>;
  for (;;) {
    const parsed = schema.safeParse(sent, { reportInput: true });
    if (parsed.success) return parsed.data;
    const lone = parsed.error.issues.find(isLoneText);
    if (lone === undefined) throw problemOf(parsed.error.issues[0]!);
    sent = { ...sent, [String(lone.path[0])]: [lone.input] };
  }
}

/** A field of the form's own that is a text and should be a list. */
function isLoneText({ code, path, input, ...issue }: Issue): boolean {
  const expectsList = code === 'invalid_type' && 'expected' in issue && issue.expected === 'array';
  return expectsList && path.length === 1 && typeof input === 'string';
}

function problemOf(issue: Issue): ApiError {
  const name = rowOf(issue);
  const attr = issue.path.length === 0 ? {} : { attr: issue.path.map(String).join('__') };
  return fail(name, { ...attr, detail: detailOf(issue, name) });
}

/** A rule of one's own names its row: `context.addIssue({ code: 'custom', params: { error: 'unique' } })`. */
function rowOf(issue: Issue): ErrorName {
  if (issue.code === 'custom') return (issue.params?.['error'] as ErrorName | undefined) ?? 'invalid_input';
  // The body as a whole is no field that could be required or null.
  if (issue.path.length === 0) return 'invalid_input';
  const choice = choiceOf(issue);
  if (choice !== null)
    return choice.sent === undefined ? 'required' : choice.sent === null ? 'null' : 'invalid_choice';
  if (issue.input === undefined) return 'required';
  if (issue.input === null) return 'null';
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'array') return 'not_a_list';
    return issue.expected === 'object' || issue.expected === 'record' ? 'not_a_dict' : 'invalid_input';
  }
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.input === '') return 'blank';
  if (issue.code === 'too_big' && issue.origin === 'string') return 'max_length';
  return issue.code === 'invalid_value' ? 'invalid_choice' : 'invalid_input';
}

function detailOf(issue: Issue, name: ErrorName): string {
  if (name === 'max_length' && issue.code === 'too_big')
    return `At most ${issue.maximum} characters are allowed.`;
  if (name === 'invalid_choice' && issue.code === 'invalid_value') {
    return `This must be one of: ${issue.values.map(String).join(', ')}.`;
  }
  const choice = choiceOf(issue);
  if (name === 'invalid_choice' && choice !== null)
    return `This must be one of: ${choice.options.join(', ')}.`;
  if (issue.code === 'custom') return issue.message;
  if (name === 'invalid_input' && issue.code === 'invalid_type') {
    return `Expected a value of type ${issue.expected}.`;
  }
  return ERRORS[name].detail;
}

/** The discriminator field with an unknown value: what was sent, and the options. */
function choiceOf(issue: Issue): { sent: unknown; options: readonly unknown[] } | null {
  if (issue.code !== 'invalid_union' || !('discriminator' in issue)) return null;
  const { discriminator, options, input } = issue as {
    discriminator: string;
    options?: unknown[];
    input?: unknown;
  };
  return { sent: (input as Record<string, unknown> | undefined)?.[discriminator], options: options ?? [] };
}
