import type { Feature } from '../../http/define-route.ts';
import { openApiDocument } from './openapi-document.ts';

const DESCRIPTION = `
The HTTP API of this Burrow server. It is compatible with the PostHog API: scripts, Terraform and MCP clients written for PostHog work unchanged.

- **Authentication**: \`Authorization: Bearer phx_…\`, a personal API key with the scopes listed for the operation. \`*\` includes all scopes, and write scopes include read. A browser that is signed in to the console uses its session.
- **Paths**: the resources of a project are available under \`/api/projects/:project_id/\` and \`/api/environments/:project_id/\`, with and without a closing slash. HEAD works like GET; unsupported methods return 405.
- **Pagination**: lists accept \`limit\` and \`offset\`, and return the full URL of the next page.
- **Errors**: one flat object of \`type\`, \`code\`, \`detail\` and \`attr\`; only the first problem is reported. Rely on \`code\`.
- **Bodies**: JSON, or forms where supported, up to 20,971,520 bytes. Unknown keys are ignored.
`.trim();

/**
 * The order of features in the document; others follow. Schemas are named in the order of routes, and clients that were
 * generated from the document have those names.
 */
const ORDER = `
  capture live ingestion ingestion-warnings geoip feature-flags remote-config surveys early-access-features cohorts logs
  static-assets users members organizations projects project-secrets personal-api-keys persons groups event-values events
  query retention storage backups definitions insights dashboards dashboard-templates sharing collaborators
  access-controls activity-log annotations actions insight-variables search tags console notices health
`.split(/\s+/);

/** The OpenAPI document of the features' routes as JSON text, generated on first use. */
export function createApiReference(features: readonly Feature[], version: string): () => string {
  let text: string | null = null;
  const placeOf = ({ name }: Feature) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const ordered = features
    .filter(({ unlisted }) => unlisted === undefined)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const tables = {
    routes: ordered.flatMap(({ routes = [] }) => routes),
    publicRoutes: ordered.flatMap(({ publicRoutes = [] }) => publicRoutes),
  };
  return () => {
    text ??= JSON.stringify(openApiDocument(tables, { title: 'Burrow', version, description: DESCRIPTION }));
    return text;
  };
}
