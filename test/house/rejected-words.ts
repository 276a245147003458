/**
 * Words that do not occur in identifiers and comments of finished folders, as whole words (identifiers are split at case, dash and underscore), with what
 * to write instead. Parts of words are not matched: handle, beforehand and notebook are fine.
 */
export const REJECTED_WORDS: Readonly<Record<string, string>> = {
  anew: 'again, or the verb with re- (recompute, reopen)',
  anybody: 'any user, any caller',
  births: 'new persons',
  born: 'created',
  burst: 'batch; a token bucket may have a burst',
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

/** Phrases in which a rejected word is the field's own term. */
export const ALLOWED_PHRASES: readonly RegExp[] = [/token bucket/i];

/** Folders whose names and comments are in plain words. The list only grows; `server` in the end. */
export const FINISHED_FOLDERS: readonly string[] = [
  'server/db',
  'server/features/capture',
  'server/features/dashboards',
  'server/features/decide',
  'server/features/definitions',
  'server/features/flag-calls',
  'server/features/flag-overrides',
  'server/features/flag-subjects',
  'server/features/groups',
  'server/features/ingestion',
  'server/features/ingestion-warnings',
  'server/features/insights',
  'server/features/person-history',
  'server/features/persons',
  'server/features/query',
  'server/http',
  'server/lib',
  'server/warehouse',
];
