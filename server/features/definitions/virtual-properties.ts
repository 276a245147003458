import { isVirtual, type Table } from '../../hogql/tables/table.ts';
import { TABLES } from '../../hogql/tables/tables.ts';
import type { ListPropertyDefinitionsQuery, VirtualPropertyJson } from './definitions.contract.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  $virt_is_bot: 'Whether a program sent the event, by its user agent, or by having none.',
  $virt_traffic_type: 'AI Agent, Bot, Automation or Regular, by the user agent.',
  $virt_traffic_category: 'What the program does that sent the event, such as ai_crawler or search_crawler.',
  $virt_bot_name: 'The program that sent the event; empty for people.',
  $virt_bot_operator: 'Who runs the program that sent the event; empty for people.',
  $virt_initial_channel_type: 'The channel by which the person came first, such as Paid Search or Direct.',
  $virt_initial_referring_domain_type: 'The kind of site that the person came from first, such as Search.',
  $virt_revenue: 'Empty: there is no revenue analytics.',
  $virt_mrr: 'Empty: there is no revenue analytics.',
};

const TYPES: Readonly<Record<string, VirtualPropertyJson['property_type']>> = {
  Bool: 'Boolean',
  Float64: 'Numeric',
};

function propertiesOf({ expressions = new Map() }: Pick<Table, 'expressions'>): VirtualPropertyJson[] {
  return [...expressions]
    .filter(([name]) => isVirtual(name))
    .map(([name, { type }]) => ({
      id: `$builtin_${name}`,
      name,
      description: DESCRIPTIONS[name] ?? '',
      tags: [],
      is_numerical: type.name === 'Float64',
      is_seen_on_filtered_events: null,
      property_type: TYPES[type.name] ?? 'String',
      virtual: true,
    }));
}

/** What HogQL computes for events, persons and groups, by the type of definitions. */
const VIRTUAL: ReadonlyMap<string, readonly VirtualPropertyJson[]> = new Map(
  ['event', 'person', 'group'].map((type) => [type, propertiesOf(TABLES.get(`${type}s`)!)]),
);

/**
 * The virtual properties that a list of definitions ends with. They have no definition of their own, so that none is verified,
 * hidden or a flag; every event has those of events.
 */
export function listVirtualProperties(query: ListPropertyDefinitionsQuery): VirtualPropertyJson[] {
  const { type = 'event', properties: wanted, excluded_properties: excluded = [] } = query;
  const { is_numerical: isNumerical, verified, hidden, is_feature_flag: isFlag } = query;
  if (verified === true || hidden === true || isFlag === true || query.exclude_core_properties === true)
    return [];
  const terms = (query.search ?? '').toLowerCase().split(/\s+/);
  return (VIRTUAL.get(type) ?? []).filter(
    ({ name, is_numerical: isNumber }) =>
      (wanted === undefined || wanted.includes(name)) &&
      !excluded.includes(name) &&
      (isNumerical === undefined || isNumerical === isNumber) &&
      terms.every((term) => name.includes(term)),
  );
}
