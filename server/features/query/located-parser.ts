import { fail } from '../../errors.ts';
import { describeHogqlError, HogqlError } from '../../hogql/errors.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import type { KindContext } from './query-kind.ts';

/** Longer expressions are not quoted whole. */
const QUOTED = 60;

/** Parses the small pieces of HogQL that stand in a query; what is wrong in one is told with its text. */
export function createLocatedParser(parser: HogqlParser): KindContext['parse'] {
  const told = async <T>(text: string, read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error;
      const quoted = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
      throw fail('invalid_input', { detail: `In '${quoted}': ${describeHogqlError(error, text)}` });
    }
  };
  return {
    expression: (text) => told(text, parser.expression(text)),
    order: (text) => told(text, parser.order(text)),
    select: (text) => parser.select(text),
    located: (text) => parser.expression(text),
  };
}
