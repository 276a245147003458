import type { Imported } from '../capture/index.ts';
import { timeZone } from '../../lib/time-zone.ts';
import { COUNTED_IDS } from '../../lib/counted-ids.contract.ts';
import { eventLine, isoOf, uuidOf, type MappedEvent } from './event-line.ts';
import { FORMATS, recognized, sumsIn } from './formats/index.ts';
import { guessColumns } from './formats/custom.ts';
import { HashSet } from './hash-set.ts';
import { ImportError, RowProblem } from './import-error.ts';
import type { FileSample, MapContext } from './import-format.ts';
import type {
  ImportPreviewJson,
  ImportReportJson,
  ImportSettings,
  PreviewRow,
  SentSettings,
} from './imports.contract.ts';
import { dateOrderOf, type TimeForm } from './read-time.ts';
import { keptText, rejectedHeader, rejectedLine } from './read/rejected-line.ts';
import { openFile, type FileForm, type OpenedFile, type SourceRow } from './read/rows.ts';

/** A file that was uploaded. */
export interface ImportFile {
  readonly path: string;
  /** As its owner has called it. */
  readonly name: string;
}

export interface RunOrder extends ImportFile {
  readonly settings: ImportSettings;
  /** Of the project. */
  readonly token: string;
  /** Rows whose events are stored already: they are read, and not sent again. */
  readonly storedRows: number;
}

/** What was read since the last piece. */
export interface ImportPiece {
  /** Rows of the file so far. */
  readonly rows: number;
  readonly progress: number;
  /** A body of `/batch/`; null: it has no events that are to be sent. */
  readonly batch: Uint8Array<ArrayBuffer> | null;
  /** Of its events, and which of the rows below each is from. */
  readonly uuids: readonly string[];
  readonly rowOf: readonly number[];
  /** Rows of its events: their numbers, and what `refusedLine` needs of them. */
  readonly rowNumbers: readonly number[];
  readonly rowTexts: readonly string[];
  readonly form: Pick<FileForm, 'kind' | 'columns' | 'separator'>;
  /** Of all events so far. */
  readonly report: Omit<ImportReportJson, 'known_events'>;
  /** The next lines of the file of rows that were not taken, and its header where it has one. */
  readonly rejected: string;
  readonly rejectedHeader: string;
  readonly imported: Imported;
}

/** Bytes of a batch: large ones take a lane of their own in the store thread, so that other senders need not wait. */
const BATCH_BYTES = 1_200_000;
/** More would be stored in pieces, without an answer for each event. */
const BATCH_EVENTS = 8_000;
/** Rows after which a piece ends that has few events. */
const PIECE_ROWS = 50_000;
const SAMPLE_ROWS = 200;
/** A file may have hardly a row in gigabytes. */
const SAMPLE_CHARACTERS = 33_554_432;
const PREVIEW_ROWS = 20;
/** Rows that have come before and are numbered among their equals. */
const MAX_REPEATED = 1_000_000;
/** Names of events that are counted, and shown. */
const [COUNTED_NAMES, SHOWN_NAMES] = [10_000, 20] as const;

/** What the file seems to be, and what its first rows become with these settings. Throws ImportError. */
export async function previewImport(
  { path, name }: ImportFile,
  sent: SentSettings,
): Promise<ImportPreviewJson> {
  const file = await openFile(path, name);
  try {
    const sample = await sampleOf(file, name);
    const guessed = recognized(sample);
    const settings = settingsOf(sent, sample);
    const refusal = sumsIn(sample);
    const { form } = file;
    return {
      container: form.container,
      kind: form.kind,
      encoding: form.encoding,
      separator: form.separator,
      files: form.files.slice(0, 100),
      guessed_format: guessed,
      refusal,
      columns: sample.columns.map((column) => ({ column, sample: firstValue(sample, column) })),
      settings,
      rows: refusal === null ? previewRows(sample, settings, form) : [],
    };
  } finally {
    file.close();
  }
}

async function sampleOf(file: OpenedFile, name: string): Promise<FileSample> {
  const rows: SourceRow[] = [];
  const begin = { characters: SAMPLE_CHARACTERS };
  try {
    for await (const piece of file.rows(begin)) {
      rows.push(...piece.slice(0, SAMPLE_ROWS - rows.length));
      if (rows.length >= SAMPLE_ROWS) break;
    }
  } catch (error) {
    // Where the sample ends, a row may be open.
    if (begin.characters > 0) throw error;
  }
  const { kind, columns } = file.form;
  const named = columns.length > 0 ? columns : namesIn(rows);
  return { kind, fileName: file.form.files[0] ?? name, columns: named, rows };
}

