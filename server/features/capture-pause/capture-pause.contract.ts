import { z } from 'zod';

const capturePause = z.object({
  is_paused: z.boolean(),
  /** When capture resumes by itself; null: not paused, or until it is resumed. */
  until: z.string().nullable(),
});
export type CapturePauseJson = z.output<typeof capturePause>;

/** A week; a longer pause is one that is forgotten. */
const MAX_MINUTES = 10_080;

const setPauseBody = z.object({
  is_paused: z.boolean(),
  /** Minutes until capture resumes by itself; left out: until it is resumed. */
  minutes: z.int().min(1).max(MAX_MINUTES).nullish(),
});

export const capturePauseApi = {
  'GET /api/burrow/capture/': { response: capturePause },
  'PUT /api/burrow/capture/': { body: setPauseBody, response: capturePause },
};
