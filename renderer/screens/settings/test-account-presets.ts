import type { PropertyFilter } from '../../ui/property-filter.ts';

export interface TestAccountPreset {
  label: string;
  filter: PropertyFilter;
}

/** Mail providers whose domain says nothing about who belongs to the team. */
const PUBLIC_DOMAINS = /^(gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|gmx|web)\./;

/** PostHog's default for new projects: hosts that are this machine, with or without a port. */
const LOCALHOST: PropertyFilter = {
  type: 'event',
  key: '$host',
  operator: 'not_regex',
  value: '^(localhost|127\\.0\\.0\\.1)($|:)',
};

/** Suggestions that are not among the conditions yet. */
export function presetsFor(email: string, filters: readonly PropertyFilter[]): TestAccountPreset[] {
  const domain = email.split('@')[1] ?? '';
  const own: TestAccountPreset[] =
    domain === '' || PUBLIC_DOMAINS.test(domain)
      ? []
      : [
          {
            label: `Exclude persons with @${domain}`,
            filter: { type: 'person', key: 'email', operator: 'not_icontains', value: `@${domain}` },
          },
        ];
  const all = [{ label: 'Exclude localhost', filter: LOCALHOST }, ...own];
  return all.filter(
    ({ filter }) => !filters.some(({ key, value }) => key === filter.key && value === filter.value),
  );
}
