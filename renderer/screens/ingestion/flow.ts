import type { IngestionReport } from '../../../server/features/ingestion/ingestion.contract.ts';

/** One term of the sum. `sign` precedes it: received = stored + twice + dropped. */
export interface FlowPart {
  label: string;
  count: number;
  sign: '' | '=' | '+';
  hint: string;
  isBad: boolean;
}

/** Received, and the parts that it is the sum of. */
export function flowOf({ received, stored, duplicates, inspected, dropped }: IngestionReport): FlowPart[] {
  return [
    part('Received', received, '', 'All events in accepted requests.'),
    part('Stored', stored, '=', 'Stored and available to queries.'),
    part('Duplicates', duplicates, '+', 'Sent again by an SDK with the same uuid, and stored once.'),
    ...(inspected > 0
      ? [
          part(
            'Shown live only',
            inspected,
            '+',
            'This project is set to inspect only: events are shown live and not stored.',
          ),
        ]
      : []),
    {
      ...part('Dropped', dropped, '+', 'Accepted with status 200, as the API requires, but not stored.'),
      isBad: dropped > 0,
    },
  ];
}

function part(label: string, count: number, sign: FlowPart['sign'], hint: string): FlowPart {
  return { label, count, sign, hint, isBad: false };
}
