import type { ManagementRoute } from '../../http/define-route.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import { exampleOf } from './example-of.ts';
import { createNamedSchemas, type Components } from './named-schemas.ts';
import { operationOf, SECURITY_SCHEMES, type NamedParts, type Operation } from './operation.ts';
import { publicOperations } from './public-operations.ts';
import { createRefusalAnswers, errorExamples, type AnswerObject } from './refusal-answers.ts';

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
}

/** Method in small letters -> operation. */
type PathItem = Record<string, Operation>;

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: DocumentInfo;
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, PathItem>>;
  components: {
    securitySchemes: object;
    schemas: Components;
    responses: Readonly<Record<string, AnswerObject>>;
    examples: object;
  };
}

export interface RouteTables {
  routes: readonly ManagementRoute[];
  publicRoutes: readonly PublicRoute[];
}

/** Both route tables as an OpenAPI 3.1 document, which has a `P/…` path in both of its families. */
export function openApiDocument(tables: RouteTables, info: DocumentInfo): OpenApiDocument {
  const schemas = createNamedSchemas();
  const parts = { schemas, refusals: createRefusalAnswers(schemas) };
  const paths = pathsOf(tables, parts);
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/' }],
    tags: tagsOf(paths),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: withExamples(schemas.components()),
      responses: parts.refusals.components(),
      examples: errorExamples(),
    },
  };
}

function pathsOf({ routes, publicRoutes }: RouteTables, parts: NamedParts): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const add = (path: string, method: string, operation: Operation): void => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  for (const family of ['projects', 'environments'] as const) {
    for (const route of routes) {
      const isOfBoth = route.path.startsWith('P/');
      if (family === 'environments' && !isOfBoth) continue;
      const operation = operationOf(route, isOfBoth ? family : null, parts);
      add(templateOf(route.path.replace(/^P\//, `/api/${family}/:project_id/`)), route.method, operation);
    }
  }
  for (const { path, method, operation } of publicOperations(publicRoutes, parts))
    add(path, method, operation);
  return paths;
}

/** `/a/:id/` as OpenAPI writes it: `/a/{id}/`. */
function templateOf(path: string): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}');
}

function tagsOf(paths: Readonly<Record<string, PathItem>>): { name: string }[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const names = new Set(operations.flatMap(({ tags }) => tags));
  return [...names].sort().map((name) => ({ name }));
}

/** Adds an example of each request and response, built from its schema. */
function withExamples(components: Components): Components {
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      { ...schema, examples: [exampleOf(schema, components)] },
    ]),
  );
}
