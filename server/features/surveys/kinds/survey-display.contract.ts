import { z } from 'zod';
import { contentType } from './survey-questions.contract.ts';

const text = z.string().nullish();
const yesOrNo = z.boolean().nullish();
const atLeastZero = z.number().min(0).nullish();

const POSITIONS = [
  'top_left',
  'top_center',
  'top_right',
  'middle_left',
  'middle_center',
  'middle_right',
  'left',
  'center',
  'right',
  'next_to_trigger',
] as const;

/** How a survey looks; what posthog-js reads is checked, anything else is stored as it is. */
export const surveyAppearance = z.looseObject({
  backgroundColor: text,
  textColor: text,
  borderColor: text,
  submitButtonColor: text,
  submitButtonTextColor: text,
  submitButtonText: text,
  ratingButtonColor: text,
  ratingButtonActiveColor: text,
  placeholder: text,
  fontFamily: text,
  position: z.enum(POSITIONS).nullish(),
  widgetType: z.enum(['button', 'tab', 'selector']).nullish(),
  widgetSelector: text,
  widgetLabel: text,
  widgetColor: text,
  tabPosition: z.enum(['top', 'left', 'right', 'bottom']).nullish(),
  whiteLabel: yesOrNo,
  shuffleQuestions: yesOrNo,
  autoDisappear: yesOrNo,
  surveyPopupDelaySeconds: atLeastZero,
  displayThankYouMessage: yesOrNo,
  thankYouMessageHeader: text,
  thankYouMessageDescription: text,
  thankYouMessageDescriptionContentType: contentType,
  thankYouMessageCloseButtonText: text,
});
export type SurveyAppearance = z.output<typeof surveyAppearance>;

/** How posthog-js compares addresses and devices. */
const matching = z.enum(['regex', 'not_regex', 'exact', 'is_not', 'icontains', 'not_icontains']).nullish();

/** How posthog-js compares a property of an event; a filter of another form stops its surveys with an error. */
const eventFilter = z
  .looseObject({
    operator: z.enum(['exact', 'is_not', 'icontains', 'not_icontains', 'regex', 'not_regex', 'gt', 'lt']),
    values: z.array(z.union([z.string(), z.number(), z.boolean()])),
  })
  .superRefine(({ operator, values }, context) => {
    if (!operator.endsWith('regex')) return;
    const at = values.findIndex((value) => !isPattern(String(value)));
    if (at < 0) return;
    context.addIssue({
      code: 'custom',
      path: ['values', at],
      message: 'This is not a valid regular expression.',
    });
  });

const eventList = z
  .looseObject({
    repeatedActivation: yesOrNo,
    values: z.array(
      z.looseObject({
        name: z.string().min(1),
        propertyFilters: z.record(z.string(), eventFilter).nullish(),
      }),
    ),
  })
  .nullish();

/** On which pages and after what a survey is shown; what posthog-js reads is checked, anything else is stored as it is. */
export const surveyConditions = z
  .looseObject({
    url: text,
    urlMatchType: matching,
    selector: text,
    seenSurveyWaitPeriodInDays: atLeastZero,
    deviceTypes: z.array(z.string()).nullish(),
    deviceTypesMatchType: matching,
    /** Variant of the linked flag, or `any`. */
    linkedFlagVariant: text,
    events: eventList,
    cancelEvents: eventList,
    /** Actions by their ids: pages get their names and steps with the survey. */
    actions: z.looseObject({ values: z.array(z.looseObject({ id: z.int32().min(1) })) }).nullish(),
  })
  .superRefine(({ url, urlMatchType }, context) => {
    if (!url || !(urlMatchType ?? '').endsWith('regex') || isPattern(url)) return;
    context.addIssue({ code: 'custom', path: ['url'], message: 'This is not a valid regular expression.' });
  });
export type SurveyConditions = z.output<typeof surveyConditions>;

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
