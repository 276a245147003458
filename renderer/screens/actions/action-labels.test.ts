import { describe, expect, test } from 'vitest';
import type { ActionStep } from '../../../server/features/actions/actions.contract.ts';
import { actionLabel, stepLabel } from './action-labels.ts';
import { NO_STEP } from './example-action.ts';

describe('the label of a step', () => {
  test('is its event, or any event', () => {
    expect(stepLabel({ ...NO_STEP, event: 'invoice sent' })).toBe('invoice sent');
    expect(stepLabel(NO_STEP)).toBe('any event');
  });

  test('shows how each text is matched, with the same default as the server', () => {
    const step = { ...NO_STEP, event: '$pageview', url: '/pricing' };
    expect(stepLabel(step)).toBe('$pageview where URL contains “/pricing”');
    expect(stepLabel({ ...step, url_matching: 'exact' })).toBe('$pageview where URL is “/pricing”');
    expect(stepLabel({ ...NO_STEP, text: 'Pay' })).toBe('any event where element text is “Pay”');
    expect(stepLabel({ ...NO_STEP, href: '^/pay', href_matching: 'regex' })).toBe(
      'any event where element link matches regex “^/pay”',
    );
  });

  test('joins its conditions by "and" and leaves out empty ones', () => {
    const step: ActionStep = {
      ...NO_STEP,
      event: '$autocapture',
      selector: 'form > .pay',
      tag_name: 'button',
      text: '',
      properties: [
        { type: 'event', key: 'amount', operator: 'gt', value: 10 },
        { type: 'event', key: 'plan', value: 'studio' },
      ],
    };
    expect(stepLabel(step)).toBe(
      '$autocapture where the element matches form > .pay and element tag is “button” and amount is greater than 10 and plan is studio',
    );
  });
});

test('steps of an action are joined by "or"; an action without steps has no label', () => {
  expect(
    actionLabel([
      { ...NO_STEP, event: 'a' },
      { ...NO_STEP, event: 'b', url: '/x' },
    ]),
  ).toBe('a, or b where URL contains “/x”');
  expect(actionLabel([])).toBe('');
});
