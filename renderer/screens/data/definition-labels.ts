import { CircleDot, CircleHelp, Timer } from '@lucide/vue';
import type { Component } from 'vue';
import { iconOf } from '../../ui/event-labels.ts';
import { VALUE_KINDS, type ValueKind } from '../../ui/value-kind.ts';
import type { DataKind, Definition } from './definition-source.ts';

type PropertyType = NonNullable<Definition['type']>;

const KINDS: Readonly<Record<Exclude<PropertyType, 'Duration'>, ValueKind>> = {
  String: 'text',
  Numeric: 'number',
  Boolean: 'boolean',
  DateTime: 'date',
};

/** How a property's type is shown: icon and word. None: its values are lists, objects, or of several types. */
export function typeLabelOf(type: Definition['type']): { icon: Component; label: string } {
  if (type === null) return { icon: CircleHelp, label: 'Other' };
  return type === 'Duration' ? { icon: Timer, label: 'Duration' } : VALUE_KINDS[KINDS[type]];
}

/** The icon at the beginning of a row. */
export function iconOfDefinition(kind: DataKind, definition: Definition): Component {
  if (kind !== 'events') return typeLabelOf(definition.type).icon;
  return definition.name.startsWith('$') ? iconOf(definition.name) : CircleDot;
}

/** The meanings of PostHog's own events, for events without a description. */
const CORE: Record<string, string> = {
  $pageview: 'Page viewed',
  $pageleave: 'Page left',
  $screen: 'App screen viewed',
  $autocapture: 'Autocaptured click, change or submit',
  $rageclick: 'Rapid repeated clicks on one spot',
  $dead_click: 'Click without effect',
  $identify: 'User identified',
  $create_alias: 'Two distinct IDs merged',
  $merge_dangerously: 'Two persons merged without checks',
  $set: 'Person properties set',
  $groupidentify: 'Group properties set',
  $feature_flag_called: 'Feature flag called',
  $exception: 'Exception captured',
  $web_vitals: 'Web vitals of a page',
  $ai_generation: 'LLM generation',
  $opt_in: 'User opted in to capture',
};

/** What is said about a definition: its description, else what PostHog means by the name, else nothing. */
export function meaningOf({ name, description }: Pick<Definition, 'name' | 'description'>): string {
  return description || CORE[name] || '';
}

/** Whether PostHog's SDKs give this name, not the project. */
export function isPosthogs(name: string): boolean {
  return name.startsWith('$') || name.startsWith('survey ');
}

/** The word for one row and for many. */
export const NOUNS: Readonly<Record<DataKind, { one: string; many: string }>> = {
  events: { one: 'event', many: 'events' },
  properties: { one: 'property', many: 'properties' },
  'person-properties': { one: 'person property', many: 'person properties' },
  'group-properties': { one: 'group property', many: 'group properties' },
};
