import { fail } from '../errors.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NOT_IN_ALPHABET = 255;
const SEXTETS = new Uint8Array(128).fill(NOT_IN_ALPHABET);
for (let i = 0; i < ALPHABET.length; i++) SEXTETS[ALPHABET.charCodeAt(i)] = i;

/** Codes below the dictionary: a literal of 8 bits, one of 16 bits, the end. */
const LITERAL_8 = 0;
const LITERAL_16 = 1;
const END = 2;

const utf16 = new TextDecoder('utf-16le');

/**
 * Undoes lz-string's compressToBase64. Returns null when the text is not its output, and throws payload_too_large as
 * soon as the result passes `maxBytes` (UTF-16, two bytes a character); unpaired surrogates become U+FFFD.
 *
 * The library's own decompressFromBase64 cannot be bounded: a hundred kilobytes of crafted text make gigabytes, and its
 * dictionary holds every phrase as a string of its own. Here a phrase is a stretch of the output written so far, which
 * it always is: the previous phrase and the character behind it.
 */
export function decompressLz64(text: string, maxBytes: number): string | null {
  const bits = new BitReader(text);
  const output = new Output(maxBytes);
  const opening = bits.read(2);
  if (opening === END) return '';
  const first = readLiteral(bits, opening);
  if (first === -1) return null;
  output.push(first);

  // Indexed by code; 3 is the first literal.
  const starts = [0, 0, 0, 0];
  const lengths = [0, 0, 0, 1];
  let width = 3;
  let untilWider = 4;
  function remember(start: number, length: number): void {
    starts.push(start);
    lengths.push(length);
    if (--untilWider === 0) untilWider = 2 ** width++;
  }

  let previousStart = 0;
  let previousLength = 1;
  for (;;) {
    const code = bits.read(width);
    if (code === END) return output.text();
    let length: number;
    if (code === LITERAL_8 || code === LITERAL_16) {
      const unit = readLiteral(bits, code);
      if (unit === -1) return null;
      length = 1;
      remember(output.length, length);
      output.push(unit);
    } else if (code !== -1 && code < starts.length) {
      length = lengths[code]!;
      output.repeat(starts[code]!, length);
    } else if (code === starts.length) {
      // The phrase that this very step is about to add (the one special case of LZW).
      length = previousLength + 1;
      output.repeat(previousStart, length);
    } else {
      return null;
    }
    remember(previousStart, previousLength + 1);
    previousStart = output.length - length;
    previousLength = length;
  }
}

/** The UTF-16 unit behind a literal's code, or -1. */
function readLiteral(bits: BitReader, code: number): number {
  if (code === LITERAL_8) return bits.read(8);
  return code === LITERAL_16 ? bits.read(16) : -1;
}

/** Reads numbers, least significant bit first, from sextets whose most significant bit comes first. */
class BitReader {
  private readonly text: string;
  private at = 0;
  private sextet = 0;
  private left = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next number of `width` bits, or -1 at the end of the text. */
  read(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++) {
      if (this.left === 0) {
        const code = this.at < this.text.length ? this.text.charCodeAt(this.at++) : 128;
        this.sextet = code < 128 ? SEXTETS[code]! : NOT_IN_ALPHABET;
        if (this.sextet === NOT_IN_ALPHABET) return -1;
        this.left = 6;
      }
      this.left--;
      value |= ((this.sextet >> this.left) & 1) << i;
    }
    return value;
  }
}

/** UTF-16 text that grows up to a limit and repeats stretches of itself. */
class Output {
  length = 0;
  private units = new Uint16Array(4096);
  private readonly maxUnits: number;

  constructor(maxBytes: number) {
    this.maxUnits = Math.floor(maxBytes / 2);
  }

  push(unit: number): void {
    this.reserve(1);
    this.units[this.length++] = unit;
  }

  repeat(start: number, length: number): void {
    this.reserve(length);
    const whole = Math.min(length, this.length - start);
    this.units.copyWithin(this.length, start, start + whole);
    if (whole < length) this.units[this.length + whole] = this.units[start]!;
    this.length += length;
  }

  text(): string {
    return utf16.decode(this.units.subarray(0, this.length));
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed > this.maxUnits) throw fail('payload_too_large');
    if (needed <= this.units.length) return;
    const grown = new Uint16Array(Math.min(this.maxUnits, Math.max(needed, this.units.length * 2)));
    grown.set(this.units.subarray(0, this.length));
    this.units = grown;
  }
}
