import { ERRORS, type ErrorName } from '../../errors.ts';
import { errorBody } from '../../http/error-body.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** An answer as OpenAPI describes it. */
export interface AnswerObject {
  description: string;
  headers?: Readonly<Record<string, object>>;
  content?: Readonly<Record<string, object>>;
}

export interface Reference {
  $ref: string;
}

/** The answers by which routes refuse, each once in a document: most routes refuse the same. */
export interface RefusalAnswers {
  /** Status -> reference to the answer that shows an example of each of these errors. */
  of(names: readonly ErrorName[]): Record<string, Reference>;
  components(): Readonly<Record<string, AnswerObject>>;
}

const HEADERS: Readonly<Record<number, Readonly<Record<string, object>>>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

export function createRefusalAnswers(schemas: NamedSchemas): RefusalAnswers {
  const schema = schemas.add(errorBody, 'output', 'Error');
  const answers = new Map<string, { name: string; answer: AnswerObject }>();

  function named(status: number, names: readonly ErrorName[]): Reference {
    const key = [...names].sort().join(' ');
    const known = answers.get(key);
    const siblings = [...answers.values()].filter(({ name }) => name.startsWith(`Refused${status}`)).length;
    const name = known?.name ?? `Refused${status}${siblings === 0 ? '' : `_${siblings + 1}`}`;
    if (known === undefined) answers.set(key, { name, answer: answerOf(status, names, schema) });
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    of(names) {
      const statuses = [...new Set(names.map((name) => ERRORS[name].status))];
      return Object.fromEntries(
        statuses.map((status) => [
          String(status),
          named(
            status,
            names.filter((name) => ERRORS[name].status === status),
          ),
        ]),
      );
    },
    components: () => Object.fromEntries([...answers.values()].map(({ name, answer }) => [name, answer])),
  };
}

function answerOf(status: number, names: readonly ErrorName[], schema: object): AnswerObject {
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
