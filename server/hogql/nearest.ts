const MOST_NAMED = 3;
/** Names longer than this are no slips of a finger; comparing them would cost their product. */
const LONGEST = 64;

/** The known names that are written almost like this one, nearest first, at most three. */
export function nearest(name: string, known: Iterable<string>): string[] {
  if (name.length > LONGEST) return [];
  const wanted = name.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(known)]
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase(), allowed) }))
    .filter((one) => one.distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST_NAMED)
    .map((one) => one.candidate);
}

/** `Did you mean "events"?` with a space before it, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = nearest(name, known).map((one) => `"${one}"`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/** Letters to add, take out, change or swap with their neighbour; more than `allowed` is only reported as more. */
function distance(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return allowed + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change, isSwap ? before[j - 2]! + 1 : Infinity));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
