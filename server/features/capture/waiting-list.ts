/** What waits for an answer, by small numbers that are given again. */
export interface WaitingList<T> {
  /** Returns the number by which it is taken. */
  add(waiter: T): number;
  /** Takes out what was added under this number; once. */
  take(id: number): T;
}

/**
 * Makes an empty list. A Map would do, but V8 links each table that a Map has outgrown to the next one: a table old enough
 * to be collected late keeps alive all that came after it, here every request of some seconds.
 */
export function createWaitingList<T>(): WaitingList<T> {
  const slots: (T | null)[] = [];
  const free: number[] = [];

  return {
    add(waiter) {
      const id = free.pop() ?? slots.length;
      slots[id] = waiter;
      return id;
    },
    take(id) {
      const waiter = slots[id];
      if (waiter === undefined || waiter === null) throw new Error('Nothing waits under this number');
      slots[id] = null;
      free.push(id);
      return waiter;
    },
  };
}
