import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { isRunning } from './survey-flags.ts';
import type { Survey } from './survey-row.ts';

export interface SurveyUpkeepParts {
  /** Surveys of a project that have a start, from memory. */
  startedOf: (projectId: number) => readonly Survey[];
  countAnswers: (projectId: number) => Promise<ReadonlyMap<string, number>>;
  /** Whether the flag of a survey has a past iteration. */
  isBehind: (survey: Survey, now: number) => boolean;
  /** Ends a survey at a moment; with null its flag is turned to the iteration that has begun. */
  change: (survey: Survey, end: string | null) => Promise<void>;
  clock: Clock;
  log: Log;
}

/** Answers come with events, which are counted no more often than this. */
const EVERY_MS = 60_000;

/**
 * Does what has become due for the surveys of a project without a change: a survey that has all its answers ends, and
 * one with a recurring schedule starts its next iteration. Call it whenever a page requests surveys, since no survey
 * is shown otherwise; it works in the background.
 */
export function createSurveyUpkeep(parts: SurveyUpkeepParts): (projectId: number) => void {
  const { clock, log } = parts;
  const lookedAt = new Map<number, number>();

  async function look(projectId: number, due: readonly Survey[], now: number): Promise<void> {
    const limited = due.filter(({ responsesLimit }) => responsesLimit !== null);
    const answers = limited.length === 0 ? new Map() : await parts.countAnswers(projectId);
    for (const survey of due) {
      const isFull = survey.responsesLimit !== null && (answers.get(survey.id) ?? 0) >= survey.responsesLimit;
      if (isFull) await parts.change(survey, new Date(now).toISOString());
      else if (parts.isBehind(survey, now)) await parts.change(survey, null);
    }
  }

  return (projectId) => {
    const now = clock();
    if (Math.abs(now - (lookedAt.get(projectId) ?? -Infinity)) < EVERY_MS) return;
    lookedAt.set(projectId, now);
    const due = parts
      .startedOf(projectId)
      .filter(
        (survey) => (survey.responsesLimit ?? survey.iterationCount) !== null && isRunning(survey, now),
      );
    if (due.length === 0) return;
    void look(projectId, due, now).catch((error: unknown) =>
      log.warn(
        { err: error, project: projectId },
        'Surveys could not be looked after; the next minute tries again',
      ),
    );
  };
}
