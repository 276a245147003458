import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS } from '../../server/errors.ts';
import { successStatusOf, type ManagementRoute } from '../../server/http/define-route.ts';
import { errorBody } from '../../server/http/error-body.ts';
import { refusalsOf } from '../../server/http/route-refusals.ts';

/** An answer as it left the server. */
interface Answer {
  status: number;
  contentType: string;
  text: string;
}

/** Compares what the management API answers with what its route table promises, whatever a test looks at itself. */
export interface AnswerCheck {
  /** Called with each request before it is handled. */
  watch(req: IncomingMessage, res: ServerResponse): void;
  /** Called with the row of the route table that handles the request. */
  onRoute(route: ManagementRoute, res: ServerResponse): void;
  /** What did not hold: route, place in the schema, value. */
  readonly faults: readonly string[];
}

export function createAnswerCheck(): AnswerCheck {
  const routes = new WeakMap<ServerResponse, ManagementRoute>();
  const faults = new Set<string>();
  return {
    watch(req, res) {
      const pieces = keepPieces(res);
      res.once('finish', () => {
        // The public surface has answers of its own; it gives no request id.
        if (res.getHeader('X-Request-Id') === undefined || req.method === 'HEAD') return;
        const route = routes.get(res) ?? null;
        const fault = faultOf(route, {
          status: res.statusCode,
          contentType: String(res.getHeader('Content-Type') ?? ''),
          text: Buffer.concat(pieces).toString('utf8'),
        });
        if (fault === null) return;
        const name =
          route === null ? `${req.method} ${req.url?.split('?', 1)[0]}` : `${route.method} ${route.path}`;
        faults.add(`${name} answered ${res.statusCode}: ${fault}`);
      });
    },
    onRoute: (route, res) => void routes.set(res, route),
    get faults() {
      return [...faults];
    },
  };
}

/** The bytes of the body, as they are written. */
function keepPieces(res: ServerResponse): Buffer[] {
  const pieces: Buffer[] = [];
  const keep = (piece: unknown): void => {
    if (typeof piece === 'string') pieces.push(Buffer.from(piece));
    else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
  };
  const { write, end } = res;
  res.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(args[0]);
    return Reflect.apply(write, this, args) as boolean;
  } as typeof res.write;
  res.end = function (this: ServerResponse, ...args: unknown[]) {
    keep(args[0]);
    return Reflect.apply(end, this, args) as ServerResponse;
  } as typeof res.end;
  return pieces;
}

function faultOf(route: ManagementRoute | null, answer: Answer): string | null {
  if (route?.atOnce !== undefined) return answer.text === '' ? null : 'this answer has no body.';
  const isOther = route?.otherStatuses?.includes(answer.status) ?? false;
  if (isOther && faultOfBody(route!.response!, jsonOf(answer.text)) === null) return null;
  if (answer.status >= 400) return faultOfRefusal(route, answer);
  return route === null ? null : faultOfSuccess(route, answer);
}

function faultOfRefusal(route: ManagementRoute | null, { status, text }: Answer): string | null {
  const parsed = errorBody.safeParse(jsonOf(text));
  if (!parsed.success) return `not the body of an error: ${text.slice(0, 200)}`;
  const { type, code } = parsed.data;
  const known = route === null ? Object.values(ERRORS) : refusalsOf(route).map((name) => ERRORS[name]);
  if (known.some((row) => row.status === status && row.type === type && row.code === code)) return null;
  return `${code} is none of what this route may refuse. Name it in the route's \`errors\`.`;
}

function faultOfSuccess(route: ManagementRoute, { status, contentType, text }: Answer): string | null {
  const { response, streams, files, formats = [] } = route;
  const mayBeEmpty = response === null || response.safeParse(undefined).success;
  const promised = successStatusOf(route);
  if (status !== promised && !(status === 204 && mayBeEmpty)) {
    return `its route promises ${promised}. Say so in the route's \`status\`, or answer that.`;
  }
  if (streams !== undefined) return contentType === streams ? null : `its route promises ${streams}.`;
  if (files !== undefined) return files.includes(contentType) ? null : `it is no ${files.join(' and no ')}.`;
  if (contentType.startsWith('text/csv') && formats.includes('csv')) return null;
  if (text === '') return mayBeEmpty ? null : 'the body is empty, and its schema does not allow that.';
  if (response === null) return 'its route promises no body.';
  return faultOfBody(response, jsonOf(text));
}

function faultOfBody(schema: NonNullable<ManagementRoute['response']>, body: unknown): string | null {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return unknownKeyOf(body, parsed.data, '');
  const { path, message, input } = parsed.error.issues[0]!;
  return `at ${path.map(String).join('.') || 'the top'}: ${message}; the value is ${JSON.stringify(input)?.slice(0, 200)}`;
}

/** The first key that the schema has left out, because it does not know it. */
function unknownKeyOf(body: unknown, known: unknown, path: string): string | null {
  if (typeof body !== 'object' || body === null || typeof known !== 'object' || known === null) return null;
  for (const [key, value] of Object.entries(body)) {
    // zod leaves this name out of every record, whatever the record may hold.
    if (key === '__proto__') continue;
    const place = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(known, key)) return `at ${place}: the schema does not know this key.`;
    const deeper = unknownKeyOf(value, (known as Record<string, unknown>)[key], place);
    if (deeper !== null) return deeper;
  }
  return null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
