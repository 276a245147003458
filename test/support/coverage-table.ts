/** Counts how often each of some names was tested, so that a list that grows cannot leave its tests behind. */
export interface CoverageTable {
  /** Notes that a name was tested. */
  saw(name: string): void;
  /** Names that were tested fewer times than they should be; prints the table. */
  missing(): string[];
}

/** A table of what has to be tested at least twice. */
export function createCoverageTable(title: string, names: readonly string[], atLeast = 2): CoverageTable {
  const counts = new Map(names.map((name) => [name, 0]));
  return {
    saw(name) {
      const count = counts.get(name);
      if (count === undefined) throw new Error(`${title} does not know ${name}`);
      counts.set(name, count + 1);
    },
    missing() {
      const width = Math.max(...names.map((name) => name.length));
      const lines = [...counts].map(([name, count]) => `  ${name.padEnd(width)}  ${count}`);
      process.stdout.write(`${title}, and how often each was tested\n${lines.join('\n')}\n`);
      return [...counts].filter(([, count]) => count < atLeast).map(([name]) => name);
    },
  };
}
