import { HogqlError } from '../errors.ts';
import type { Token } from './tokens.ts';

/**
 * Throws a HogqlError for what the grammar takes and its tree does not tell: an answer that leaves out a part of the
 * question would be a wrong one.
 */
export function refuseDropped(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || ['.', 'as'].includes(tokens[index - 1]?.text ?? '')) return;
    const [next, afterNext] = [tokens[index + 1], tokens[index + 2]];
    // A word may be one that every object has, such as __proto__.
    const sentenceFor = Object.hasOwn(SENTENCES, token.text) ? SENTENCES[token.text] : undefined;
    const sentence = sentenceFor?.(next?.text ?? '', afterNext?.text ?? '', next?.kind);
    if (sentence !== undefined) throw new HogqlError(sentence, token);
  });
}

const SENTENCES: Readonly<
  Record<string, (next: string, afterNext: string, kind?: Token['kind']) => string | undefined>
> = {
  with: (next, afterNext) =>
    ['totals', 'rollup', 'cube'].includes(next) && afterNext !== 'as' && afterNext !== '('
      ? 'WITH TOTALS, WITH ROLLUP and WITH CUBE are not supported. Write GROUP BY ROLLUP(…) or GROUP BY CUBE(…).'
      : undefined,
  natural: (next) =>
    ['join', 'inner', 'left', 'right', 'full'].includes(next)
      ? 'NATURAL JOIN is not supported. Use USING with column names.'
      : undefined,
  collate: (_next, _afterNext, kind) => (kind === 'string' ? 'COLLATE is not supported.' : undefined),
};
