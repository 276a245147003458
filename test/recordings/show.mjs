// Prints exchanges of a recording: node test/recordings/show.mjs <name> [<line> | <text in path or body>]
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const [name, wanted = ''] = process.argv.slice(2);
const file = new URL(`./answers/${name}.ndjson.br`, import.meta.url);
const lines = brotliDecompressSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
for (const [index, line] of lines.entries()) {
  const { who, method, path, body = '', status, answerHeaders, answer } = JSON.parse(line);
  const isWanted = /^\d+$/.test(wanted) ? index + 1 === Number(wanted) : `${path} ${body}`.includes(wanted);
  if (!isWanted) continue;
  console.log(`${index + 1}. ${who} ${method} ${path} ${body}`);
  console.log(`   ${status} ${JSON.stringify(answerHeaders)}\n   ${answer}\n`);
}
