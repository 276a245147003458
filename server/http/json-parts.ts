const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS_LIST = 0x5b;
const OPENS_OBJECT = 0x7b;

/** Counts the objects and lists of JSON text that comes in pieces: one takes three bytes of text and hundreds of memory. */
export interface PartCounter {
  /** Reads the next piece; returns the count so far. */
  add(piece: Uint8Array): number;
}

export function createPartCounter(): PartCounter {
  let parts = 0;
  let isInString = false;
  let isEscaped = false;
  return {
    add(piece) {
      for (let at = 0; at < piece.length; at++) {
        const byte = piece[at];
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) isInString = true;
        else if (byte === OPENS_OBJECT || byte === OPENS_LIST) parts++;
      }
      return parts;
    },
  };
}

/** Whether JSON text holds more objects and lists than these. */
export function holdsMoreParts(json: Uint8Array, most: number): boolean {
  return json.length >= most * 3 && createPartCounter().add(json) > most;
}
