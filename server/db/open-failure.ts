import type { StoreOpenReason } from './messages.ts';

/** The database could not be opened; `message` is a sentence for the person who started Burrow. */
export class OpenFailure extends Error {
  readonly reason: StoreOpenReason;
  readonly holderPid: number | null;

  constructor(reason: StoreOpenReason, message: string, holderPid: number | null = null) {
    super(message);
    this.reason = reason;
    this.holderPid = holderPid;
  }
}
