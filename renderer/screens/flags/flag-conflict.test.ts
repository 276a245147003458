import { describe, expect, test } from 'vitest';
import { conflictsOf, mergeDrafts } from './flag-conflict.ts';
import { emptyDraft, type FlagDraft } from './flag-draft.ts';

let ids = 0;
const draft = (change: Partial<FlagDraft> = {}): FlagDraft => ({
  ...emptyDraft(() => String((ids += 1))),
  ...change,
});

describe('two users change a flag concurrently', () => {
  test('a change by only one of them is listed, and is not a conflict', () => {
    const theirs = draft({ name: 'Theirs' });
    expect(conflictsOf({ base: draft(), mine: draft({ active: false }), theirs })).toEqual([
      { id: 'name', label: 'Description', mine: '(none)', theirs: 'Theirs', isBoth: false },
    ]);
  });

  test('the same change by both is not a conflict', () => {
    const same = draft({ name: 'Same' });
    expect(conflictsOf({ base: draft(), mine: same, theirs: structuredClone(same) })).toEqual([]);
  });

  test('condition sets are compared by content, not by their local ids', () => {
    expect(conflictsOf({ base: draft(), mine: draft(), theirs: draft() })).toEqual([]);
    const theirs = draft();
    theirs.sets[0]!.rollout = 40;
    theirs.sets[0]!.properties = [{ type: 'person', key: 'plan', operator: 'exact', value: 'Solo' }];
    const mine = draft();
    mine.sets[0]!.rollout = 10;
    expect(conflictsOf({ base: draft(), mine, theirs })).toMatchObject([
      { id: 'sets', mine: '10% of everyone', theirs: '40% of plan is Solo', isBoth: true },
    ]);
  });

  test('each part is taken from the chosen draft', () => {
    const mine = draft({ name: 'Mine', active: false });
    const theirs = draft({ name: 'Theirs', tags: ['x'] });
    const merged = mergeDrafts(mine, theirs, new Set(['tags']));
    expect(merged).toMatchObject({ name: 'Mine', active: false, tags: ['x'] });
  });
});
