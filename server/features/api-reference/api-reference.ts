import { openApiDocument, type RouteTables } from './openapi-document.ts';

const DESCRIPTION = `
The HTTP API of this Burrow. It speaks PostHog's: scripts, Terraform and MCP clients written for PostHog work unchanged.

- **Who asks**: \`Authorization: Bearer phx_…\`, a personal API key with the scopes that an operation names. \`*\` stands for all, and the scope to write for that to read. In a browser that is signed in to the console, the session counts.
- **Paths**: each resource of a project answers below \`/api/projects/:project_id/\` and \`/api/environments/:project_id/\`, with and without a closing slash. HEAD mirrors GET; a method that a path does not offer is a 405.
- **Pages**: lists take \`limit\` and \`offset\`, and name the next page's whole address.
- **Errors**: one flat object of \`type\`, \`code\`, \`detail\` and \`attr\`; only the first problem is told. Go by \`code\`.
- **Bodies**: JSON, and forms where an operation offers them, at most 20,971,520 bytes. Keys that are not known are ignored.
`.trim();

/** The OpenAPI document of the route tables as JSON text, written when first asked for. */
export function createApiReference(tables: RouteTables, version: string): () => string {
  let text: string | null = null;
  return () => {
    text ??= JSON.stringify(openApiDocument(tables, { title: 'Burrow', version, description: DESCRIPTION }));
    return text;
  };
}
