import type { ExplainedFlag } from './explained-flag.ts';
import type { DifferentValue } from './compare-values.ts';
import { textOf } from '../../ui/event-words.ts';

interface ComparedText {
  names: readonly [string, string];
  ids: readonly [string, string];
  total: number;
  /** The flags that differ, each explained for both. */
  different: readonly { key: string; one: ExplainedFlag; other: ExplainedFlag }[];
  values: readonly DifferentValue[];
}

/** What two contexts get differently, as text for a message to somebody else. */
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
