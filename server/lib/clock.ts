/** The current time in Unix milliseconds. An argument everywhere, so that tests decide what "now" is. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
