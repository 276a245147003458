import { textOf } from '../../ui/event-labels.ts';
import type { ExplainedFlag } from './explained-flag.ts';
import type { Explained } from './use-explained.ts';
import { askedProperties } from './context-rows.ts';

/** Something that flags look at and that is not the same for two contexts; `undefined` where one has it not. */
export interface DifferentValue {
  name: string;
  one: unknown;
  other: unknown;
}

/** The properties that flags ask for, groups and their properties, as far as they differ between two contexts. */
export function differentValues(one: Explained, other: Explained): DifferentValue[] {
  const values = [valuesOf(one), valuesOf(other)] as const;
  const names = new Set([...values[0].keys(), ...values[1].keys()]);
  return [...names].flatMap((name) => {
    const [a, b] = [values[0].get(name), values[1].get(name)];
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ name, one: a, other: b }];
  });
}

function valuesOf({ context, explanation }: Explained): Map<string, unknown> {
  const stored = explanation.person?.properties ?? {};
  const location = explanation.geoip ?? {};
  const person = { ...stored, ...location, ...context.personProperties };
  const values = new Map<string, unknown>();
  for (const name of askedProperties(explanation, null))
    if (Object.hasOwn(person, name)) values.set(name, person[name as keyof typeof person]);
  for (const [type, key] of Object.entries(context.groups)) {
    values.set(type, key);
    const group = { ...explanation.groups[type]?.properties, ...context.groupProperties[type] };
    for (const name of askedProperties(explanation, type))
      if (Object.hasOwn(group, name)) values.set(`${type}: ${name}`, group[name]);
  }
  return values;
}

interface ComparedText {
  names: readonly [string, string];
  ids: readonly [string, string];
  total: number;
  /** The flags that differ, each explained for both. */
  different: readonly { key: string; one: ExplainedFlag; other: ExplainedFlag }[];
  values: readonly DifferentValue[];
}

/** What two contexts get differently, as text to copy into a message. */
export function compareText({ names, ids, total, different, values }: ComparedText): string {
  const of = (flag: ExplainedFlag) =>
    flag.headline === null ? (flag.error ?? 'no value') : `${flag.headline.value}, ${flag.headline.because}`;
  return [
    `${names[0]} (${ids[0]}) and ${names[1]} (${ids[1]})`,
    `${different.length} of ${total} flags differ.`,
    ...different.flatMap(({ key, one, other }) => [
      '',
      key,
      `  ${names[0]}: ${of(one)}`,
      `  ${names[1]}: ${of(other)}`,
    ]),
    ...(values.length > 0 ? ['', 'Values that differ'] : []),
    ...values.map(({ name, one, other }) => `  ${name}: ${textOf(one) || '–'} / ${textOf(other) || '–'}`),
  ].join('\n');
}
