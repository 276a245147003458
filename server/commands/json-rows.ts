import { createInterface } from 'node:readline';
import { CommandError } from './terminal.ts';

/** The rows of a list that the server exports as JSON, one in each line. Throws CommandError for a list without its end. */
export async function* jsonRows(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let isWhole = false;
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    isWhole = line.endsWith(']');
    // Each line ends with a comma or with the list.
    const row = line.slice(line.startsWith('[') ? 1 : 0, -1);
    if (row !== '') yield row;
  }
  if (!isWhole) throw new CommandError('The server has closed the connection.');
}
