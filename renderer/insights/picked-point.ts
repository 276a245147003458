/** A point of an answer, as the persons behind it are asked for (management contract 9.9.2), and its name. */
export interface PickedPoint {
  title: string;
  source: { kind: string; [key: string]: unknown };
}
