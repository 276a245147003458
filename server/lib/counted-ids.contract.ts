/** Distinct IDs of a file beyond these are not counted, and rows without an ID not compared. */
export const COUNTED_IDS = 16_777_216;
