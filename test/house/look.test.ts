import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../../renderer/ui/tokens.css', import.meta.url), 'utf8');

type Theme = 'light' | 'dark';

const declarations = new Map(
  [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!.trim()]),
);

/** The value of a token in a theme, followed through var() and light-dark() to a hex colour. */
function colorOf(token: string, theme: Theme): string {
  const value = declarations.get(token);
  if (value === undefined) throw new Error(`There is no token ${token}`);
  return resolve(value, theme);
}

function resolve(value: string, theme: Theme): string {
  const both = /^light-dark\((.+), (.+)\)$/.exec(value);
  if (both) return resolve(both[theme === 'light' ? 1 : 2]!, theme);
  const other = /^var\((--[\w-]+)\)$/.exec(value);
  return other ? colorOf(other[1]!, theme) : value;
}

/** Contrast ratio of two hex colours (WCAG 2.2, relative luminance). */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

type Three = readonly [number, number, number];
type Matrix = readonly [Three, Three, Three];

/** Red, green and blue as amounts of light, from 0 to 1. */
function linearOf(hex: string): Three {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return [r!, g!, b!];
}

/**
 * What is left of linear light where one kind of cone is missing: Machado, Oliveira and Fernandes, "A physiologically-based
 * model for simulation of color vision deficiency" (2009), severity 1.
 */
const SIGHTS: Record<string, Matrix> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const SRGB_TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Three = [0.95047, 1, 1.08883];

function times(matrix: Matrix, [a, b, c]: Three): Three {
  const [x, y, z] = matrix.map((row) => row[0] * a + row[1] * b + row[2] * c);
  return [x!, y!, z!];
}

/** CIELAB of a colour as an eye sees it. */
function labOf(hex: string, sight: Matrix): Three {
  const [r, g, b] = times(sight, linearOf(hex)).map((channel) => Math.min(1, Math.max(0, channel)));
  const [x, y, z] = times(SRGB_TO_XYZ, [r!, g!, b!]).map((value, at) => {
    const share = value / WHITE[at]!;
    return share > 216 / 24389 ? Math.cbrt(share) : (share * 24389) / 27 / 116 + 16 / 116;
  });
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)];
}

/** Delta E 1976 of two colors: about 2.3 is the smallest visible difference side by side. */
function difference(one: string, other: string, sight: Matrix): number {
  const [a, b] = [labOf(one, sight), labOf(other, sight)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const SURFACES = ['--canvas', '--side', '--surface', '--raised', '--well', '--hover', '--press'];
const TEXTS = ['--ink', '--ink-2', '--ink-3'];
const MEANINGS = ['--green', '--warn', '--red', '--blue'];
const SERIES = [1, 2, 3, 4, 5, 6, 7, 8].map((slot) => `--c-${slot}`);
/** Delta E that neighbours keep in a legend and a stack, and any two of them wherever they meet. */
const APART = { neighbours: 20, any: 10 };
const CODE = ['--syn-key', '--syn-fn', '--syn-str', '--syn-num', '--syn-com'];

describe.each<Theme>(['light', 'dark'])('in the %s theme', (theme) => {
  const ratio = (front: string, back: string) => contrast(colorOf(front, theme), colorOf(back, theme));

  test.each(SURFACES.flatMap((back) => TEXTS.map((front) => [front, back])))(
    '%s is readable on %s',
    (front, back) => {
      expect(ratio(front!, back!)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(MEANINGS)('%s is readable on its soft background and on cards', (token) => {
    expect(ratio(token, `${token}-soft`)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(token, '--surface')).toBeGreaterThanOrEqual(4.5);
  });

  test.each(CODE)('code in %s is readable on a card and on the marked line', (token) => {
    expect(ratio(token, '--surface')).toBeGreaterThanOrEqual(4.5);
    expect(ratio(token, '--accent-soft')).toBeGreaterThanOrEqual(4.5);
  });

  test('the primary action is readable, at rest and on hover', () => {
    expect(ratio('--accent-ink', '--accent')).toBeGreaterThanOrEqual(4.5);
    expect(ratio('--accent-ink', '--accent-hover')).toBeGreaterThanOrEqual(4.5);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('series %i of charts contrasts with the card', (series) => {
    expect(ratio(`--c-${series}`, '--surface')).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(SIGHTS))('series of charts are distinguishable: %s', (_name, sight) => {
    for (const [at, one] of SERIES.entries()) {
      for (const other of SERIES.slice(at + 1)) {
        const isNext = other === SERIES[at + 1] || (at === 0 && other === SERIES.at(-1));
        const least = isNext ? APART.neighbours : APART.any;
        const apart = difference(colorOf(one, theme), colorOf(other, theme), sight);
        expect(apart, `${one} beside ${other}`).toBeGreaterThanOrEqual(least);
      }
    }
  });

  test('icons and the focus ring contrast with their surfaces', () => {
    for (const surface of SURFACES) {
      expect(ratio('--icon', surface)).toBeGreaterThanOrEqual(3);
      expect(ratio('--accent-line', surface)).toBeGreaterThanOrEqual(3);
    }
  });
});
