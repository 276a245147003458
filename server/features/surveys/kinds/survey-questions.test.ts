import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../errors.ts';
import { validate } from '../../../http/validation.ts';
import { surveyAppearance, surveyConditions } from './survey-display.contract.ts';
import { surveyQuestions } from './survey-questions.contract.ts';

function refusal(check: () => unknown): { code: string; attr: string | null } | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.row.code, attr: error.attr };
  }
}

/** Conditions on an event with a filter of its property `plan`. */
const paidWith = (plan: unknown) => ({ events: { values: [{ name: 'paid', propertyFilters: { plan } }] } });
const PLAN_FILTER = 'events__values__0__propertyFilters__plan';

const question = (one: unknown) => refusal(() => validate(surveyQuestions, [one]));

describe('questions of a survey', () => {
  test.each([
    { type: 'open', question: 'Why?' },
    { type: 'open', question: '1 < 2?', description: '<b', optional: true, buttonText: null },
    { type: 'open', question: 'Why?', description: '<b>So?</b>', descriptionContentType: 'html' },
    { type: 'link', question: 'More?', link: 'https://shop.example/more' },
    { type: 'link', question: 'More?', link: 'mailto:lin@shop.example' },
    { type: 'link', question: 'More?', link: null },
    { type: 'rating', question: 'How?', display: 'emoji', scale: 3, lowerBoundLabel: 'bad' },
    { type: 'single_choice', question: 'Which?', choices: ['a', 'b'], hasOpenChoice: true },
    { type: 'multiple_choice', question: 'Which?', choices: ['a'], shuffleOptions: false },
    { type: 'open', question: 'Why?', branching: { type: 'end' } },
    {
      type: 'rating',
      question: 'How?',
      branching: { type: 'response_based', responseValues: { 1: 0, 2: 'end' } },
    },
    { type: 'open', question: 'Why?', id: 'q1', unknown: { kept: ['as', 'it', 'is'] } },
    { type: 'open', question: 'Why?', translations: { de: { question: 'Warum?', other: 1 } } },
  ])('may be %j', (one) => {
    expect(validate(surveyQuestions, [one])[0]).toMatchObject(one);
  });

  test('a rating without options has numbers up to five', () => {
    expect(validate(surveyQuestions, [{ type: 'rating', question: 'How?' }])).toEqual([
      { type: 'rating', question: 'How?', display: 'number', scale: 5 },
    ]);
  });

  test.each([
    [null, 'null', '0'],
    ['text', 'not_a_dict', '0'],
    [{ question: 'Why?' }, 'required', '0__type'],
    [{ type: 'essay', question: 'Why?' }, 'invalid_choice', '0__type'],
    [{ type: 'open' }, 'required', '0__question'],
    [{ type: 'open', question: '' }, 'blank', '0__question'],
    [{ type: 'open', question: '  ' }, 'blank', '0__question'],
    [{ type: 'open', question: 5 }, 'invalid_input', '0__question'],
    [{ type: 'link', question: 'More?', link: 'javascript:alert(1)' }, 'invalid_input', '0__link'],
    [{ type: 'link', question: 'More?', link: 'http://shop.example' }, 'invalid_input', '0__link'],
    [{ type: 'rating', question: 'How?', scale: 4 }, 'invalid_choice', '0__scale'],
    [{ type: 'rating', question: 'How?', display: 'stars' }, 'invalid_choice', '0__display'],
    [{ type: 'single_choice', question: 'Which?' }, 'required', '0__choices'],
    [{ type: 'single_choice', question: 'Which?', choices: [] }, 'invalid_input', '0__choices'],
    [{ type: 'multiple_choice', question: 'Which?', choices: ['a', ' '] }, 'blank', '0__choices__1'],
    [
      { type: 'open', question: 'Why?', descriptionContentType: 'markdown' },
      'invalid_choice',
      '0__descriptionContentType',
    ],
    [
      { type: 'open', question: 'Why?', branching: { type: 'specific_question', index: 1 } },
      'invalid_input',
      '0__branching__index',
    ],
    [
      { type: 'open', question: 'Why?', branching: { type: 'response_based', responseValues: {} } },
      'invalid_input',
      '0__branching__type',
    ],
    [
      { type: 'rating', question: 'How?', branching: { type: 'response_based', responseValues: { 1: 3 } } },
      'invalid_input',
      '0__branching__responseValues__1',
    ],
    [
      { type: 'open', question: 'Why?', branching: { type: 'nowhere' } },
      'invalid_choice',
      '0__branching__type',
    ],
  ])('%j is refused: %s of %s', (one, code, attr) => {
    expect(question(one)).toEqual({ code, attr });
  });

  test('have unique ids, and are limited in number', () => {
    const one = { type: 'open', question: 'Why?', id: 'q1' };
    expect(refusal(() => validate(surveyQuestions, [one, one]))).toEqual({
      code: 'invalid_input',
      attr: null,
    });
    const many = Array.from({ length: 201 }, () => ({ type: 'open', question: 'Why?' }));
    expect(refusal(() => validate(surveyQuestions, many))).toEqual({ code: 'invalid_input', attr: null });
  });
});

