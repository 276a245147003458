import { canBeHot, hotKey, type HotProperty } from './hot-column.ts';

/** How often properties are asked for. What was asked a day ago counts half. */
export interface HotHeat {
  add(property: HotProperty, times: number): void;
  of(property: HotProperty): number;
  /** Those asked for, most often first. */
  hottest(): (HotProperty & { asked: number })[];
}

const HALVED_AFTER_MS = 86_400_000;
/** Beyond so many properties the less asked half is forgotten. */
const KEPT = 2_000;

/** `now` in Unix milliseconds. */
export function createHotHeat(now: () => number): HotHeat {
  const heat = new Map<string, HotProperty & { asked: number }>();
  let since = now();

  function cool(): void {
    const halvings = Math.floor((now() - since) / HALVED_AFTER_MS);
    if (halvings <= 0) return;
    since += halvings * HALVED_AFTER_MS;
    for (const [key, { name, type, asked }] of heat)
      heat.set(key, { name, type, asked: asked / 2 ** halvings });
  }

  function hottest(): (HotProperty & { asked: number })[] {
    cool();
    return [...heat.values()].sort((a, b) => b.asked - a.asked);
  }

  return {
    add({ name, type }, times) {
      if (!canBeHot({ name, type })) return;
      cool();
      const key = hotKey({ name, type });
      heat.set(key, { name, type, asked: (heat.get(key)?.asked ?? 0) + times });
      if (heat.size > KEPT) for (const cold of hottest().slice(KEPT / 2)) heat.delete(hotKey(cold));
    },
    of(property) {
      cool();
      return heat.get(hotKey(property))?.asked ?? 0;
    },
    hottest,
  };
}
