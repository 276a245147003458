import { expect, test } from 'vitest';
import { isSearched, readPaletteQuery } from './palette-query.ts';

test('a first letter >, @ or # narrows to commands, persons or events', () => {
  expect(readPaletteQuery('> dark ')).toEqual({ scope: 'commands', text: 'dark' });
  expect(readPaletteQuery('@ana')).toEqual({ scope: 'persons', text: 'ana' });
  expect(readPaletteQuery('#')).toEqual({ scope: 'events', text: '' });
});

test('the same letters later are text', () => {
  expect(readPaletteQuery('ana@reyes.example')).toEqual({ scope: null, text: 'ana@reyes.example' });
  expect(readPaletteQuery('a > b #1')).toEqual({ scope: null, text: 'a > b #1' });
});

test('the server is searched from two letters, from none behind @ and #, and never for commands', () => {
  const searched = ['a', 'an', '@', '#a', '>', '>an', '', '  a '].filter((typed) =>
    isSearched(readPaletteQuery(typed)),
  );
  expect(searched).toEqual(['an', '@', '#a']);
});
