import { expect, test } from 'vitest';
import { formatHogql } from './hogql-format.ts';

const FUNCTIONS = ['count', 'quantile', 'round', 'toStartOfWeek', 'now', 'lower'];

test('clauses are on lines of their own, keywords in capitals, names as they are', () => {
  const text =
    "select toStartOfWeek(timestamp,1) as week, round(quantile(0.5)(properties.days),1) as m from events where event='invoice paid' and timestamp >= {variables.from} group by week order by week desc limit 10";
  expect(formatHogql(text, FUNCTIONS)).toBe(`SELECT
  toStartOfWeek(timestamp, 1) AS week,
  round(quantile(0.5)(properties.days), 1) AS m
FROM
  events
WHERE
  event = 'invoice paid'
  AND timestamp >= {variables.from}
GROUP BY
  week
ORDER BY
  week DESC
LIMIT
  10`);
});

test.each([
  "SELECT properties.$browser, properties.`$feature/tone` FROM events WHERE lower(event) =~ 'a  b' -- why\n AND x ?? 1 == 2",
  "SELECT arrayMap(x -> x + 1, [1, 2]), tuple(1, 2).1, event AS Count FROM events /* all */ WHERE person_id IN COHORT 'Beta'",
  "SELECT if(a = [1], 'it\\'s', 'b (0.5) (c)') FROM (SELECT 1 AS a) LEFT JOIN persons p ON p.id = a UNION ALL SELECT 1",
])('only white space and the case of keywords change: %s', (text) => {
  const formatted = formatHogql(text, FUNCTIONS);
  const bare = (one: string) => one.replaceAll(/\s/g, '').toLowerCase();
  expect(bare(formatted)).toBe(bare(text));
  for (const literal of text.match(/'(?:[^'\\]|\\.)*'/g) ?? []) expect(formatted).toContain(literal);
  expect(formatHogql(formatted, FUNCTIONS)).toBe(formatted);
});

test('a text that is not SQL throws, so that it stays as it is', () => {
  expect(() => formatHogql("SELECT 'open", FUNCTIONS)).toThrow('Parse error');
});
