// @ts-check
/**
 * The least that could be called a store of events: node:http that parses each body and appends every event as a line
 * of JSON, answering after a group fdatasync. The prototype's shares in research were taken of this one.
 */
import { createServer } from 'node:http';
import { createGroupAppend } from './group-append.mjs';
import { accept, announce, receive } from './receive.mjs';

const append = createGroupAppend(process.argv[2] ?? '');

announce(
  createServer((request, response) =>
    receive(request, (body) => {
      const json = JSON.parse(body.toString('utf8'));
      /** @type {unknown[]} */
      const events = json.batch ?? [json];
      const lines = events.map((event) => JSON.stringify(event)).join('\n');
      append(Buffer.from(lines), () => accept(response));
    }),
  ),
);
