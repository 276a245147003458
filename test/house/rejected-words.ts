/**
 * Words that do not occur in identifiers, file names and comments, as whole words (identifiers are split at case, dash
 * and underscore), with their replacements. Parts of words are not matched: `handle` and `notebook` are fine.
 */
export const REJECTED_WORDS: Readonly<Record<string, string>> = {
  anew: 'again, or the verb with re- (recompute, reopen)',
  anybody: 'any user, any caller',
  births: 'new persons',
  born: 'created',
  everybody: 'all users, all persons',
  heat: 'usage',
  hears: 'is called with',
  knock: 'rejected request',
  knows: 'has, contains',
  ledger: 'stats',
  nobody: 'no user, no caller',
  sighter: 'tracker',
  sightings: 'changes',
  somebody: 'a user, a caller',
  strangers: 'unknown …',
  tells: 'returns, reports, contains',
  told: 'is called with, is reported',
  wants: 'requests, accepts, needs',
  whoever: 'the caller, the user',
};

/** Words and phrases that do not occur in comments either. */
export const REJECTED_IN_COMMENTS: Readonly<Record<string, string>> = {
  ...REJECTED_WORDS,
  asked: 'requested, queried',
  asking: 'requesting, querying',
  'at once': 'immediately, or concurrently',
  'for ever': 'without end',
  gone: 'deleted, missing',
  handed: 'passed, returned',
  heard: 'received',
  knew: 'had, contained',
  made: 'created',
  stands: 'is',
  wanted: 'expected, requested',
  'what is no': 'an invalid …',
};

/** Words and phrases that do not occur in titles of tests either. */
export const REJECTED_IN_TITLES: Readonly<Record<string, string>> = {
  ...REJECTED_IN_COMMENTS,
  otherwise: 'else, by default, or the other case by its name',
  whom: 'the user, the person',
};
