import { matchText, type TextMatch } from './match-text.ts';

interface Findable {
  group: string;
  label: string;
  also?: readonly string[] | undefined;
}

export interface Found<Item> {
  command: Item;
  match: TextMatch;
  /** Its synonyms that match, shown behind the label; none where the label does. */
  also?: readonly string[];
}

export interface CommandGroup<Item> {
  name: string;
  found: Found<Item>[];
}

/** A score from here on: the query is a piece of the label. Below are synonyms, then scattered letters. */
export const STRONG = 100;
/** A synonym that is the query is above labels that only contain it: `users` is Persons before Test users. */
const SCORE_OF_WHOLE_SYNONYM = 125;
const SCORE_OF_SYNONYM = 60;

/**
 * Commands whose label or synonyms match, best first within their group, the group with the best one first. Letters
 * scattered over a label count only while nothing else matches.
 */
export function findCommands<Item extends Findable>(
  commands: readonly Item[],
  query: string,
): CommandGroup<Item>[] {
  const all = commands.flatMap((command) => {
    const found = findCommand(command, query);
    return found ? [found] : [];
  });
  const hasPieces = query.trim() !== '' && all.some(({ match }) => match.score >= SCORE_OF_SYNONYM);
  const found = hasPieces ? all.filter(({ match }) => match.score >= SCORE_OF_SYNONYM) : all;
  const byScore = found.toSorted((a, b) => b.match.score - a.match.score);
  const names = [...new Set(byScore.map(({ command }) => command.group))];
  return names.map((name) => ({ name, found: byScore.filter(({ command }) => command.group === name) }));
}

function findCommand<Item extends Findable>(command: Item, query: string): Found<Item> | null {
  const match = matchText(query, command.label);
  const wanted = query.trim().toLowerCase();
  // Synonyms match from the start of one of their words: `port` is not in `export`.
  const also = wanted === '' ? [] : (command.also ?? []).filter((word) => startsAWord(word, wanted));
  const isWhole = also.some((word) => word.toLowerCase() === wanted);
  const score = (isWhole ? SCORE_OF_WHOLE_SYNONYM : SCORE_OF_SYNONYM) - command.label.length / 100;
  if (also.length === 0 || (match && match.score >= score)) return match && { command, match };
  return { command, match: { score, ranges: [] }, also };
}

function startsAWord(words: string, wanted: string): boolean {
  return ` ${words.toLowerCase()}`.includes(` ${wanted}`);
}
