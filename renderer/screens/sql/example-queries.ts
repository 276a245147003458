export interface ExampleQuery {
  title: string;
  teaches: string;
  text: string;
}

/** Three questions over events that this project has: counting, time, and persons. */
export function exampleQueries(events: readonly string[]): ExampleQuery[] {
  const event = events.find((name) => !name.startsWith('$')) ?? events[0] ?? '$pageview';
  const literal = `'${event.replace(/[\\']/g, '\\$&')}'`;
  return [
    {
      title: 'Most frequent events',
      teaches: 'Count, group and order.',
      text: `SELECT\n  event,\n  count() AS times,\n  uniq(person_id) AS persons\nFROM events\nWHERE timestamp >= today() - 30\nGROUP BY event\nORDER BY times DESC`,
    },
    {
      title: `“${event}” per day`,
      teaches: 'Days use the project time zone. A date in the first column is drawn as a line.',
      text: `SELECT\n  toStartOfDay(timestamp) AS day,\n  count() AS times\nFROM events\nWHERE event = ${literal}\n  AND timestamp >= today() - 30\nGROUP BY day\nORDER BY day`,
    },
    {
      title: `Persons with the most “${event}” events`,
      teaches: 'Use person. to access person properties.',
      text: `SELECT\n  person.properties.email AS email,\n  count() AS times,\n  max(timestamp) AS last_time\nFROM events\nWHERE event = ${literal}\nGROUP BY email\nORDER BY times DESC\nLIMIT 20`,
    },
  ];
}
