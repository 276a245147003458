import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import type { ManagementRoute } from '../../http/define-route.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import type { AnswerObject } from './refusal-answers.ts';

async function open(): Promise<{
  app: TestApp;
  document: OpenApiDocument;
  routes: readonly ManagementRoute[];
}> {
  const app = await openTestApp();
  const answer = await app.ask('/openapi.json', { key: null });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const routes = app.app.features.list
    .filter(({ unlisted }) => unlisted === undefined)
    .flatMap((feature) => feature.routes ?? []);
  return { app, document: answer.json as OpenApiDocument, routes };
}

function pathsOf({ path }: ManagementRoute): string[] {
  const template = path.replaceAll(/:([a-z_]+)/g, '{$1}');
  if (!template.startsWith('P/')) return [template];
  return ['projects', 'environments'].map((family) => template.replace('P/', `/api/${family}/{project_id}/`));
}

function operationsOf(document: OpenApiDocument, route: ManagementRoute): (Operation | undefined)[] {
  return pathsOf(route).map((path) => document.paths[path]?.[route.method.toLowerCase()]);
}

/** The example of the schema of a media type. */
function exampleIn(document: OpenApiDocument, { schema }: { schema: { $ref?: string } }): unknown {
  return document.components.schemas[schema.$ref!.split('/').at(-1)!]!.examples![0];
}

describe('/openapi.json', () => {
  test('is an OpenAPI 3.1 document by the specification of OpenAPI', async () => {
    const { document } = await open();
    expect(document.openapi).toBe('3.1.1');
    expect(await new Validator().validate(document as never)).toEqual({ valid: true });
  });

  test('has every management route that is not for tests only, in both families, with a unique operation id', async () => {
    const { document, routes } = await open();
    const missing = routes.filter((route) => operationsOf(document, route).includes(undefined));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((one) => one.operationId),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('has for an operation its security, parameters, body, responses and errors', async () => {
    const { document } = await open();
    const operation = document.paths['/api/environments/{project_id}/persons/{id}/']!['patch']!;
    expect(operation).toMatchObject({
      operationId: 'environments_persons_partial_update',
      tags: ['persons'],
      summary: 'Sets properties of a person; omitted properties are not changed.',
      security: [{ personalApiKey: ['person:write'] }],
      'x-required-scopes': ['person:write'],
    });
    expect(operation.parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
      'path project_id',
      'path id',
    ]);
    expect(Object.keys(operation.requestBody!.content)).toEqual(['application/json']);
    expect(Object.keys(operation.responses)).toEqual([
      '202',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    const { $ref } = operation.responses['401'] as { $ref: string };
    const refused = document.components.responses[$ref.split('/').at(-1)!]!;
    const { examples } = refused.content!['application/json'] as { examples: object };
    expect(Object.keys(examples)).toEqual(['not_authenticated', 'authentication_failed']);
  });

  test('marks only the listing of stored events as deprecated', async () => {
    const { document } = await open();
    const deprecated = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).some((operation) => operation.deprecated) ? [path] : [],
    );
    expect(deprecated).toEqual(
      ['projects', 'environments'].flatMap((family) =>
        ['events/values/', 'events/', 'events/{id}/'].map((rest) => `/api/${family}/{project_id}/${rest}`),
      ),
    );
  });

  test('has an example of every body, valid for the schema of the route', async () => {
    const { document, routes } = await open();
    const wrong: string[] = [];
    const check = (route: ManagementRoute, what: string, schema: ZodType, example: unknown): void => {
      const problem = schema.safeParse(example).error?.issues[0];
      if (problem === undefined) return;
      wrong.push(`${route.method} ${route.path} ${what} ${problem.path.join('.')}: ${problem.message}`);
    };
    for (const route of routes) {
      const operation = operationsOf(document, route)[0]!;
      const request = operation.requestBody?.content['application/json'];
      if (request !== undefined) check(route, 'body', route.body!, exampleIn(document, request));
      if (route.response === null) continue;
      const success = Object.entries(operation.responses).find(([status]) => Number(status) < 300)![1];
      const answer = (success as AnswerObject).content!['application/json'] as { schema: { $ref: string } };
      check(route, 'answer', route.response, exampleIn(document, answer));
    }
    expect(wrong).toEqual([]);
  });

  test('is refused to other origins and under foreign host names', async () => {
    const { app } = await open();
    for (const path of ['/openapi.json', '/docs']) {
      expect((await app.ask(path, { headers: { Host: 'evil.example' } })).status, path).toBe(403);
      expect((await app.ask(path, { headers: { Origin: 'http://evil.example' } })).status, path).toBe(403);
    }
  });
});
