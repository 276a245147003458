import { ERRORS, type ErrorName } from '../../errors.ts';
import { errorBody } from '../../http/error-body.ts';
import type { JsonSchema, NamedSchemas } from './named-schemas.ts';

/** An answer as OpenAPI describes it. */
export interface AnswerObject {
  description: string;
  headers?: Readonly<Record<string, object>>;
  content?: Readonly<Record<string, object>>;
}

const HEADERS: Readonly<Record<number, Readonly<Record<string, object>>>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

/** Status -> answer, one example for each row of the error table. */
export function refusalAnswers(
  names: readonly ErrorName[],
  schemas: NamedSchemas,
): Record<string, AnswerObject> {
  const schema = schemas.add(errorBody, 'output', 'Error');
  const statuses = [...new Set(names.map((name) => ERRORS[name].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const group = names.filter((name) => ERRORS[name].status === status);
      return [String(status), answerOf(status, group, schema)];
    }),
  );
}

function answerOf(status: number, names: readonly ErrorName[], schema: JsonSchema): AnswerObject {
  const headers = HEADERS[status];
  return {
    description: names.map((name) => ERRORS[name].detail).join(' '),
    ...(headers === undefined ? {} : { headers }),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
      },
    },
  };
}

/** Every row of the error table as an example of its body; what a field is refused for names one. */
export function errorExamples(): Record<string, { summary: string; value: object }> {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([name, { status, type, code, detail }]) => {
      const attr = type === 'validation_error' ? 'name' : null;
      return [name, { summary: `${status} ${code}`, value: { type, code, detail, attr } }];
    }),
  );
}
