import type { Feature } from '../../http/define-route.ts';
import { openApiDocument } from './openapi-document.ts';

const DESCRIPTION = `
The HTTP API of this Burrow. It speaks PostHog's: scripts, Terraform and MCP clients written for PostHog work unchanged.

- **Who asks**: \`Authorization: Bearer phx_…\`, a personal API key with the scopes that an operation names. \`*\` stands for all, and the scope to write for that to read. In a browser that is signed in to the console, the session counts.
- **Paths**: each resource of a project answers below \`/api/projects/:project_id/\` and \`/api/environments/:project_id/\`, with and without a closing slash. HEAD mirrors GET; a method that a path does not offer is a 405.
- **Pages**: lists take \`limit\` and \`offset\`, and name the next page's whole address.
- **Errors**: one flat object of \`type\`, \`code\`, \`detail\` and \`attr\`; only the first problem is told. Go by \`code\`.
- **Bodies**: JSON, and forms where an operation offers them, at most 20,971,520 bytes. Keys that are not known are ignored.
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

/** The OpenAPI document of the features' routes as JSON text, written when first asked for. */
export function createApiReference(features: readonly Feature[], version: string): () => string {
  let text: string | null = null;
  const placeOf = ({ name }: Feature) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const ordered = features.toSorted((a, b) => placeOf(a) - placeOf(b));
  const tables = {
    routes: ordered.flatMap(({ routes = [] }) => routes),
    publicRoutes: ordered.flatMap(({ publicRoutes = [] }) => publicRoutes),
  };
  return () => {
    text ??= JSON.stringify(openApiDocument(tables, { title: 'Burrow', version, description: DESCRIPTION }));
    return text;
  };
}
