import { expect, test } from 'vitest';
import { readWall, wallQuery, withoutWall, type Wall } from './wall.ts';

test('TV mode settings written to a URL are read back unchanged', () => {
  const walls: Wall[] = [
    { playlist: [3, 5, 8], seconds: 20, refresh: 300, theme: 'dark' },
    { playlist: [5, 3], seconds: 5, refresh: 5, theme: 'system' },
  ];
  for (const wall of walls) expect(readWall(wallQuery(wall))).toEqual(wall);
  const one = wallQuery({ playlist: [3], seconds: 20, refresh: 90, theme: 'light' });
  expect(one).toEqual({ kiosk: '', refresh: '90', theme: 'light' });
  const slow: Wall = { playlist: [], seconds: 45, refresh: 60, theme: 'system' };
  expect(readWall(wallQuery(slow))).toEqual(slow);
});

test('an empty or invalid URL is TV mode of one dashboard, refreshed every 60 s, with 20 s for each page', () => {
  const usual: Wall = { playlist: [], seconds: 20, refresh: 60, theme: 'system' };
  expect(readWall({ kiosk: '' })).toEqual(usual);
  expect(readWall({ playlist: 'a,-1,0.5,', refresh: '-3', seconds: '', theme: 'pink' })).toEqual(usual);
  expect(readWall({ refresh: '1', playlist: '4,x,6' })).toEqual({
    playlist: [4, 6],
    seconds: 5,
    refresh: 5,
    theme: 'system',
  });
});

test('query parameters outside TV mode are kept when it is left', () => {
  const query = { ...wallQuery({ playlist: [1, 2], seconds: 9, refresh: 9, theme: 'dark' }), filters: '{}' };
  expect(withoutWall(query)).toEqual({ filters: '{}' });
});
