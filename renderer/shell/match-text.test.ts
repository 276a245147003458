import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCommands } from './find-commands.ts';
import { markRanges, matchText } from './match-text.ts';

const marked = (query: string, text: string) => {
  const match = matchText(query, text);
  return (
    match &&
    markRanges(text, match.ranges)
      .filter(({ isMatch }) => isMatch)
      .map((piece) => piece.text)
  );
};

describe('finding', () => {
  test('a match at the start of a word is preferred to one inside a word', () => {
    expect(matchText('the', 'Bathe the dog')?.ranges).toEqual([[6, 9]]);
  });

  test('letters are found in order, at the starts of words where that works', () => {
    expect(marked('cpk', 'Copy project API key')).toEqual(['C', 'p', 'k']);
    expect(matchText('kpc', 'Copy project API key')).toBeNull();
  });

  test('case and surrounding spaces do not matter', () => {
    expect(marked('  LIVE ', 'Go live')).toEqual(['live']);
  });

  test('an empty query matches any text and marks none of it', () => {
    expect(matchText('', 'Anything')).toEqual({ score: 0, ranges: [] });
  });

  test('marked and unmarked pieces add up to the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (query, text) => {
        const match = matchText(query, text);
        if (match === null) return;
        const pieces = markRanges(text, match.ranges);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      }),
    );
  });

  test('every text is found by any of its substrings', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z ]{3,30}$/), fc.nat(), fc.nat(), (text, from, length) => {
        const piece = text.slice(from % text.length).slice(0, 1 + (length % 5));
        expect(matchText(piece, text)).not.toBeNull();
      }),
    );
  });
});

describe('the list of commands', () => {
  const commands = [
    { group: 'Go to', label: 'Live' },
    { group: 'Projects', label: 'Alive and well' },
    { group: 'Do', label: 'Light theme' },
  ];

  test('keeps its order without a query', () => {
    expect(findCommands(commands, '').map(({ name }) => name)).toEqual(['Go to', 'Projects', 'Do']);
  });

  test('starts with the group of the best match', () => {
    expect(findCommands(commands, 'live').map(({ name }) => name)).toEqual(['Go to', 'Projects']);
    expect(findCommands(commands, 'theme').map(({ name }) => name)).toEqual(['Do']);
  });

  test('is empty when no command matches', () => {
    expect(findCommands(commands, 'zzz')).toEqual([]);
  });
});
