import { z } from 'zod';
import { expectStatus } from '../support/owner-calls.ts';
import type { TestApp } from '../support/test-app.ts';

/** As the provider sends each request, also one without a body. */
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json',
  'User-Agent': 'posthog/terraform-provider; version: 1.0.0',
};

export interface Terraform {
  /** Reads; null when there is no such object (the provider then drops it from its state). */
  read<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | null>;
  /** Writes and decodes the answer, which must be a JSON object, whatever the write does. */
  write<S extends z.ZodType>(
    method: 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: object,
    schema: S,
  ): Promise<z.output<S>>;
  /** The same where the answer may be empty: 204. */
  writeEmpty(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void>;
  /** All results of a list, page by page; of `next` it takes path and query only. */
  readAll<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>[]>;
}

/** The requests of the Terraform provider (management contract 10), with the types that it decodes. */
export function createTerraform({ ask }: TestApp): Terraform {
  async function decode<S extends z.ZodType>(text: string, schema: S): Promise<z.output<S>> {
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    throw new Error(`${text} is not what is decoded: ${z.prettifyError(parsed.error)}`);
  }
  return {
    async read(path, schema) {
      const answer = await ask(path, { headers: HEADERS });
      return answer.status === 404 ? null : decode(expectStatus(200, answer).text, schema);
    },
    async write(method, path, body, schema) {
      const answer = await ask(path, { method, body, headers: HEADERS });
      if (answer.status === 200 || answer.status === 201) return decode(answer.text, schema);
      throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    },
    async writeEmpty(method, path, body) {
      expectStatus(204, await ask(path, { method, body, headers: HEADERS }));
    },
    async readAll(path, schema) {
      const all: z.output<typeof schema>[] = [];
      const page = z.object({ results: z.array(z.unknown()), next: z.string().nullish() });
      for (let rest: string | null = path; rest !== null;) {
        const answer = expectStatus(200, await ask(rest, { headers: HEADERS }));
        const { results, next } = await decode(answer.text, page);
        all.push(...(await decode(JSON.stringify(results), z.array(schema))));
        rest = next ? new URL(next).pathname + new URL(next).search : null;
      }
      return all;
    },
  };
}
