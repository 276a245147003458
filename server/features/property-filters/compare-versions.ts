import { fail } from '../../errors.ts';
import { versionSql } from '../../hogql/functions/text-sql.ts';
import { readVersion, type Version } from '../../lib/version-text.ts';
import type { Bind } from './bind.ts';
import { SEMVER_OPERATORS, type Operator } from './property-filters.contract.ts';

export type SemverOperator = (typeof SEMVER_OPERATORS)[number];

const WILDCARD = /^(\d+)(?:\.(\d+)(?:\..*)?)?(?:\.\*|\*)?$/;

const SIGNS: Partial<Record<SemverOperator, VersionSign>> = {
  semver_eq: '=',
  semver_neq: '<>',
  semver_gt: '>',
  semver_gte: '>=',
  semver_lt: '<',
  semver_lte: '<=',
};

/** How a version is compared with another. */
export type VersionSign = '=' | '<>' | '>' | '>=' | '<' | '<=';

/** Comparisons with versions, all of which must hold. */
export type VersionBounds = readonly { sign: VersionSign; version: string }[];

export function isSemverOperator(operator: Operator): operator is SemverOperator {
  return (SEMVER_OPERATORS as readonly string[]).includes(operator);
}

/** What an operator asks of a version (ingestion contract P-8). Throws invalid_input for `properties`. */
export function versionBounds(operator: SemverOperator, text: string): VersionBounds {
  const limit = readVersion(operator === 'semver_wildcard' ? wildcardOf(text) : text);
  if (limit === null) {
    throw fail('invalid_input', {
      attr: 'properties',
      detail: `The operator ${operator} requires a version such as 1.2.3.`,
    });
  }
  const sign = SIGNS[operator];
  if (sign !== undefined) return [{ sign, version: limit.text }];
  const end = `${endOf(operator, limit).join('.')}-0`;
  return [
    { sign: '>=', version: limit.text },
    { sign: '<', version: end },
  ];
}

/** SQL that compares a text with a version; false for a text that is none. Throws invalid_input for `properties`. */
export function compareVersions(x: string, operator: SemverOperator, text: string, bind: Bind): string {
  const holds = versionBounds(operator, text)
    .map(({ sign, version }) => `v ${sign} ${versionSql(bind(version))}`)
    .join(' AND ');
  // The list names the version, which is read from a text, once.
  return `coalesce(list_transform([${versionSql(x)}], lambda v: ${holds})[1], false)`;
}

/** `1.2.*` begins with 1.2, and of more parts the first two count; no version: it is no wildcard. */
function wildcardOf(text: string): string {
  const [, major, minor] = WILDCARD.exec(text.trim().replace(/^[vV]/, '')) ?? [];
  return major === undefined ? '' : minor === undefined ? major : `${major}.${minor}`;
}

/** The first version beyond: `~1.2.3` ends before 1.3.0, `^1.2.3` before 2.0.0, `1.*` before 2.0.0. */
function endOf(operator: SemverOperator, { text, numbers: [major, minor, patch] }: Version): number[] {
  if (operator === 'semver_wildcard') return text.includes('.') ? [major, minor + 1, 0] : [major + 1, 0, 0];
  if (operator === 'semver_tilde') return [major, minor + 1, 0];
  if (major > 0) return [major + 1, 0, 0];
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1];
}
