import { Worker } from 'node:worker_threads';
import { answerParse } from './answer-parse.ts';
import type { Grammar } from './grammar.ts';
import type { FromParser, ToParser } from './parse-messages.ts';

/** Where texts are parsed: one at a time, each answered once, unless it ends before. */
export interface RunningParser {
  ask(message: ToParser): void;
  end(): Promise<void>;
}

export interface ParserEvents {
  onAnswer(answer: FromParser): void;
  onError(error: Error): void;
}

/** Starts the thread of a file. It keeps the process alive only while it has something to answer. */
export function startParserThread(url: URL, { onAnswer, onError }: ParserEvents): RunningParser {
  const worker = new Worker(url, { name: 'hogql-parser' });
  let ended = false;
  worker.on('message', (answer: FromParser) => {
    worker.unref();
    if (!ended) onAnswer(answer);
  });
  worker.on('error', (error) => {
    if (!ended) onError(error);
  });
  return {
    ask(message) {
      worker.ref();
      worker.postMessage(message);
    },
    async end() {
      ended = true;
      await worker.terminate();
    },
  };
}

/** Parses in the caller's thread, where no source of the thread can be loaded: without a limit of time. */
export function startParserHere(
  grammar: Promise<Grammar>,
  { onAnswer, onError }: ParserEvents,
): RunningParser {
  let ended = false;
  return {
    ask(message) {
      grammar.then((parser) => {
        if (!ended) onAnswer(answerParse(parser, message));
      }, onError);
    },
    async end() {
      ended = true;
    },
  };
}
