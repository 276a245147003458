import { z } from 'zod';
import type { ManagementRoute } from '../../http/define-route.ts';
import { exampleOf } from './example-of.ts';
import { plainSchema, type JsonSchema } from './named-schemas.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

const PROJECT: Parameter = {
  name: 'project_id',
  in: 'path',
  required: true,
  description: 'ID of the project, or `@current` for the current project of the caller.',
  schema: { type: 'string', pattern: String.raw`^(\d{1,9}|@current)$` },
  example: '1',
};
const LIMIT: Parameter = {
  name: 'limit',
  in: 'query',
  required: false,
  description: 'Number of rows per page, up to 10,000 (default 100). Invalid values are ignored.',
  schema: { type: 'integer' },
};
const OFFSET: Parameter = {
  name: 'offset',
  in: 'query',
  required: false,
  description: 'Number of rows to skip.',
  schema: { type: 'integer' },
};

/** The parameters of a route's path and query. A list takes those of its pages too (management contract 2.6). */
export function parametersOf(route: ManagementRoute): Parameter[] {
  const inPath = parametersIn('path', route.params);
  const inQuery = parametersIn('query', route.query);
  const known = new Set(inQuery.map(({ name }) => name));
  const others = [...pageParameters(route), ...formatParameter(route)].filter(({ name }) => !known.has(name));
  return [...(route.path.startsWith('P/') ? [PROJECT] : []), ...inPath, ...inQuery, ...others];
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = plainSchema(schema);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property;
    const isRequired = place === 'path' || required.includes(name);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(isRequired ? { example: exampleOf(rest, {}, name) } : {}),
    };
  });
}

function pageParameters({ method, response }: ManagementRoute): Parameter[] {
  const shape = response instanceof z.ZodObject ? response.shape : {};
  if (method !== 'GET' || !('results' in shape && 'next' in shape)) return [];
  return 'count' in shape ? [LIMIT, OFFSET] : [LIMIT];
}

function formatParameter({ formats = ['json'] }: ManagementRoute): Parameter[] {
  if (formats.length < 2) return [];
  return [{ name: 'format', in: 'query', required: false, schema: { type: 'string', enum: [...formats] } }];
}
