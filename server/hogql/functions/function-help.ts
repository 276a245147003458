import { FUNCTION_LINES } from './function-lines.ts';
import type { FunctionRow } from './function-row.ts';

/** What an editor shows of a function. */
export interface FunctionHelp {
  readonly name: string;
  readonly kind: 'function' | 'aggregate' | 'window';
  /** Its call, with what may be left out in brackets. */
  readonly signature: string;
  /** Empty where nothing is written of it. */
  readonly help: string;
}

const LINES: ReadonlyMap<string, { args: string; help: string }> = new Map(
  FUNCTION_LINES.trim()
    .split('\n')
    .map((line) => {
      const [, name, args, help] = /^(\w+)(\(.*?\)(?:\(.*?\))?): (.*)$/.exec(line)!;
      return [name!, { args: args!, help: help! }];
    }),
);

/** The call of a function and what it gives, in a line each. */
export function helpOf({
  name,
  aggregate,
  window,
  minArgs,
  maxArgs,
}: Pick<FunctionRow, 'name' | 'minArgs' | 'maxArgs' | 'aggregate' | 'window'>): FunctionHelp {
  const known = LINES.get(name);
  return {
    name,
    kind: aggregate === true ? 'aggregate' : window === true ? 'window' : 'function',
    signature: `${name}${known?.args ?? argumentsOf(minArgs, maxArgs)}`,
    help: known?.help ?? '',
  };
}

const MOST_NAMED = 4;

function argumentsOf(least: number, most: number): string {
  const named = Math.min(most, Math.max(least, MOST_NAMED));
  const names = Array.from({ length: named }, (_, at) => (named === 1 ? 'x' : `x${at + 1}`));
  const shown = names.map((text, at) => (at < least ? text : `[${text}]`));
  return `(${[...shown, ...(most > named ? ['…'] : [])].join(', ')})`;
}
