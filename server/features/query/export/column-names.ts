const MAX_LENGTH = 100;

/**
 * Names for the columns of a file, each once: letters, digits and a few signs of the names that a query gave, so that
 * nothing of them can mean anything in a statement or a spreadsheet.
 */
export function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll(/[^\p{L}\p{N}_.() $%:/*-]+/gu, '_').slice(0, MAX_LENGTH) || 'column';
    let unique = plain;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${plain}_${count}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
