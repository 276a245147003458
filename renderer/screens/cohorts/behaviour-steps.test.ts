import { describe, expect, test } from 'vitest';
import { optionsOf, previousDraft, takeOption, type BehaviourDraft } from './behaviour-steps.ts';

const labels = (draft: BehaviourDraft, query = '', events: string[] = []) =>
  optionsOf(draft, query, events).map(({ label }) => label);

describe('building a behavioral condition step by step', () => {
  test('known events are offered, and the typed name when it matches none exactly', () => {
    const events = ['invoice paid', 'invoice sent', 'signed in'];
    expect(labels({}, 'Invoice', events)).toEqual(['invoice paid', 'invoice sent', 'Invoice']);
    expect(labels({}, 'signed in', events)).toEqual(['signed in']);
  });

  test('next steps: count, then time', () => {
    expect(labels({ event: 'a' })).toEqual([
      'at least once',
      'at least 3 times',
      'at least 10 times',
      'never',
    ]);
    expect(labels({ event: 'a', count: null }, '2 w')).toEqual(['in the last 2 weeks']);
    expect(labels({ event: 'a', count: null }, 'soon')).toEqual([]);
  });

  test('it is done when all steps are filled, and can be undone step by step', () => {
    const counted = takeOption({ event: 'a' }, { adds: { count: null } });
    expect(counted).toEqual({ draft: { event: 'a', count: null } });
    const time = { value: 7, interval: 'day' } as const;
    expect(takeOption({ event: 'a', count: null }, { adds: { time } })).toEqual({
      done: { event: 'a', count: null, time },
    });
    expect(previousDraft({ event: 'a', count: null })).toEqual({ event: 'a' });
    expect(previousDraft({ event: 'a' })).toEqual({});
  });
});
