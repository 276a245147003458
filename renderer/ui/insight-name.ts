interface Named {
  name?: string | null | undefined;
  derived_name?: string | null | undefined;
}

/** What an insight is called: its own name, else the one that is derived from its query. */
export function insightName({ name, derived_name }: Named): string {
  return name || derived_name || 'Untitled insight';
}
