// @ts-check
/**
 * The durable floor: node:http that appends each raw body to the file named by the argument and answers after a group
 * fdatasync. It neither parses nor checks: less than this is not durable.
 */
import { createServer } from 'node:http';
import { createGroupAppend } from './group-append.mjs';
import { accept, announce, receive } from './receive.mjs';

const append = createGroupAppend(process.argv[2] ?? '');

announce(
  createServer((request, response) => receive(request, (body) => append(body, () => accept(response)))),
);
