import { parentPort } from 'node:worker_threads';
import createGrammar from '@posthog/hogql-parser';
import { answerParse } from './answer-parse.ts';
import type { ToParser } from './parse-messages.ts';

// The thread in which texts of HogQL are parsed: it can be ended when one takes too long.
const port = parentPort!;
const grammar = createGrammar();

port.on('message', (message: ToParser) => {
  void grammar.then((parser) => port.postMessage(answerParse(parser, message)));
});