function namesIn(rows: readonly SourceRow[]): string[] {
  const names = new Set<string>();
  for (const { value } of rows) for (const name of Object.keys(value)) if (names.size < 500) names.add(name);
  return [...names];
}

function firstValue({ rows }: FileSample, column: string): string {
  for (const { value } of rows) {
    const held = value[column];
    if (held === undefined || held === null || held === '') continue;
    return (typeof held === 'object' ? JSON.stringify(held) : String(held)).slice(0, 200);
  }
  return '';
}

const DEFAULTS: ImportSettings = {
  format: 'custom',
  time_zone: 'UTC',
  date_order: 'auto',
  columns: [],
  event_name: '',
  group_type: 'company',
  host: '',
  bots: false,
};

function settingsOf(sent: SentSettings, sample: FileSample): ImportSettings {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const settings: ImportSettings = { ...DEFAULTS, format: recognized(sample), ...given };
  if (settings.format !== 'custom' || settings.columns.length > 0) return settings;
  return { ...settings, columns: guessColumns(sample) };
}

/** Dates that can be read in two ways are read as all of the first rows show it. */
function timeFormOf(
  { time_zone: zone, date_order: order, columns }: ImportSettings,
  rows: readonly SourceRow[],
): TimeForm {
  const column = columns.find(({ becomes }) => becomes === 'timestamp')?.column;
  const shown = column === undefined ? null : dateOrderOf(rows.map(({ value }) => value[column]));
  return { zone: timeZone(zone), dateOrder: order === 'auto' ? shown : order };
}

function previewRows(sample: FileSample, settings: ImportSettings, { kind }: FileForm): PreviewRow[] {
  let current: { events: MappedEvent[]; leftOut: string | null } = { events: [], leftOut: null };
  const context: MapContext = {
    settings,
    kind,
    time: timeFormOf(settings, sample.rows),
    emit: (event) => void current.events.push(event),
    leaveOut: (reason) => void (current.leftOut = reason),
  };
  const take = FORMATS[settings.format].open(context);
  return sample.rows.slice(0, PREVIEW_ROWS).map((row) => {
    current = { events: [], leftOut: null };
    const shown: PreviewRow['events'] = [];
    let problem = row.problem ?? null;
    try {
      if (problem === null) take(row);
      for (const event of current.events) shown.push(shownEvent(event, row));
    } catch (error) {
      problem = reasonOf(error);
    }
    return { row: row.number, events: shown, problem, left_out: problem === null ? current.leftOut : null };
  });
}

function shownEvent(event: MappedEvent, row: SourceRow): PreviewRow['events'][number] {
  const uuid = event.uuid ?? uuidOf(`row|${rowText(row)}|0`);
  const { properties } = JSON.parse(eventLine(event, uuid)) as { properties: Record<string, unknown> };
  return {
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: isoOf(event.timestamp),
    uuid,
    properties,
  };
}

function rowText({ text, fields }: SourceRow): string {
  return text ?? fields!.join('\u001f');
}

/** Faults of a row that no format foresaw are its own too. */
function reasonOf(error: unknown): string {
  if (error instanceof ImportError) throw error;
  return error instanceof RowProblem ? error.message : 'The row is not of this format';
}

const MAX_REASONS = 100;
const OTHER_REASONS = 'Other reasons';

class Reasons {
  readonly #byReason = new Map<string, { reason: string; count: number; row: number }>();

  note(reason: string, row: number): void {
    const isFull = this.#byReason.size >= MAX_REASONS && !this.#byReason.has(reason);
    const key = isFull ? OTHER_REASONS : reason;
    const known = this.#byReason.get(key);
    if (known !== undefined) known.count++;
    else this.#byReason.set(key, { reason: key, count: 1, row });
  }

