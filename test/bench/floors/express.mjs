// @ts-check
/** Express that parses each body as JSON, stores nothing and answers. */
import express from 'express';
import { createServer } from 'node:http';
import { ACCEPTED, announce, inflate } from './receive.mjs';

const app = express();
// The bytes are inflated below as in the other servers; with the header Express would refuse to hand them over as they are.
app.use((request, _response, next) => {
  delete request.headers['content-encoding'];
  next();
});
app.use(express.raw({ type: () => true, inflate: false, limit: '25mb' }));
app.post(['/capture/', '/batch/'], (request, response) => {
  JSON.parse(inflate(request.body).toString('utf8'));
  response.type('json').send(ACCEPTED);
});
announce(createServer(app));
