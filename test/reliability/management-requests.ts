import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument, Operation } from '../../server/features/api-reference/index.ts';
import { anyOddText, anyOddValue, KnownId, nearlyOf, valuesOf } from '../support/arbitrary-of-schema.ts';
import { singular, type KnownIds } from '../support/known-ids.ts';

/** Who sends a request; `member` is a plain member's key, `reader` one that may only read dashboards. */
export type Sender = 'owner' | 'member' | 'reader' | 'nobody' | 'stranger' | 'token';

/** A request before ids are known. */
export interface Planned {
  method: string;
  /** The template in the document. */
  template: string;
  /** Parameter of the path -> its value. */
  place: Readonly<Record<string, unknown>>;
  query: readonly (readonly [string, unknown])[];
  body: PlannedBody;
  sender: Sender;
  headers: Readonly<Record<string, string>>;
}

export type PlannedBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; value: unknown }
  | { kind: 'text'; text: string };

/** A sent request. */
export interface FilledRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Mostly `likely`, so that a request gets past the first check and the later ones see something odd too. */
function mostly<T, U>(likely: fc.Arbitrary<T>, odd: fc.Arbitrary<U>, weight = 12): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: likely }, { weight: 1, arbitrary: odd });
}

const anySender = mostly(
  fc.constant<Sender>('owner'),
  fc.constantFrom<Sender>('member', 'member', 'reader', 'nobody', 'stranger', 'token'),
  8,
);

const oddHeaders = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'text/plain',
      'nonsense',
      '',
      'application/json; charset=utf-16',
      'multipart/form-data',
    ),
    'Content-Encoding': fc.constantFrom('gzip', 'br', 'nonsense', 'identity'),
    Accept: fc.constantFrom('text/csv', 'text/html', '*/*', 'nonsense', ''),
    Prefer: fc.constantFrom('return=representation', 'return=minimal', 'nonsense'),
    Origin: fc.constantFrom('http://evil.example', 'null', 'nonsense'),
    Host: fc.constantFrom('evil.example', 'localhost', ''),
    'X-HTTP-Method-Override': fc.constantFrom('DELETE', 'PATCH'),
    'X-Forwarded-Host': fc.constantFrom('evil.example', ''),
    'If-None-Match': fc.constantFrom('*', '"x"'),
    Cookie: fc.constantFrom('burrow=1', 'nonsense', '=;;='),
  },
  { requiredKeys: [] },
);

/** Requests to every operation of the document that needs a key: fitting ones, nearly fitting ones, and hostile ones. */
export function requestsOf(document: OpenApiDocument): fc.Arbitrary<Planned> {
  const all = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      template,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const weighted = all
    .filter(({ operation }) => !operation.tags.includes('public'))
    .map(({ template, method, operation }) => ({
      weight: weightOf(template, method),
      arbitrary: requestOf(document, template, method, operation),
    }));
  return fc.oneof(...weighted);
}

/** What takes things away comes less often, or nothing would be left to ask for; the families are the same routes. */
function weightOf(template: string, method: string): number {
  const family = template.startsWith('/api/environments/') ? 1 : 3;
  return family * (method === 'DELETE' ? 1 : method === 'GET' ? 2 : 4);
}

function requestOf(
  document: OpenApiDocument,
  template: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<Planned> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  return fc.record({
    method: mostly(
      fc.constant(method),
      fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'),
      30,
    ),
    template: fc.constant(template),
    place: fc.record(
      Object.fromEntries(inPath.map(({ name, schema }) => [name, placeOf(document, template, name, schema)])),
    ),
    query: queryOf(document, inQuery),
    body: bodyOf(document, operation),
    sender: anySender,
    headers: mostly(fc.constant({}), oddHeaders, 8),
  });
}

function placeOf(
  { components }: OpenApiDocument,
  template: string,
  name: string,
  schema: JsonSchema,
): fc.Arbitrary<unknown> {
  if (name === 'project_id') {
    return mostly(
      fc.constant('1'),
      fc.oneof(fc.constantFrom('@current', '2', '999999'), known('project'), anyOddText),
    );
  }
  if (name === 'organization_id')
    return mostly(fc.constant('@current'), fc.oneof(known('organization'), anyOddText));
  const before = template.split('/').at(template.split('/').indexOf(`{${name}}`) - 1)!;
  const wanted = name === 'user__uuid' ? known('user', 'uuid') : known(singular(before));
  return mostly(wanted, fc.oneof(valuesOf(schema, components.schemas), anyOddText), 8);
}

