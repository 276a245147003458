import { request } from './http.ts';

/** The part of the server's OpenAPI document that decides what a reader of it sees. */
export interface ApiDocument {
  paths: Record<string, object>;
}

const SECOND_FAMILY = '/api/environments/';

/**
 * The server's OpenAPI document, each operation once: what answers below `/api/environments/` does the same below
 * `/api/projects/`, and drawing both doubles the time until a reader sees anything. Throws `ApiFailure`.
 */
export async function readApiDocument(): Promise<ApiDocument> {
  const document = await request<ApiDocument>('/openapi.json');
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith(SECOND_FAMILY));
  return { ...document, paths: Object.fromEntries(paths) };
}
