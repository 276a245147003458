import { z } from 'zod';

/** As posthog-js reads them. */
const RATING_SCALES = [2, 3, 5, 7, 10] as const;
/** Schemes of links that pages may open (as PostHog allows). */
const LINK = /^(https:\/\/[^\s/]|mailto:[^\s@]+@[^\s@]+$)/i;
const MAX_QUESTIONS = 200;
const MAX_ID_LENGTH = 200;

const optionalText = z.string().nullish();
const optionalBoolean = z.boolean().nullish();
const spoken = z
  .string()
  .min(1)
  .refine((text) => text.trim() !== '', { params: { error: 'blank' }, message: 'This may not be blank.' });
/** How a text is shown: as plain text, or as HTML. */
export const contentType = z.enum(['text', 'html']).nullish();

/** Where a survey goes on after an answer. */
const branching = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['next_question', 'end']) }),
  z.looseObject({
    type: z.literal('response_based'),
    /** By answer: the index of a question, `end` or `next_question`. */
    responseValues: z.record(z.string(), z.union([z.int().min(0), z.string()])),
  }),
  z.looseObject({ type: z.literal('specific_question'), index: z.int().min(0) }),
]);

const base = {
  id: z.string().min(1).max(MAX_ID_LENGTH).nullish(),
  question: spoken,
  description: optionalText,
  descriptionContentType: contentType,
  optional: optionalBoolean,
  buttonText: optionalText,
  branching: branching.nullish(),
  /** By language, what of the texts reads otherwise there. */
  translations: z.record(z.string(), z.looseObject({ description: optionalText })).nullish(),
};

const choices = {
  ...base,
  choices: z.array(spoken).min(1),
  hasOpenChoice: optionalBoolean,
  shuffleOptions: optionalBoolean,
  skipSubmitButton: optionalBoolean,
};

/** A question of each type; what posthog-js reads is checked, anything else is stored as it is. */
const question = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('open'), ...base }),
  z.looseObject({
    type: z.literal('link'),
    ...base,
    link: z
      .string()
      .refine((link) => link === '' || LINK.test(link), {
        message: 'A link must start with https:// or be a mailto: address.',
      })
      .nullish(),
  }),
  z.looseObject({
    type: z.literal('rating'),
    ...base,
    display: z.enum(['number', 'emoji']).default('number'),
    scale: z.literal(RATING_SCALES).default(5),
    lowerBoundLabel: optionalText,
    upperBoundLabel: optionalText,
    skipSubmitButton: optionalBoolean,
  }),
  z.looseObject({ type: z.literal('single_choice'), ...choices }),
  z.looseObject({ type: z.literal('multiple_choice'), ...choices }),
]);
export type SurveyQuestion = z.output<typeof question>;

type Report = (path: readonly (string | number)[], message: string) => void;

/** The questions of a survey, as they are sent. */
export const surveyQuestions = z.array(question).superRefine((questions, context) => {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
  if (questions.length === 0) report([], 'A survey requires at least one question.');
  if (questions.length > MAX_QUESTIONS) report([], `A survey can have up to ${MAX_QUESTIONS} questions.`);
  const ids = questions.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) report([], 'Two questions have the same id.');
  questions.forEach((one, at) => {
    checkBranching(one, at, questions.length, report);
  });
});

/** Answers lead to questions that are there. */
function checkBranching(
  { type, branching: to }: SurveyQuestion,
  at: number,
  count: number,
  report: Report,
): void {
  if (to?.type === 'specific_question' && to.index >= count)
    report([at, 'branching', 'index'], `Question ${to.index} does not exist: the first is 0.`);
  if (to?.type !== 'response_based') return;
  if (type !== 'rating' && type !== 'single_choice')
    report([at, 'branching', 'type'], 'Only rating and single choice questions can branch by response.');
  for (const [answer, target] of Object.entries(to.responseValues)) {
    if (typeof target === 'number' && target >= count)
      report(
        [at, 'branching', 'responseValues', answer],
        `Question ${target} does not exist: the first is 0.`,
      );
  }
}
