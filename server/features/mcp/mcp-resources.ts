/// <reference types="vite/types/importMeta.d.ts" />
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { pageText, type ToolApi } from './tool.ts';
import { schemaText } from './query-tools.ts';

/** Pages of the documentation that help to ask well. */
const DOCS: Readonly<Record<string, string>> = {
  api: 'The API: queries with examples, and its paths',
  differences: 'Where Burrow differs from PostHog',
  assistants: 'What assistants can do with Burrow, and how they are connected',
};
const FILES = import.meta.glob<string>('../../../docs/{api,differences,assistants}.md', {
  query: '?raw',
  import: 'default',
});

/** Documentation and schema, for clients that let their user attach them. */
export function registerResources(server: McpServer, apiOf: (signal: AbortSignal) => ToolApi): void {
  for (const [name, description] of Object.entries(DOCS)) {
    const uri = `burrow://docs/${name}`;
    server.registerResource(
      name,
      uri,
      { title: `Documentation: ${name}`, description, mimeType: 'text/markdown' },
      async () => ({
        contents: [{ uri, mimeType: 'text/markdown', text: await FILES[`../../../docs/${name}.md`]!() }],
      }),
    );
  }
  const tables = 'burrow://schema/hogql';
  server.registerResource(
    'hogql-schema',
    tables,
    {
      title: 'Tables of HogQL',
      description: 'Each table with its columns and their types',
      mimeType: 'text/plain',
    },
    async (_uri, { mcpReq }) => plain(tables, await schemaText(apiOf(mcpReq.signal))),
  );
  const events = 'burrow://schema/events';
  server.registerResource(
    'events',
    events,
    { title: 'Events', description: 'The events of the project, most recent first', mimeType: 'text/plain' },
    async (_uri, { mcpReq }) => {
      const query = { limit: 200, ordering: '-last_seen_at' };
      const found = await apiOf(mcpReq.signal).get('P/event_definitions/', query);
      return plain(events, pageText(found, ['name', 'description', 'last_seen_at']));
    },
  );
  server.registerResource(
    'event',
    new ResourceTemplate('burrow://schema/events/{name}', { list: undefined }),
    {
      title: 'Properties of an event',
      description: 'The properties that an event has had',
      mimeType: 'text/plain',
    },
    async (uri, { name }, { mcpReq }) => {
      const event = decodeURIComponent(String(name));
      const found = await apiOf(mcpReq.signal).get('P/property_definitions/', {
        event_names: JSON.stringify([event]),
        filter_by_event_names: true,
        limit: 200,
      });
      return plain(uri.href, pageText(found, ['name', 'property_type', 'description']));
    },
  );
}

function plain(uri: string, text: string) {
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}