function known(word: string, type: 'text' | 'uuid' = 'text'): fc.Arbitrary<KnownId> {
  return fc.nat({ max: 1000 }).map((pick) => new KnownId(word, pick, type));
}

function queryOf(
  { components }: OpenApiDocument,
  parameters: Operation['parameters'],
): fc.Arbitrary<Planned['query']> {
  const entries = parameters.map(({ name, schema, required }) => {
    const pair = mostly(valuesOf(schema, components.schemas, name), anyOddValue, 6).map(
      (value) => [name, value] as const,
    );
    return fc.oneof(
      { weight: required ? 40 : schema['example'] === undefined ? 1 : 12, arbitrary: pair },
      { weight: 4, arbitrary: fc.constant(null) },
    );
  });
  const strange = fc.tuple(
    fc.constantFrom('format', 'token', 'personal_api_key', 'sharing_access_token', 'limit', 'offset', 'x'),
    anyOddText,
  );
  return fc
    .tuple(fc.tuple(...entries), mostly(fc.constant(null), strange))
    .map(([own, extra]) => [...own, extra].filter((pair) => pair !== null));
}

function bodyOf({ components }: OpenApiDocument, { requestBody }: Operation): fc.Arbitrary<PlannedBody> {
  const json = (values: fc.Arbitrary<unknown>) =>
    values.map((value): PlannedBody => ({ kind: 'json', value }));
  const hostile = fc.oneof(
    json(anyOddValue),
    fc
      .constantFrom(
        '{',
        '[[[[',
        '"',
        '\u0000',
        '{"a":1}{',
        `${'['.repeat(5000)}`,
        '{"name":"\\ud800"}',
        '{"id":1e400}',
      )
      .map((text): PlannedBody => ({ kind: 'text', text })),
  );
  if (requestBody === undefined) return mostly(fc.constant<PlannedBody>({ kind: 'none' }), hostile);
  const content = requestBody.content['application/json'];
  // A file is the body.
  if (content === undefined) return fc.oneof(anyFile, hostile);
  const { schema } = content;
  const example = components.schemas[schema.$ref!.split('/').at(-1)!]!.examples![0];
  const fitting = mostly(valuesOf(schema, components.schemas), fc.constant(example), 3);
  return fc.oneof(
    { weight: 6, arbitrary: json(fitting) },
    { weight: 4, arbitrary: json(nearlyOf(fitting)) },
    { weight: 1, arbitrary: fitting.map((value): PlannedBody => ({ kind: 'form', value })) },
    { weight: 1, arbitrary: hostile },
  );
}

/** Files whose rows may be events. */
const anyFile = fc
  .constantFrom(
    'time,user,event\n2026-01-02 10:00,a,seen\n,b,seen\n',
    '{"event":"seen","user_id":"a","time":1767261600}\n{"a":\n',
    'date,visitors,pageviews,bounces\n2026-01-01,5,9,1\n',
    '203.0.113.7 - - [02/Mar/2026:08:15:31 +0100] "GET / HTTP/1.1" 200 99\n',
    'PAR1',
  )
  .map((text): PlannedBody => ({ kind: 'text', text }));

/** The request with real ids, without the key of its sender. */
export function fillRequest(planned: Planned, ids: KnownIds): FilledRequest {
  const path = planned.template.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(ids.fill(planned.place[name]))),
  );
  const search = planned.query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(ids.fill(value)))}`,
  );
  const { body, headers } = bodyFor(ids, planned);
  return {
    method: planned.method,
    path: search.length === 0 ? path : `${path}?${search.join('&')}`,
    headers: { ...headers, ...planned.headers },
    body: planned.method === 'GET' || planned.method === 'HEAD' ? null : body,
  };
}

/** Half a character cannot stand in an address. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD');
}

function bodyFor(ids: KnownIds, { body }: Planned): { body: string | null; headers: Record<string, string> } {
  if (body.kind === 'none') return { body: null, headers: {} };
  if (body.kind === 'text') return { body: body.text, headers: { 'Content-Type': 'application/json' } };
  const value = ids.fill(body.value);
  if (body.kind === 'json')
    return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(value ?? {})) fields.append(name, textOf(field));
  return { body: fields.toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
}