  list(): { reason: string; count: number; row: number }[] {
    return [...this.#byReason.values()].map((one) => ({ ...one })).toSorted((a, b) => b.count - a.count);
  }
}

/**
 * Reads a file from its first row to its last, and what its rows become. The same file and settings give the same events
 * with the same UUIDs, so that an import that was ended anywhere goes on with the rows that are not stored. Throws
 * ImportError.
 */
export async function* readImport(order: RunOrder, maxIds = COUNTED_IDS): AsyncGenerator<ImportPiece> {
  const { settings, token, storedRows } = order;
  const file = await openFile(order.path, order.name);
  try {
    const sample = await sampleOf(file, order.name);
    const refusal = sumsIn(sample);
    if (refusal !== null) throw new ImportError(refusal);
    const format = FORMATS[settings.format];
    const { form } = file;
    const { kind, columns, separator } = form;
    const header = rejectedHeader(form);
    const begin = `{"api_key":${JSON.stringify(token)},"historical_migration":true,"batch":[`;
    const reader = createRowReader(settings, form, timeFormOf(settings, sample.rows), maxIds);
    let rows = 0;
    let rowsInPiece = 0;
    const piece = (): ImportPiece => {
      const { lines, ...taken } = reader.take();
      rowsInPiece = 0;
      return {
        ...taken,
        rows,
        progress: file.progress(),
        batch: lines.length === 0 ? null : encoded(`${begin}${lines.join(',')}]}`),
        form: { kind, columns, separator },
        report: reader.report(rows),
        rejectedHeader: header,
        imported: format.imported,
      };
    };
    for await (const some of file.rows()) {
      for (const row of some) {
        rows++;
        rowsInPiece++;
        reader.read(row, rows > storedRows);
        if (reader.isFull() || rowsInPiece >= PIECE_ROWS) yield piece();
      }
    }
    yield { ...piece(), progress: 1 };
  } finally {
    file.close();
  }
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function createRowReader(settings: ImportSettings, form: FileForm, time: TimeForm, maxIds: number) {
  const problems = new Reasons();
  const leftOut = new Reasons();
  const distinctIds = new HashSet(maxIds);
  const namelessRows = new HashSet(maxIds);
  /** How often a row has come that came before. */
  const repeated = new Map<string, number>();
  const names = new Map<string, number>();
  const totals = { rows: 0, events: 0, byPlace: 0, rejected: 0, first: Infinity, last: -Infinity };
  let lines: string[] = [];
  let uuids: string[] = [];
  let rowOf: number[] = [];
  let rowNumbers: number[] = [];
  let rowTexts: string[] = [];
  /** Index of the current row in them; null: it has no events so far. */
  let currentIndex: number | null = null;
  let rejected: string[] = [];
  let bytes = 0;
  let current: SourceRow;
  let isSent = false;

  function uuidOfRow(): string {
    const text = rowText(current);
    const first = uuidOf(`row|${text}|0`);
    const isKnown = namelessRows.has(first);
    const earlier = repeated.get(first);
    if (isKnown ? earlier === undefined && repeated.size >= MAX_REPEATED : namelessRows.isFull) {
      totals.byPlace++;
      return uuidOf(`row|${text}|in place ${totals.rows}`);
    }
    if (!isKnown) {
      namelessRows.add(first);
      return first;
    }
    const count = (earlier ?? 0) + 1;
    repeated.set(first, count);
    return uuidOf(`row|${text}|${count}`);
  }

  function emit(event: MappedEvent): void {
    const uuid = event.uuid ?? uuidOfRow();
    const line = eventLine(event, uuid);
    totals.events++;
    totals.first = Math.min(totals.first, event.timestamp);
    totals.last = Math.max(totals.last, event.timestamp);
    if (!distinctIds.isFull) distinctIds.add(event.distinctId);
    const count = names.get(event.event);
    if (count !== undefined || names.size < COUNTED_NAMES) names.set(event.event, (count ?? 0) + 1);
    if (!isSent) return;
    lines.push(line);
    uuids.push(uuid);
    if (currentIndex === null) {
      currentIndex = rowNumbers.length;
      rowNumbers.push(current.number);
      rowTexts.push(keptText(current, form));
    }
    rowOf.push(currentIndex);
    bytes += line.length;
  }

  const takeRow = FORMATS[settings.format].open({
    settings,
    kind: form.kind,
    time,
    emit,
    leaveOut: (reason) => leftOut.note(reason, current.number),
  });

  function reject(row: SourceRow, reason: string): void {
    totals.rejected++;
    problems.note(reason, row.number);
    rejected.push(rejectedLine(row, reason, form));
  }

  return {
    read(row: SourceRow, isNew: boolean): void {
      current = row;
      totals.rows++;
      currentIndex = null;
      isSent = isNew;
      if (row.problem !== undefined) return reject(row, row.problem);
      try {
        takeRow(row);
      } catch (error) {
        reject(row, reasonOf(error));
      }
    },
    isFull: () => bytes >= BATCH_BYTES || lines.length >= BATCH_EVENTS,
    take() {
      const taken = { lines, uuids, rowOf, rowNumbers, rowTexts, rejected: rejected.join('') };
      [lines, uuids, rowOf, rowNumbers, rowTexts, rejected, bytes] = [[], [], [], [], [], [], 0];
      return taken;
    },
    report: (rows: number): ImportPiece['report'] => ({
      rows,
      events: totals.events,
      distinct_ids: distinctIds.size,
      events_by_place: totals.byPlace,
      rejected: totals.rejected,
      problems: problems.list(),
      left_out: leftOut.list(),
      names: [...names]
        .map(([event, count]) => ({ event, count }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, SHOWN_NAMES),
      first_event: totals.events === 0 ? null : isoOf(totals.first),
      last_event: totals.events === 0 ? null : isoOf(totals.last),
    }),
  };
}
