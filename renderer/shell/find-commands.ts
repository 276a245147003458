import { matchText, type TextMatch } from './match-text.ts';

interface Findable {
  group: string;
  label: string;
}

export interface CommandGroup<Item> {
  name: string;
  found: { command: Item; match: TextMatch }[];
}

/** Commands whose label matches, best first within their group, the group with the best one first. */
export function findCommands<Item extends Findable>(
  commands: readonly Item[],
  query: string,
): CommandGroup<Item>[] {
  const found = commands.flatMap((command) => {
    const match = matchText(query, command.label);
    return match ? [{ command, match }] : [];
  });
  const byScore = found.toSorted((a, b) => b.match.score - a.match.score);
  const names = [...new Set(byScore.map(({ command }) => command.group))];
  return names.map((name) => ({ name, found: byScore.filter(({ command }) => command.group === name) }));
}
