import { openApiDocument, type RouteTables } from './openapi-document.ts';

const DESCRIPTION = `
The HTTP API of this Burrow server. It is compatible with the PostHog API: scripts, Terraform and MCP clients written for PostHog work unchanged.

- **Authentication**: \`Authorization: Bearer phx_…\`, a personal API key with the scopes listed for the operation. \`*\` includes all scopes, and write scopes include read. A browser that is signed in to the console uses its session.
- **Paths**: the resources of a project are available under \`/api/projects/:project_id/\` and \`/api/environments/:project_id/\`, with and without a closing slash. HEAD works like GET; unsupported methods return 405.
- **Pagination**: lists accept \`limit\` and \`offset\`, and return the full URL of the next page.
- **Errors**: one flat object of \`type\`, \`code\`, \`detail\` and \`attr\`; only the first problem is reported. Rely on \`code\`.
- **Bodies**: JSON, or forms where supported, up to 20,971,520 bytes. Unknown keys are ignored.
`.trim();

/** The OpenAPI document of the route tables as JSON text, written when first asked for. */
export function createApiReference(tables: RouteTables, version: string): () => string {
  let text: string | null = null;
  return () => {
    text ??= JSON.stringify(openApiDocument(tables, { title: 'Burrow', version, description: DESCRIPTION }));
    return text;
  };
}
