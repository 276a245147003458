/** Names of columns that hold ids of persons; without one of them the first column counts, from the first line on. */
const ID_COLUMNS = ['distinct_id', 'distinct id', 'distinctid', 'person_id', 'person id', 'uuid', 'id'];

/**
 * The ids that a CSV file names, each once, in their order: of the column called distinct_id, person_id or the like, else
 * of the first. Quoted fields, commas, semicolons and tabs are understood (RFC 4180 and what spreadsheets make of it).
 */
export function readCsvIds(text: string): string[] {
  const ids = new Set<string>();
  let column: number | null = null;
  for (const fields of rowsOf(text.replace(/^\uFEFF/, ''))) {
    if (column === null) {
      const named = fields.findIndex((field) => ID_COLUMNS.includes(field.trim().toLowerCase()));
      column = Math.max(named, 0);
      if (named >= 0) continue;
    }
    const id = fields[column]?.trim() ?? '';
    if (id !== '') ids.add(id);
  }
  return [...ids];
}

function* rowsOf(text: string): Generator<string[]> {
  const separator = separatorOf(text);
  let fields: string[] = [];
  for (let at = 0; at < text.length;) {
    let field = '';
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const rest = nextEnd(text, at, separator);
    field += text.slice(at, rest);
    fields.push(field);
    at = rest + 1;
    if (text[rest] === separator && at < text.length) continue;
    if (text[rest] === separator) fields.push('');
    yield fields;
    fields = [];
    if (text[rest] === '\r' && text[at] === '\n') at++;
  }
}

/** Detects the separator of fields from the first line. */
function separatorOf(text: string): string {
  const line = text.slice(0, nextEnd(text, 0, '\n'));
  if (line.includes(',')) return ',';
  return line.includes(';') ? ';' : line.includes('\t') ? '\t' : ',';
}

/** Where the quoted field ends; one that is not closed ends with the text. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    if (text[at + 1] !== '"') return at;
  }
}

function nextEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
