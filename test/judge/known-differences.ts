/** Calls whose value differs from that of ClickHouse, with the reason; `docs/differences.md` lists them. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map([]);
