import { queryValue } from '../../../http/query-text.ts';

/**
 * Response versions: names of active flags (1), their values (2), values of all flags (3), details of all flags (4).
 * `/flags?v=1` returns `legacy`: as 3, without inactive flags.
 */
export type AnswerShape = 1 | 2 | 3 | 4 | 'legacy';

/** The response requested by the query string. */
export interface RequestedAnswer {
  shape: AnswerShape;
  /** Whether to include the remote configuration. */
  withConfig: boolean;
}

/** `/decide`: a missing version is 1, one that is not a number is 2 (ingestion contract 7.3). */
export function decideRequested(search: string): RequestedAnswer {
  const given = queryValue(search, 'v');
  const version = given === null ? 1 : (integerOf(given) ?? 2);
  const shape = version >= 4 ? 4 : version === 3 ? 3 : version === 2 ? 2 : 1;
  return { shape, withConfig: true };
}

/** `/flags`: details from version 2 on; neither version nor `config` given means details with configuration (8.1). */
export function flagsRequested(search: string): RequestedAnswer {
  const given = queryValue(search, 'v');
  const version = given === null ? null : integerOf(given);
  const config = queryValue(search, 'config');
  return {
    shape: version !== null && version < 2 ? 'legacy' : 4,
    withConfig: config === null ? version === null : ['true', '1'].includes(config.toLowerCase()),
  };
}

function integerOf(text: string): number | null {
  return /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : null;
}
