import type { PublicRoute } from '../../http/public-route.ts';
import type { NamedParts, Operation } from './operation.ts';
import type { Parameter } from './route-parameters.ts';

/** One method of one path of the public surface. */
interface PublicOperation {
  path: string;
  method: string;
  operation: Operation;
}

/** What SDKs call, without a personal key. Bodies come in many encodings, which the SDKs' own documents describe. */
export function publicOperations(routes: readonly PublicRoute[], parts: NamedParts): PublicOperation[] {
  return routes.flatMap((route) =>
    route.paths.flatMap((path) =>
      route.methods
        .filter((method) => method !== 'HEAD')
        .map((method) => ({
          path: path.replaceAll(/[:*]([a-z_]+)/gi, '{$1}'),
          method,
          operation: operationOf(route, path, method, parts),
        })),
    ),
  );
}

function operationOf({ summary }: PublicRoute, path: string, method: string, parts: NamedParts): Operation {
  const words = path.split('/').map((part) => part.replaceAll(/[^a-z0-9]+/gi, '_'));
  return {
    operationId: ['public', method.toLowerCase(), ...words.filter((word) => word !== '')].join('_'),
    tags: ['public'],
    summary,
    security: [],
    'x-required-scopes': [],
    parameters: [...path.matchAll(/[:*]([a-z_]+)/gi)].map(([, name]) => pathParameter(name!)),
    responses: {
      200: { description: 'Accepted, or the requested data.' },
      ...parts.refusals.of(['server_error']),
    },
  };
}

function pathParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'string' }, example: name };
}
