import type { CopyJson } from '../../../server/features/copies/copies.contract.ts';

export const COPY_STATES: Readonly<
  Record<CopyJson['state'], { label: string; tone: 'green' | 'warn' | 'neutral' }>
> = {
  running: { label: 'copying', tone: 'neutral' },
  checked: { label: 'dry run done', tone: 'neutral' },
  done: { label: 'copied', tone: 'green' },
  failed: { label: 'stopped', tone: 'warn' },
  canceled: { label: 'canceled', tone: 'warn' },
  interrupted: { label: 'interrupted', tone: 'warn' },
};
