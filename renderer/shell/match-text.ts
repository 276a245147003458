/** Where in a text a query was found, and how good the find is. */
export interface TextMatch {
  /** Higher is better. */
  score: number;
  /** Start and end of each matched piece. */
  ranges: readonly [start: number, end: number][];
}

/**
 * Finds the letters of a query in a text, in order. Whole pieces at the start of words beat scattered letters;
 * `null` when a letter is missing. An empty query matches everything.
 */
export function matchText(query: string, text: string): TextMatch | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return { score: 0, ranges: [] };
  return matchPiece(wanted, text) ?? matchLetters(wanted.replaceAll(' ', ''), text);
}

function matchPiece(wanted: string, text: string): TextMatch | null {
  const lower = text.toLowerCase();
  let start = -1;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    if (start === -1 || (isWordStart(text, at) && !isWordStart(text, start))) start = at;
  }
  if (start === -1) return null;
  const place = start === 0 ? 30 : isWordStart(text, start) ? 20 : 10;
  return { score: 100 + place - text.length / 100, ranges: [[start, start + wanted.length]] };
}

function matchLetters(wanted: string, text: string): TextMatch | null {
  const lower = text.toLowerCase();
  const ranges: [number, number][] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const at = nextLetter(lower, text, letter, from);
    if (at === -1) return null;
    const last = ranges.at(-1);
    if (last && last[1] === at) last[1] = at + letter.length;
    else ranges.push([at, at + letter.length]);
    score += isWordStart(text, at) ? 3 : 1;
    from = at + letter.length;
  }
  return { score: score - ranges.length - text.length / 100, ranges };
}

/** The next place of a letter: where the word continues, else at the start of a later word, else anywhere. */
function nextLetter(lower: string, text: string, letter: string, from: number): number {
  if (lower.startsWith(letter, from)) return from;
  const first = lower.indexOf(letter, from);
  for (let at = first; at !== -1; at = lower.indexOf(letter, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Cuts a text into pieces, those of the match marked. */
export function markRanges(text: string, ranges: TextMatch['ranges']): { text: string; isMatch: boolean }[] {
  const pieces: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  for (const [start, stop] of ranges) {
    if (start > end) pieces.push({ text: text.slice(end, start), isMatch: false });
    pieces.push({ text: text.slice(start, stop), isMatch: true });
    end = stop;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}
