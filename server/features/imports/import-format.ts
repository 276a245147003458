import type { Imported } from '../capture/index.ts';
import type { MappedEvent } from './event-line.ts';
import type { ImportSettings } from './imports.contract.ts';
import type { TimeForm } from './read-time.ts';
import type { RowKind, SourceRow } from './read/rows.ts';

/** The first rows of a file, by which its format is recognized. */
export interface FileSample {
  readonly kind: RowKind;
  readonly fileName: string;
  /** Of CSV and Parquet, else the members of the first rows. */
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
}

export interface MapContext {
  readonly settings: ImportSettings;
  readonly time: TimeForm;
  readonly kind: RowKind;
  emit(event: MappedEvent): void;
  /** The row is none of an event, and nothing is wrong with it. */
  leaveOut(reason: string): void;
}

/** A kind of file that becomes events without a mapping of columns, or the one with it. */
export interface ImportFormat {
  /** Whether places are looked up for addresses in the events. */
  readonly imported: Imported;
  recognizes(sample: FileSample): boolean;
  /** Begins a file; returns what takes its rows. Rows are taken in their order, and from the first one on. */
  open(context: MapContext): (row: SourceRow) => void;
}

export function hasColumns({ columns }: FileSample, ...names: readonly string[]): boolean {
  return names.every((name) => columns.includes(name));
}
