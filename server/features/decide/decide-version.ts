import { queryValue } from '../../http/query-text.ts';

/**
 * The shapes that answers have had: names of the flags that are on (1), their values (2), the values of all flags (3),
 * everything about each (4). `/flags?v=1` answers `legacy`: as 3, without inactive flags.
 */
export type AnswerShape = 1 | 2 | 3 | 4 | 'legacy';

/** What a request's query asks for. */
export interface AskedFor {
  shape: AnswerShape;
  /** Whether the remote configuration belongs into the answer. */
  withConfig: boolean;
}

/** `/decide`: a missing version is 1, one that is not a number is 2 (ingestion contract 7.3). */
export function decideAskedFor(search: string): AskedFor {
  const given = queryValue(search, 'v');
  const version = given === null ? 1 : (wholeNumber(given) ?? 2);
  const shape = version >= 4 ? 4 : version === 3 ? 3 : version === 2 ? 2 : 1;
  return { shape, withConfig: true };
}

/** `/flags`: details from version 2 on; neither version nor `config` given means details with configuration (8.1). */
export function flagsAskedFor(search: string): AskedFor {
  const given = queryValue(search, 'v');
  const version = given === null ? null : wholeNumber(given);
  const config = queryValue(search, 'config');
  return {
    shape: version !== null && version < 2 ? 'legacy' : 4,
    withConfig: config === null ? version === null : ['true', '1'].includes(config.toLowerCase()),
  };
}

function wholeNumber(text: string): number | null {
  return /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : null;
}
