import { tokenize, type Token } from '../tokens.ts';
import { isPlainName } from './plain-words.ts';

/** A text is not plain: the full parser has to read it. */
export class NotPlain extends Error {}

/** The tokens of a text, one after the other. */
export interface PlainTokens {
  /** Of the next token; '' for one that is no word and no symbol, and at the end. */
  readonly text: string;
  readonly kind: Token['kind'] | null;
  /** The text of the token after the next one. */
  readonly after: string;
  /** Where the next token begins, and where the last one ended. */
  readonly start: number;
  readonly end: number;
  /** Takes the next token when it is this word or symbol. */
  take(text: string): boolean;
  /** Takes the next token, which must be this. Throws NotPlain. */
  expect(text: string): void;
  /** Takes the next token, as it is written. */
  next(): string;
  /** Takes a name. Throws NotPlain. */
  name(): string;
}

/** Reads the tokens of a text. Throws HogqlError, as `tokenize`. */
export function plainTokens(text: string): PlainTokens {
  const tokens = tokenize(text);
  let at = 0;
  const written = (token: Token): string => text.slice(token.start, token.end);
  const source: PlainTokens = {
    get text() {
      return tokens[at]?.text ?? '';
    },
    get kind() {
      return tokens[at]?.kind ?? null;
    },
    get after() {
      return tokens[at + 1]?.text ?? '';
    },
    get start() {
      return tokens[at]?.start ?? text.length;
    },
    get end() {
      return tokens[at - 1]?.end ?? 0;
    },
    take(wanted) {
      if (source.text !== wanted) return false;
      at++;
      return true;
    },
    expect(wanted) {
      if (!source.take(wanted)) throw new NotPlain();
    },
    next() {
      const token = tokens[at++];
      if (token === undefined) throw new NotPlain();
      return written(token);
    },
    name() {
      if (source.kind !== 'word' || !isPlainName(source.text)) throw new NotPlain();
      return source.next();
    },
  };
  return source;
}
