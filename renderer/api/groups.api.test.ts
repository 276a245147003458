import { expect, test } from 'vitest';
import { cursorOf } from './groups.api.ts';

test('the cursor of the next page is read from its URL', () => {
  expect(cursorOf('http://127.0.0.1:1/api/projects/1/groups/?group_type_index=0&cursor=a%2Bb%3D')).toBe(
    'a+b=',
  );
  expect(cursorOf(null)).toBeNull();
});
