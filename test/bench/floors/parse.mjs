// @ts-check
/** node:http that parses each body as JSON, stores nothing and answers. */
import { createServer } from 'node:http';
import { accept, announce, receive } from './receive.mjs';

announce(
  createServer((request, response) =>
    receive(request, (body) => {
      JSON.parse(body.toString('utf8'));
      accept(response);
    }),
  ),
);
