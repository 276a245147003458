import { describe, expect, test } from 'vitest';
import type { ActionJson as Action } from '../../../server/features/actions/actions.contract.ts';
import { changeOf, copyOf, draftOf, fitsAll, stepDraft, stepsOf, textsOf, withText } from './action-draft.ts';

const ACTION = {
  id: 4,
  name: 'Paid',
  description: 'Money came',
  tags: ['money'],
  steps: [stepDraft({ event: 'invoice paid', url: '/pay', url_matching: null }).step],
} as unknown as Action;

describe('an action draft', () => {
  test('starts with one step that matches every event', () => {
    const { steps } = draftOf(null);
    expect(steps).toHaveLength(1);
    expect(fitsAll(steps[0]!.step)).toBe(true);
  });

  test('has no changes until it is edited, also where the stored step has no matching mode', () => {
    expect(changeOf(draftOf(ACTION))).toEqual(changeOf(draftOf(ACTION)));
    expect(changeOf(draftOf(ACTION)).steps[0]).toMatchObject({ url: '/pay', url_matching: 'contains' });
  });

  test('is stored without spaces around its name, and without empty texts', () => {
    const step = stepDraft({ event: '', text: '', text_matching: 'regex', href: '/a' });
    expect(changeOf({ ...draftOf(null), name: ' Paid ', steps: [step] })).toMatchObject({ name: 'Paid' });
    expect(stepsOf([step])).toEqual([stepDraft({ event: null, href: '/a', href_matching: 'exact' }).step]);
  });

  test('has a new name as a copy, and the same steps with new keys', () => {
    const copy = copyOf(ACTION);
    expect(copy.name).toBe('Paid (copy)');
    expect(copy.steps[0]!.step).toEqual(ACTION.steps[0]);
    expect(copy.steps[0]!.key).not.toBe(draftOf(ACTION).steps[0]!.key);
  });
});

describe('a text of a step', () => {
  test('is added empty with the default matching mode, and removed together with it', () => {
    const { step } = stepDraft();
    const typed = withText(step, 'url', '');
    expect(typed).toMatchObject({ url: '', url_matching: 'contains' });
    expect(textsOf(typed)).toEqual(['url']);
    expect(fitsAll(typed)).toBe(true);
    expect(fitsAll(withText(typed, 'url', '/a'))).toBe(false);
    expect(withText(typed, 'url', null)).toEqual(step);
    expect(withText(step, 'selector', '.a')).toMatchObject({ selector: '.a' });
  });

  test('keeps its matching mode when the text changes', () => {
    const { step } = stepDraft({ href: 'a', href_matching: 'regex' });
    expect(withText(step, 'href', 'ab')).toMatchObject({ href: 'ab', href_matching: 'regex' });
  });
});
