/**
 * SQL for a list folded to one value. The start is its first item: with a start of its own, the engine (1.5.5) gives the
 * names from outside the lambda the values of other rows where lists differ in length.
 */
export function foldedList(list: string, start: string, lambda: string): string {
  return `list_reduce([${start}] || ${list}, lambda ${lambda})`;
}
