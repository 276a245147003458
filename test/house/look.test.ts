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
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

const SURFACES = ['--canvas', '--side', '--surface', '--raised', '--well', '--hover', '--press'];
const TEXTS = ['--ink', '--ink-2', '--ink-3'];
const MEANINGS = ['--green', '--warn', '--red', '--blue'];
const CODE = ['--syn-key', '--syn-fn', '--syn-str', '--syn-num', '--syn-com'];

describe.each<Theme>(['light', 'dark'])('in the %s theme', (theme) => {
  const ratio = (front: string, back: string) => contrast(colorOf(front, theme), colorOf(back, theme));

  test.each(SURFACES.flatMap((back) => TEXTS.map((front) => [front, back])))(
    '%s can be read on %s',
    (front, back) => {
      expect(ratio(front!, back!)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(MEANINGS)('%s can be read on its soft background and on cards', (token) => {
    expect(ratio(token, `${token}-soft`)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(token, '--surface')).toBeGreaterThanOrEqual(4.5);
  });

  test.each(CODE)('code in %s can be read on a card and on the marked line', (token) => {
    expect(ratio(token, '--surface')).toBeGreaterThanOrEqual(4.5);
    expect(ratio(token, '--accent-soft')).toBeGreaterThanOrEqual(4.5);
  });

  test('the primary action can be read, at rest and under the mouse', () => {
    expect(ratio('--accent-ink', '--accent')).toBeGreaterThanOrEqual(4.5);
    expect(ratio('--accent-ink', '--accent-hover')).toBeGreaterThanOrEqual(4.5);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('series %i of charts stands out from the card', (series) => {
    expect(ratio(`--c-${series}`, '--surface')).toBeGreaterThanOrEqual(3);
  });

  test('icons and the focus ring stand out from what they lie on', () => {
    for (const surface of SURFACES) {
      expect(ratio('--icon', surface)).toBeGreaterThanOrEqual(3);
      expect(ratio('--accent-line', surface)).toBeGreaterThanOrEqual(3);
    }
  });
});
