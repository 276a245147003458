import type { Located } from '../ast.ts';
import { STAND_INS, type Piece } from './pieces.ts';

/** What the parser reads instead of a piece, and where that is in the text. */
export interface PieceText {
  text: string;
  /** Offsets in the whole text, in UTF-16 units, of offsets in code points of this one. */
  place(start: number, end: number): Required<Located>;
  /** The part of this text between two offsets of the whole one. */
  between(start: number, end: number): string;
}

/** An order is read as that of a query. */
const ORDER_PREFIX = 'SELECT x ORDER BY ';

/** The text of a piece with stand-ins for what was cut out of it; everything stays at its offset. */
export function pieceText(whole: string, piece: Piece): PieceText {
  const prefix = piece.kind === 'order' ? ORDER_PREFIX : '';
  let text = prefix;
  let at = piece.start;
  /** Where cut pieces end, by the ends of their stand-ins. */
  const ends = new Map<number, number>();
  for (const cut of piece.cuts.values()) {
    const standIn = standInOf(whole, cut);
    text += whole.slice(at, cut.start) + standIn.padEnd(cut.end - cut.start);
    ends.set(cut.start + standIn.length, cut.end);
    at = cut.end;
  }
  text += whole.slice(at, piece.end);
  const shift = piece.start - prefix.length;
  const units = unitsOf(text);
  const place = (codePoints: number): number => Math.max(0, units(codePoints) + shift);
  return {
    text,
    place: (start, end) => ({ start: place(start), end: ends.get(place(end)) ?? place(end) }),
    between: (start, end) => text.slice(start - shift, end - shift),
  };
}

/** A bracket may follow a word without a space, as in `not(x)`; a name must not. */
function standInOf(whole: string, { kind, start, end }: Piece): string {
  if (kind === 'query') return STAND_INS.query;
  const { expression } = STAND_INS;
  const quoted = `"${expression}"`;
  const isAfterWord = /\w/.test(whole[start - 1] ?? '');
  return isAfterWord && end - start >= quoted.length ? quoted : expression;
}

/** From offsets in code points, which the parser counts, to UTF-16 units. */
function unitsOf(text: string): (codePoints: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (codePoints) => codePoints;
  const units: number[] = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) units.push(at);
  return (codePoints) => units[codePoints] ?? text.length;
}
