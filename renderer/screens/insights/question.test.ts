import { describe, expect, test } from 'vitest';
import { KINDS, problemOfQuestion } from '../../insights/kinds.ts';
import { emptyQuestion, questionOfText, turnedInto } from './question.ts';

const looked = { kind: 'EventsNode', event: 'looked' } as const;

describe('a question', () => {
  test.each(['', '{', 'null', '[]', '{"kind":"HogQLQuery"}', '{"kind":"TrendsQuery","series":1}', undefined])(
    'is not what an address holds as %j',
    (text) => expect(questionOfText(text)).toBeNull(),
  );

  test.each(KINDS.map(({ id }) => id))('keeps its filters and dates as a %s', (kind) => {
    const properties = [{ type: 'event' as const, key: 'plan', operator: 'exact', value: 'Solo' }];
    const dateRange = { date_from: '-90d' };
    const turned = turnedInto(kind, { ...emptyQuestion(), properties, dateRange });
    expect(turned).toMatchObject({ kind, properties, dateRange });
  });

  test('says what it lacks', () => {
    expect(problemOfQuestion({ kind: 'FunnelsQuery', series: [looked] })).toMatch(/two steps/);
    expect(problemOfQuestion({ kind: 'TrendsQuery', series: [{ ...looked, math: 'sum' }] })).toMatch(
      /looked/,
    );
    expect(problemOfQuestion(emptyQuestion())).toBe('');
  });
});
