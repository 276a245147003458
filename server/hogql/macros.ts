import type { Call, Expr } from './ast.ts';
import { and, call, compare, constant, field, from, or, select, tuple } from './build.ts';
import { HogqlError } from './errors.ts';

/** A call that is expanded to another expression of the language. */
export interface Macro {
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** What the call means. Throws HogqlError. */
  expand(node: Call): Expr;
}

/** What an argument says that must be written out. */
function written(node: Call, at: number, what: string): string | number | boolean | null {
  const argument = node.args[at];
  if (argument === undefined) return null;
  const value = argument.node === 'Constant' ? argument.value : null;
  if (typeof value === 'bigint') return Number(value);
  if (value !== null && typeof value !== 'object') return value;
  throw new HogqlError(`${what} must be a constant.`, argument);
}

const properties = field('properties');

/** The answer under a key of the properties of `survey sent`; NULL where there is none. */
function answerUnder(key: Expr, isList: boolean): Expr {
  return isList
    ? call('JSONExtractArrayRaw', properties, key)
    : call('nullIf', call('JSONExtractString', properties, key), constant(''));
}

/**
 * `getSurveyResponse(index, [id], [isMultipleChoice])`: the answer to a question of a survey, by its id where the event
 * has it, else by its place (posthog-js sends both). Without an id, it is the one that
 * the event's own list of questions has at that place.
 */
function surveyResponse(node: Call): Expr {
  const index = Number(written(node, 0, 'The index of the question'));
  if (!Number.isInteger(index) || index < 0) {
    throw new HogqlError('The index of a question must be a whole number, starting at 0.', node.args[0]!);
  }
  const id = written(node, 1, 'The id of the question');
  const isList = written(node, 2, 'Whether it is multiple choice') === true;
  const questions = call('JSONExtractArrayRaw', properties, constant('$survey_questions'));
  const question = call('arrayElement', questions, constant(index + 1));
  const idKey =
    id === null
      ? call('concat', constant('$survey_response_'), call('JSONExtractString', question, constant('id')))
      : constant(`$survey_response_${id}`);
  const placeKey = constant(index === 0 ? '$survey_response' : `$survey_response_${index}`);
  const [byId, byPlace] = [answerUnder(idKey, isList), answerUnder(placeKey, isList)];
  return isList ? call('if', call('notEmpty', byId), byId, byPlace) : call('coalesce', byId, byPlace);
}

/**
 * `uniqueSurveySubmissionsFilter(survey, [from], [to])`: whether an event is the last one of its submission, of which a
 * survey that is answered page by page sends several; an event without `$survey_submission_id` is one by itself.
 */
function uniqueSubmissions(node: Call): Expr {
  const survey = written(node, 0, 'The id of the survey');
  const [, start, end] = node.args;
  const property = (name: string): Expr => field('properties', name);
  const timestamp = field('timestamp');
  const submission = property('$survey_submission_id');
  const isAlone = or(compare('==', submission, constant(null)), compare('==', submission, constant('')));
  const last = select({
    select: [call('argMax', field('uuid'), timestamp)],
    from: from('events'),
    where: and(
      compare('==', field('event'), constant('survey sent')),
      compare('==', property('$survey_id'), constant(survey)),
      ...(start === undefined ? [] : [compare('>=', timestamp, start)]),
      ...(end === undefined ? [] : [compare('<=', timestamp, end)]),
    ),
    groupBy: [call('if', isAlone, call('toString', field('uuid')), submission)],
  });
  return compare('in', field('uuid'), last);
}

/** Calls that are expanded to other expressions, by their names in lower case. */
export const MACROS: ReadonlyMap<string, Macro> = new Map(
  (
    [
      { name: 'getSurveyResponse', minArgs: 1, maxArgs: 3, expand: surveyResponse },
      { name: 'uniqueSurveySubmissionsFilter', minArgs: 1, maxArgs: 3, expand: uniqueSubmissions },
      {
        // A button of PostHog's SQL screen.
        name: 'recordingButton',
        minArgs: 1,
        maxArgs: 2,
        expand: ({ args }) =>
          tuple(
            constant('__hx_tag'),
            constant('RecordingButton'),
            constant('sessionId'),
            args[0]!,
            constant('recordingStatus'),
            args[1] ?? field('properties', '$recording_status'),
          ),
      },
      {
        // What PostHog's SQL screen draws as a small chart.
        name: 'sparkline',
        minArgs: 1,
        maxArgs: 1,
        expand: ({ args }) => tuple(constant('__hx_tag'), constant('Sparkline'), constant('data'), args[0]!),
      },
      {
        name: 'matchesAction',
        minArgs: 1,
        maxArgs: 1,
        // The caller, which has the project's actions, has replaced it by their conditions before.
        expand(node) {
          throw new HogqlError('An action cannot be used here.', node);
        },
      },
    ] satisfies Macro[]
  ).map((macro) => [macro.name.toLowerCase(), macro]),
);
