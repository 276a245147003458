import { HogqlError } from '../../../../hogql/errors.ts';

/** A formula that cannot be computed, and where. */
export class FormulaError extends HogqlError {
  readonly text: string;

  constructor(message: string, start: number, text: string) {
    super(message, { start });
    this.text = text;
  }
}

/** A number for each interval of each series: `(letter, interval) => number`. */
export type Lookup = (series: number, at: number) => number;
export type Formula = (numbers: Lookup, at: number) => number;

const FUNCTIONS: Readonly<Record<string, (...numbers: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  exp: Math.exp,
  floor: Math.floor,
  greatest: Math.max,
  least: Math.min,
  log: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  pow: Math.pow,
  round: (number, digits = 0) => Math.round(number * 10 ** digits) / 10 ** digits,
  sqrt: Math.sqrt,
};

/** Operators as Python has them, whose formulas PostHog evaluates: a remainder has the sign of its divisor. */
const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? 0 : a / b),
  '%': (a, b) => (b === 0 ? 0 : a - b * Math.floor(a / b)),
  '**': (a, b) => (a === 0 && b < 0 ? 0 : a ** b),
};

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_][\w.]*)|(\*\*|[-+*/%(),])|(\S))/gy;
const MAX_DEPTH = 100;

/**
 * Compiles a formula such as `A / (A + B) * 100` to a function over the numbers of the series, which it calls A, B, C… in
 * their order. A result that is not finite, as after a division by zero, is 0. Throws FormulaError for an invalid formula.
 */
export function compileFormula(text: string, seriesCount: number): Formula {
  const evaluate = new FormulaParser(text, seriesCount).parse();
  return (numbers, at) => {
    const value = evaluate(numbers, at);
    return Number.isFinite(value) ? value : 0;
  };
}

interface Token {
  readonly kind: 'number' | 'name' | 'operator' | 'end';
  readonly text: string;
  readonly start: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: all, 1: number, 2: name, 3: operator, index } of text.trimEnd().matchAll(TOKEN)) {
    const found = number ?? name ?? operator;
    const start = index + all.length - (found ?? '.').length;
    if (found === undefined) throw notAFormula(start, text);
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'operator';
    tokens.push({ kind, text: found, start });
  }
  return [...tokens, { kind: 'end', text: '', start: text.length }];
}

class FormulaParser {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  readonly #seriesCount: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, seriesCount: number) {
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#seriesCount = seriesCount;
  }

  parse(): Formula {
    const formula = this.#sum();
    if (this.#next.kind !== 'end') throw this.#problem();
    return formula;
  }

  #refusal(message: string, { start }: Token): FormulaError {
    return new FormulaError(message, start, this.#text);
  }

  #problem(): FormulaError {
    return notAFormula(this.#next.start, this.#text);
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #take(...texts: readonly string[]): string | null {
    const { kind, text } = this.#next;
    if (kind !== 'operator' || !texts.includes(text)) return null;
    this.#at++;
    return text;
  }

  #sum(): Formula {
    if (++this.#depth > MAX_DEPTH) throw this.#refusal('A formula is nested too deeply.', this.#next);
    let left = this.#product();
    for (let op = this.#take('+', '-'); op !== null; op = this.#take('+', '-')) {
      left = applied(op, left, this.#product());
    }
    this.#depth--;
    return left;
  }

  #product(): Formula {
    let left = this.#signed();
    for (let op = this.#take('*', '/', '%'); op !== null; op = this.#take('*', '/', '%')) {
      left = applied(op, left, this.#signed());
    }
    return left;
  }

  /** A sign binds less than a power: `-A ** 2` is `-(A ** 2)`. */
  #signed(): Formula {
    let isNegative = false;
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-')) {
      if (sign === '-') isNegative = !isNegative;
    }
    const base = this.#operand();
    const power = this.#take('**') === null ? base : applied('**', base, this.#exponent());
    return isNegative ? (numbers, at) => 0 - power(numbers, at) : power;
  }

  #exponent(): Formula {
    if (++this.#depth > MAX_DEPTH) throw this.#refusal('A formula is nested too deeply.', this.#next);
    const exponent = this.#signed();
    this.#depth--;
    return exponent;
  }

  #operand(): Formula {
    const token = this.#next;
    if (token.kind === 'end' || token.text === ')' || token.text === ',') throw this.#problem();
    this.#at++;
    if (token.kind === 'number') {
      const value = Number(token.text);
      return () => value;
    }
    if (token.kind === 'name') {
      if (this.#next.kind === 'name' || this.#next.kind === 'number') throw this.#problem();
      return this.#take('(') === null ? this.#series(token) : this.#call(token);
    }
    if (token.text === '(') {
      const inner = this.#sum();
      if (this.#take(')') === null) throw this.#problem();
      return inner;
    }
    throw notAFormula(token.start, this.#text);
  }

  #series(name: Token): Formula {
    const series = /^[A-Za-z]$/.test(name.text) ? name.text.toUpperCase().charCodeAt(0) - 65 : Infinity;
    if (series < this.#seriesCount) return (numbers, at) => numbers(series, at);
    const last = String.fromCharCode(65 + Math.min(this.#seriesCount - 1, 25));
    throw this.#refusal(`Series ${name.text.slice(0, 20)} does not exist: the last one is ${last}.`, name);
  }

  #call(name: Token): Formula {
    const known = name.text.toLowerCase();
    if (!Object.hasOwn(FUNCTIONS, known)) {
      throw this.#refusal(`A formula supports the functions ${Object.keys(FUNCTIONS).join(', ')}.`, name);
    }
    const args: Formula[] = [];
    while (this.#take(')') === null) {
      if (args.length > 0 && this.#take(',') === null) throw this.#problem();
      args.push(this.#sum());
    }
    const of = FUNCTIONS[known]!;
    return (numbers, at) => of(...args.map((arg) => arg(numbers, at)));
  }
}

function applied(op: string, left: Formula, right: Formula): Formula {
  const of = OPERATORS[op]!;
  return (numbers, at) => of(left(numbers, at), right(numbers, at));
}

function notAFormula(start: number, text: string): FormulaError {
  return new FormulaError('A formula can only contain series, numbers and + - * / % **.', start, text);
}
