import { expect, test } from 'vitest';
import { ApiFailure } from '../api/http.ts';
import { explainFailure, explainUndone } from './explain-failure.ts';

const damaged = new ApiFailure(503, 'database_unavailable', 'The database is damaged. Go back to a backup.');

test('a damaged database is explained with its own advice only', () => {
  expect(explainFailure(damaged, 'the latest events').text).toBe(
    'The database is damaged. Go back to a backup.',
  );
  expect(explainUndone(damaged, 'The flag could not be saved')).toEqual({
    title: 'The flag could not be saved',
    text: 'The database is damaged. Go back to a backup.',
  });
});

test('any other server error can be retried', () => {
  const failure = new ApiFailure(500, 'error', 'A server error occurred.');
  expect(explainFailure(failure, 'the flag').text).toMatch(/Nothing was lost\. Try again/);
  expect(explainUndone(failure, 'The flag could not be saved').text).toBe(
    'A server error occurred. Try again.',
  );
});
