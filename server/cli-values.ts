import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

/** A number of bytes, plain or with a unit as DuckDB reads it: `2GB` is 2 x 1000^3, `2GiB` is 2 x 1024^3. */
export function byteSize(least: number, most: number) {
  const message = `must be a size of at least ${least} bytes, such as 2GB, 512MB or 20971520`;
  return z.string().transform((text, context) => {
    const [, number = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
    const bytes = Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
    if (number !== '' && bytes >= least && bytes <= most) return bytes;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

/** A switch: given alone on the command line, or as a word. */
export const flag = z.string().transform((text, context) => {
  const word = text.toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word]!;
  context.addIssue({ code: 'custom', message: 'must be on or off' });
  return z.NEVER;
});

/** Host names: an option given several times, or one text with commas. No scheme, no port. */
export const nameList = z
  .array(z.string())
  .transform((texts) =>
    texts
      .flatMap((text) => text.split(','))
      .map((name) =>
        name
          .trim()
          .toLowerCase()
          .replace(/^\[(.*)\]$/, '$1'),
      ),
  )
  .pipe(
    z.array(z.string().regex(/^[a-z0-9_.-]+$|^[0-9a-f:.]+$/, 'must be a host name without scheme and port')),
  );
