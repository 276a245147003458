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
