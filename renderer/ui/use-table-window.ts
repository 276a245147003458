import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/vue-virtual';
import { computed } from 'vue';
import { printingSince } from './paper.ts';

/** From so many rows on only those in sight are drawn: fewer are drawn faster whole, and can be searched by the browser. */
const MOST_WHOLE = 200;
/** Rows above and below those in sight. */
const BESIDE = 12;

interface TableWindow {
  scroller: () => HTMLElement | null;
  count: () => number;
  /** Of a row without its detail, in pixels. */
  rowHeight: () => number;
  /** Rows that stay rendered at any scroll position: the tab stop and the open one. */
  kept: () => readonly number[];
}

/** Which rows of a table are drawn, and how much room those before and after them take. */
export function useTableWindow({ scroller, count, rowHeight, kept }: TableWindow) {
  // Paper has all rows.
  const isVirtual = computed(() => count() > MOST_WHOLE && printingSince.value === null);
  const virtualizer = useVirtualizer(
    computed(() => {
      const staying = kept();
      return {
        count: isVirtual.value ? count() : 0,
        getScrollElement: scroller,
        estimateSize: rowHeight,
        overscan: BESIDE,
        rangeExtractor: (range: Range) =>
          [...new Set([...defaultRangeExtractor(range), ...staying])].toSorted((a, b) => a - b),
      };
    }),
  );

  /** The rows to draw, each with the room of those left out before it. */
  const drawn = computed<readonly { index: number; before: number }[]>(() => {
    if (!isVirtual.value) return Array.from({ length: count() }, (_, index) => ({ index, before: 0 }));
    let end = 0;
    return virtualizer.value
      .getVirtualItems()
      .filter(({ index }) => index < count())
      .map((item) => {
        const before = item.start - end;
        end = item.end;
        return { index: item.index, before };
      });
  });
  /** The room of those left out after the last one. */
  const after = computed(() => {
    if (!isVirtual.value) return 0;
    return virtualizer.value.getTotalSize() - (virtualizer.value.getVirtualItems().at(-1)?.end ?? 0);
  });

  return { isVirtual, drawn, after };
}
