import { successStatusOf, type ManagementRoute } from '../../http/define-route.ts';
import { refusalsOf } from '../../http/route-refusals.ts';
import type { NamedSchemas, JsonSchema } from './named-schemas.ts';
import { operationIdOf, schemaNameOf, tagOf, type Family } from './operation-name.ts';
import type { AnswerObject, Reference, RefusalAnswers } from './refusal-answers.ts';
import { parametersOf, type Parameter } from './route-parameters.ts';

/** One method of one path, as OpenAPI 3.1 describes it. */
export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: true;
  security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The key needs one of these; `*` satisfies all, and the scope to write that to read. */
  'x-required-scopes': readonly string[];
  /** The key needs each of these too. */
  'x-also-required-scopes'?: readonly string[];
  parameters: readonly Parameter[];
  requestBody?: { required: boolean; content: Readonly<Record<string, { schema: JsonSchema }>> };
  /** The success in full; what is refused by reference. */
  responses: Readonly<Record<string, AnswerObject | Reference>>;
}

/** What operations refer to. */
export interface NamedParts {
  schemas: NamedSchemas;
  refusals: RefusalAnswers;
}

export const SECURITY_SCHEMES = {
  personalApiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal API key, `phx_…`. Each operation lists the required scopes.',
  },
} as const;

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
const TEXT = { schema: { type: 'string' } } as const;

/** Describes a route; its schemas and refusals are added to `parts` and referred to. */
export function operationOf(route: ManagementRoute, family: Family, parts: NamedParts): Operation {
  const { schemas, refusals } = parts;
  const needsKey = route.auth === 'key' && route.atOnce === undefined;
  return {
    operationId: operationIdOf(route, family),
    tags: [tagOf(route)],
    summary: route.summary,
    ...(needsKey ? { description: scopeSentence(route) } : {}),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: needsKey ? [{ personalApiKey: [...route.scope, ...(route.andScope ?? [])] }] : [],
    'x-required-scopes': needsKey ? route.scope : [],
    ...(needsKey && route.andScope !== undefined ? { 'x-also-required-scopes': route.andScope } : {}),
    parameters: parametersOf(route),
    ...requestBodyOf(route, schemas),
    responses: {
      [successStatusOf(route)]: successOf(route, schemas),
      ...Object.fromEntries(
        (route.otherStatuses ?? [])
          .filter((status) => status < 400)
          .map((status) => [status, successOf(route, schemas)]),
      ),
      ...refusals.of(refusalsOf(route)),
    },
  };
}

function scopeSentence({ scope, andScope = [] }: ManagementRoute): string {
  if (scope.length === 0) return 'Any valid key is accepted.';
  const anyOf = scope.map((one) => `\`${one}\``).join(' or ');
  return `Scope: ${[anyOf, ...andScope.map((one) => `\`${one}\``)].join(' and ')}.`;
}

function requestBodyOf(route: ManagementRoute, schemas: NamedSchemas): Pick<Operation, 'requestBody'> {
  if (route.receives !== undefined)
    return { requestBody: { required: true, content: { [route.receives]: BINARY } } };
  if (route.body === undefined) return {};
  const schema = schemas.add(route.body, 'input', `${schemaNameOf(route)}Request`);
  const types = ['application/json', ...(route.jsonOnly ? [] : FORMS)];
  return {
    requestBody: {
      required: !route.body.safeParse({}).success,
      content: Object.fromEntries(types.map((type) => [type, { schema }])),
    },
  };
}

function successOf(route: ManagementRoute, schemas: NamedSchemas): AnswerObject {
  const { response, streams, files, formats = [] } = route;
  if (streams !== undefined) {
    return { description: 'A stream, until the client disconnects.', content: { [streams]: TEXT } };
  }
  if (files !== undefined) {
    return {
      description: 'A file.',
      content: Object.fromEntries(files.map((type) => [type.split(';', 1)[0]!, BINARY])),
    };
  }
  if (response === null) return { description: 'No body.' };
  const schema = schemas.add(response, 'output', schemaNameOf(route));
  return {
    description: response.safeParse(undefined).success ? 'The result, or no body.' : 'The result.',
    content: { 'application/json': { schema }, ...(formats.includes('csv') ? { 'text/csv': TEXT } : {}) },
  };
}
