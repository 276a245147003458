/** Pixels that a short text takes, estimated: no chart can wait for its own layout. */

const NARROW = 6.1;
const WIDE = 12;
/** Scripts whose characters are as wide as high, and emoji. */
const IS_WIDE =
  /\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The width of a text of 11 px: an emoji of several code points is one character. */
export function textWidth(text: string): number {
  const plain = /^[\x20-\x7e]*$/.test(text);
  if (plain) return text.length * NARROW;
  return [...SEGMENTS.segment(text)].reduce(
    (width, { segment }) => width + (IS_WIDE.test(segment) ? WIDE : NARROW),
    0,
  );
}

/** A text of at most so many characters, never cut within one. */
export function cutText(text: string, most: number): string {
  const characters = [...SEGMENTS.segment(text)].map(({ segment }) => segment);
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
