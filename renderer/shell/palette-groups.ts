import type { RouteLocationRaw } from 'vue-router';
import type { Command } from './command.ts';
import { STRONG, type CommandGroup, type Found } from './find-commands.ts';

/** Objects of one resource that were found. */
export interface ObjectGroup {
  noun: string;
  name: string;
  found: Found<Command>[];
  /** `null`: more than those found. */
  count: number | null;
  /** The list that shows all of them. */
  all: RouteLocationRaw;
}

/** A group as the palette shows it: some of its lines, and how to see the others. */
export interface ShownGroup {
  id: string;
  name: string;
  kind: string;
  found: Found<Command>[];
  /** Leads to all of them: to a list, or without `to` to the kind in the palette. */
  more: { label: string; to: RouteLocationRaw | null } | null;
}

/** A kind that the palette can be narrowed to. */
export interface Kind {
  id: string;
  name: string;
  count: string;
}

export const ALL = 'all';
export const COMMANDS = 'commands';

/** Lines of a group among others, and of one that is shown alone. */
const ROWS_AMONG_OTHERS = 4;
export const ROWS_ALONE = 12;
const MOST_RECENT = 3;

interface Answer {
  text: string;
  commands: readonly CommandGroup<Command>[];
  objects: readonly ObjectGroup[];
  /** Ids of what was opened before, latest first. */
  recent: readonly string[];
}

/** The kinds that were found, each with its count. */
export function kindsOf({ commands, objects }: Pick<Answer, 'commands' | 'objects'>): Kind[] {
  const numbers = objects.map(({ count, found }) => count ?? found.length);
  const ofCommands = commands.reduce((sum, { found }) => sum + found.length, 0);
  const isOpen = objects.some(({ count }) => count === null);
  const all = numbers.reduce((sum, count) => sum + count, ofCommands);
  return [
    { id: ALL, name: 'All', count: isOpen ? `${all}+` : String(all) },
    ...objects.map(({ noun, name, count, found }) => ({
      id: noun,
      name,
      count: count === null ? `${found.length}+` : String(count),
    })),
    ...(ofCommands > 0 ? [{ id: COMMANDS, name: 'Commands', count: String(ofCommands) }] : []),
  ];
}

/**
 * The groups of an answer in order: what was opened before, commands named so, objects (those with exactly this name
 * first), then commands by their synonyms.
 */
export function groupsOf(answer: Answer, kind: string): ShownGroup[] {
  const { text, commands, objects } = answer;
  const isAll = kind === ALL && text !== '';
  const rows = isAll ? ROWS_AMONG_OTHERS : kind === ALL ? Infinity : ROWS_ALONE;
  const opened = isAll ? openedBefore(answer) : [];
  const isOpened = new Set(opened.map(({ command }) => command.id));
  const ofObjects = objects
    .filter(({ noun }) => kind === ALL || kind === noun)
    .toSorted((a, b) => Number(isNamed(b, text)) - Number(isNamed(a, text)))
    .map((group) => shownObjects(group, rows, isOpened));
  const ofCommands = commands
    .filter(() => kind === ALL || kind === COMMANDS)
    .map((group) => ({
      group,
      shown: shownCommands(group, kind === COMMANDS ? Infinity : rows, isOpened),
    }));
  const isStrong = ({ found }: CommandGroup<Command>) => (found[0]?.match.score ?? 0) >= STRONG;
  return [
    ...(opened.length > 0 ? [{ id: 'recent', name: 'Recent', kind: ALL, found: opened, more: null }] : []),
    ...ofCommands.filter(({ group }) => isStrong(group)).map(({ shown }) => shown),
    ...ofObjects,
    ...ofCommands.filter(({ group }) => !isStrong(group)).map(({ shown }) => shown),
  ].filter(({ found, more }) => found.length > 0 || more !== null);
}

/** Only what this answer has: an object that is deleted or hidden now is not shown for having been opened once. */
function openedBefore({ commands, objects, recent }: Answer): Found<Command>[] {
  const found = [...commands, ...objects]
    .flatMap((group) => group.found)
    .filter(({ match }) => match.score >= STRONG);
  return recent
    .flatMap((id) => found.filter(({ command }) => command.id === id).slice(0, 1))
    .slice(0, MOST_RECENT);
}

function isNamed({ found }: ObjectGroup, text: string): boolean {
  return found.some(({ command }) => command.label.toLowerCase() === text.toLowerCase());
}

function shownObjects(group: ObjectGroup, rows: number, isOpened: ReadonlySet<string>): ShownGroup {
  const { noun, name, count, all } = group;
  const rest = group.found.filter(({ command }) => !isOpened.has(command.id));
  const found = rest.slice(0, rows);
  const isWhole = count !== null && count - (group.found.length - rest.length) <= found.length;
  const many = name.charAt(0).toLowerCase() + name.slice(1);
  const label = count === null ? `Show all ${many}` : `Show all ${count} ${many}`;
  return { id: noun, name, kind: noun, found, more: isWhole ? null : { label, to: all } };
}

function shownCommands(
  { name, found: all }: CommandGroup<Command>,
  rows: number,
  isOpened: ReadonlySet<string>,
): ShownGroup {
  const rest = all.filter(({ command }) => !isOpened.has(command.id));
  const more = rest.length > rows ? { label: `Show all ${rest.length} in ${name}`, to: null } : null;
  return { id: name, name, kind: COMMANDS, found: rest.slice(0, rows), more };
}
