import type { CopyJson } from '../../../server/features/copies/copies.contract.ts';

interface StateLabel {
  label: string;
  tone: 'green' | 'warn' | 'neutral';
}

const STATES: Readonly<Record<CopyJson['state'], StateLabel>> = {
  running: { label: 'copying', tone: 'neutral' },
  checked: { label: 'dry run done', tone: 'neutral' },
  done: { label: 'copied', tone: 'green' },
  failed: { label: 'stopped', tone: 'warn' },
  canceled: { label: 'canceled', tone: 'warn' },
  interrupted: { label: 'interrupted', tone: 'warn' },
};

export function copyState({ state }: Pick<CopyJson, 'state'>): StateLabel {
  return STATES[state];
}