describe('how and where a survey is shown', () => {
  test.each([
    {},
    { position: 'top_center', surveyPopupDelaySeconds: 0, whiteLabel: true, unknown: { kept: 1 } },
    { thankYouMessageDescription: '<b>Thanks</b>', thankYouMessageDescriptionContentType: 'html' },
    { backgroundColor: null, zIndex: '10' },
  ])('appearance may be %j', (appearance) => {
    expect(validate(surveyAppearance, appearance)).toEqual(appearance);
  });

  test.each([
    [{ position: 'above' }, 'invalid_choice', 'position'],
    [{ surveyPopupDelaySeconds: -1 }, 'invalid_input', 'surveyPopupDelaySeconds'],
    [{ whiteLabel: 'yes' }, 'invalid_input', 'whiteLabel'],
    [{ backgroundColor: 7 }, 'invalid_input', 'backgroundColor'],
  ])('appearance %j is refused: %s of %s', (appearance, code, attr) => {
    expect(refusal(() => validate(surveyAppearance, appearance))).toEqual({ code, attr });
  });

  test.each([
    {},
    { url: '[', urlMatchType: 'icontains', unknown: true },
    { url: '^/shop/\\d+$', urlMatchType: 'regex', seenSurveyWaitPeriodInDays: 30 },
    { events: { values: [{ name: 'paid' }], repeatedActivation: true }, actions: null },
    paidWith({ operator: 'regex', values: ['^pro$'] }),
    { deviceTypes: ['Mobile'], deviceTypesMatchType: 'exact', selector: '#buy' },
  ])('conditions may be %j', (conditions) => {
    expect(validate(surveyConditions, conditions)).toEqual(conditions);
  });

  test.each([
    [{ url: '[', urlMatchType: 'regex' }, 'invalid_input', 'url'],
    [{ urlMatchType: 'like' }, 'invalid_choice', 'urlMatchType'],
    [{ events: { values: [{}] } }, 'required', 'events__values__0__name'],
    [{ events: ['paid'] }, 'not_a_dict', 'events'],
    [{ actions: { values: [{ id: 'x' }] } }, 'invalid_input', 'actions__values__0__id'],
    [{ deviceTypes: 'Mobile' }, 'not_a_list', 'deviceTypes'],
    [paidWith(null), 'null', `${PLAN_FILTER}`],
    [paidWith('pro'), 'not_a_dict', `${PLAN_FILTER}`],
    [paidWith({ operator: 'exact', values: 'pro' }), 'not_a_list', `${PLAN_FILTER}__values`],
    [paidWith({ operator: 'like', values: ['pro'] }), 'invalid_choice', `${PLAN_FILTER}__operator`],
    [paidWith({ operator: 'regex', values: ['a', '('] }), 'invalid_input', `${PLAN_FILTER}__values__1`],
  ])('conditions %j are refused: %s of %s', (conditions, code, attr) => {
    expect(refusal(() => validate(surveyConditions, conditions))).toEqual({ code, attr });
  });
});
