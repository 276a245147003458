import type { IngestionReport } from '../../api/ingestion.api.ts';

/** One term of the account. `sign` stands before it: received = stored + twice + dropped. */
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
    part('Received', received, '', 'Every event that an accepted request carried.'),
    part('Stored', stored, '=', 'In the file, and found by every question.'),
    part('Came twice', duplicates, '+', 'Sent again with the same uuid, as SDKs do, and stored once.'),
    ...(inspected > 0
      ? [part('Only shown', inspected, '+', 'This project is for inspection: shown live and not kept.')]
      : []),
    {
      ...part('Dropped', dropped, '+', 'Answered with 200, as the API promises, and not kept.'),
      isBad: dropped > 0,
    },
  ];
}

function part(label: string, count: number, sign: FlowPart['sign'], hint: string): FlowPart {
  return { label, count, sign, hint, isBad: false };
}
