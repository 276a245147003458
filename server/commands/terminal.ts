import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Clock } from '../lib/clock.ts';

/** Where a command runs. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Fires at Ctrl+C, at another request to end, and when the reader of the output has left. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** How a server is started on the data folder. */
  readonly startCommand: string;
}

/** A command cannot do what it is for; `message` is a sentence. The process ends with exit code 1. */
export class CommandError extends Error {}

/** Whether the output has colors (no-color.org). */
export function hasColor({ stdout, env }: Terminal, noColor: boolean): boolean {
  return stdout.isTTY === true && !noColor && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Columns of a line; without limit where the output is no terminal. */
export function widthOfTerminal({ stdout }: Terminal): number {
  return stdout.isTTY === true ? (stdout.columns ?? 80) : Number.MAX_SAFE_INTEGER;
}

export type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow';

export function styled(style: Style, text: string, isColored: boolean): string {
  return isColored ? styleText(style, text, { validateStream: false }) : text;
}

/** What a terminal would obey instead of show: control characters, and marks that turn the direction of a line. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text of an event or a query on one line, which cannot move the cursor, set a title or hide what follows. */
export function shown(text: string): string {
  return text.replaceAll(UNSHOWN, escaped);
}

/** JSON text that a terminal shows as it is; it remains the same JSON. */
export function shownJson(json: string): string {
  return json.replaceAll(/[\x7f-\x9f]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const GRAPHEMES = new Intl.Segmenter('en');
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns of the terminal that a text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text, or its beginning and an ellipsis where it takes more than `columns`. */
export function fitted(text: string, columns: number): string {
  if (text.length <= columns && PLAIN.test(text)) return text;
  // A character takes at least one column, so what follows cannot fit.
  const near = text.slice(0, 8 * columns + 8);
  if (near.length === text.length && widthOf(text) <= columns) return text;
  let [width, kept] = [0, ''];
  for (const { segment } of GRAPHEMES.segment(near)) {
    width += WIDE.test(segment) ? 2 : 1;
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padded(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

/** Writes and waits while the reader is behind; ends with the signal. */
export async function write({ stdout, signal }: Terminal, text: string | Buffer): Promise<void> {
  if (stdout.write(text) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stdout.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stdout.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Writes data, unchanged to a file or a pipe; a terminal shows what it would obey. */
export async function writeData(terminal: Terminal, data: string | Buffer): Promise<void> {
  const isShown = terminal.stdout.isTTY === true && typeof data === 'string';
  await write(terminal, isShown ? data.split('\n').map(shownLine).join('\n') : data);
}

/** The same with its tabs. */
export function shownLine(line: string): string {
  return line.split('\t').map(shown).join('\t');
}

const COUNT = new Intl.NumberFormat('en');

/** `1 event`, `1,204 events`. */
export function counted(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `512 B`, `12.3 MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [size, unit] = [bytes, 0];
  while (size >= 999.95 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
