import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** What is stored of one writer: name -> value. */
export type State<T> = ReadonlyMap<string, T>;

/**
 * What the store must hold of a writer that sends one request after the other: all that was acknowledged, and of a
 * request that a kill has ended everything or nothing.
 */
export class WriteModel<T> {
  state: State<T> = new Map();
  private inFlight: State<T> | null = null;
  acknowledged = 0;
  /** Requests that a kill has ended, by what became of them. */
  ended = { whole: 0, nothing: 0 };

  /** Notes what a request that is about to be sent will have changed. */
  begin(next: State<T>): void {
    this.inFlight = next;
  }

  acknowledge(): void {
    this.state = this.inFlight!;
    this.inFlight = null;
    this.acknowledged += 1;
  }

  /** Fails unless `stored` is what was acknowledged, or that and the whole request in flight. */
  settle(stored: State<T>, what: string): void {
    const whole = this.inFlight;
    this.inFlight = null;
    if (whole !== null && isDeepStrictEqual(new Map(stored), new Map(whole))) {
      this.state = whole;
      this.ended.whole += 1;
      return;
    }
    if (whole !== null) this.ended.nothing += 1;
    expect(differences(stored, this.state), what).toEqual([]);
  }
}

function differences<T>(stored: State<T>, wanted: State<T>): object[] {
  const names = new Set([...stored.keys(), ...wanted.keys()]);
  return [...names].flatMap((name) => {
    const [is, expected] = [stored.get(name), wanted.get(name)];
    return isDeepStrictEqual(is, expected) ? [] : [{ name, stored: is, wanted: expected }];
  });
}

/** Whether a request failed because the process at the other end was killed. */
export function isBrokenConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code ?? '');
}
