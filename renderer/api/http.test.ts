import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { explainFailure } from '../composables/explain-failure.ts';
import { ApiFailure, queryText, request, requestMessages, whenSignedOut } from './http.ts';

const signedOut = vi.fn<() => void>();
let answer: () => Promise<Response>;

beforeEach(() => {
  signedOut.mockClear();
  whenSignedOut(signedOut);
  vi.stubGlobal('fetch', () => answer());
});
afterEach(() => vi.unstubAllGlobals());

const refusal = (status: number, body: unknown) => async () => Response.json(body, { status });
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it should have been refused'),
    (error: unknown) => error,
  );
}

describe('requests to the server', () => {
  test('a JSON response is parsed, an empty response is undefined', async () => {
    answer = async () => Response.json({ a: 1 });
    expect(await request('/api/')).toEqual({ a: 1 });
    answer = async () => new Response(null, { status: 204 });
    expect(await request('/api/', { method: 'DELETE' })).toBeUndefined();
    answer = async () => new Response('', { status: 202 });
    expect(await request('/api/', { method: 'PATCH', body: {} })).toBeUndefined();
  });

  test('an error response has the server’s code and detail', async () => {
    answer = refusal(400, { type: 'validation_error', code: 'blank', detail: 'Not blank.', attr: 'name' });
    expect(await failureOf(request('/api/'))).toMatchObject({
      status: 400,
      code: 'blank',
      message: 'Not blank.',
      attr: 'name',
    });
  });

  test('an error response that is not JSON is still a request failure', async () => {
    answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    expect(await failureOf(request('/api/'))).toMatchObject({
      status: 502,
      message: 'The server responded with status 502.',
    });
  });

  test('no response is a failure with status 0', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await failureOf(request('/api/'))).toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('only a 401 about the session ends it', async () => {
    answer = refusal(401, { code: 'not_authenticated', detail: 'No credentials.' });
    await failureOf(request('/api/', { hasOwnCredential: true }));
    expect(signedOut).not.toHaveBeenCalled();
    await failureOf(request('/api/'));
    expect(signedOut).toHaveBeenCalledOnce();
  });

  test('a query string omits undefined values', () => {
    expect(queryText({ limit: 100, event: undefined, distinct_id: 'a b&c' })).toBe(
      '?limit=100&distinct_id=a+b%26c',
    );
    expect(queryText({})).toBe('');
  });
});

describe('explaining a failure', () => {
  test.each([
    [new ApiFailure(0, 'unreachable', ''), 'Burrow is not responding'],
    [new ApiFailure(500, 'error', 'A server error occurred.'), 'Could not load the latest events'],
    [new ApiFailure(403, 'permission_denied', 'No.'), 'You do not have access to the latest events'],
    [new ApiFailure(400, 'invalid', 'No.'), 'Could not load the latest events'],
    [new Error('a mistake of our own'), 'Something went wrong on this screen'],
  ])('%s', (error, title) => {
    const explanation = explainFailure(error, 'the latest events');
    expect(explanation.title).toBe(title);
    expect(explanation.text).not.toBe('');
  });
});

describe('server-sent events', () => {
  /** An answer that comes in these pieces. */
  const streamOf = (...pieces: string[]) => {
    const encoder = new TextEncoder();
    return async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(encoder.encode(piece));
            controller.close();
          },
        }),
      );
  };

  test('are passed to the callback one by one, however the response is split into chunks', async () => {
    answer = streamOf('data: {"n":1}\n\nda', 'ta: {"n":"ä', '"}\n', '\ndata: {"n":3}\n\n');
    const heard: unknown[] = [];
    await requestMessages('/api/', {}, (message) => heard.push(message));
    expect(heard).toEqual([{ n: 1 }, { n: 'ä' }, { n: 3 }]);
  });

  test('an error response yields no events and fails like any other request', async () => {
    answer = refusal(403, { code: 'permission_denied', detail: 'No.' });
    expect(await failureOf(requestMessages('/api/', {}, () => {}))).toMatchObject({ status: 403 });
  });

  test('a broken stream is a failure with status 0', async () => {
    answer = async () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('gone')) }));
    expect(await failureOf(requestMessages('/api/', {}, () => {}))).toMatchObject({ status: 0 });
  });
});
