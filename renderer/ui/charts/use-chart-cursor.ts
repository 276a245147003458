import { computed, ref, type Ref } from 'vue';
import { hasPlace, leftOf, type ChartSeries, type ChartShape, type Scale } from './chart-scale.ts';
import { indexAt, seriesAt, type HeldPlace } from './held-place.ts';

/** What the cursor of a chart moves over. */
interface CursorSource {
  plot: Readonly<Ref<HTMLElement | null>>;
  /** The number of places. */
  count(): number;
  series(): readonly ChartSeries[];
  scale(): Scale;
  shape(): ChartShape;
  isZoomable(): boolean;
  onPick(id: string, index: number): void;
  onZoom(from: number, to: number): void;
}

/** Pixels that a pointer moves before it selects a range instead of a point. */
const BRUSH_START = 6;

/** The held point of a chart, moved by pointer and arrows, and the range that is brushed by dragging or with Shift. */
export function useChartCursor(source: CursorSource) {
  const held = ref<HeldPlace | null>(null);
  const brush = ref<{ from: number; to: number } | null>(null);
  let start: { index: number; x: number } | null = null;
  /** The click that ends a drag picks no point. */
  let isDragged = false;

  const isEmpty = (): boolean => source.count() === 0 || source.series().length === 0;

  function indexOf(event: PointerEvent): number {
    const box = source.plot.value!.getBoundingClientRect();
    return indexAt((event.clientX - box.left) / box.width, source.count(), source.shape());
  }

  function move(event: PointerEvent): void {
    const box = source.plot.value?.getBoundingClientRect();
    if (!box || isEmpty()) return;
    const index = indexOf(event);
    const top = ((event.clientY - box.top) / box.height) * 100;
    const here = source.series().filter((one) => hasPlace(one, index));
    held.value = {
      index,
      id: seriesAt(top, index, { series: here, scale: source.scale(), shape: source.shape() }),
    };
    if (start && (brush.value || Math.abs(event.clientX - start.x) > BRUSH_START)) {
      brush.value = { from: start.index, to: index };
    }
  }

  function down(event: PointerEvent): void {
    isDragged = false;
    if (!source.isZoomable() || event.button !== 0 || event.pointerType === 'touch' || isEmpty()) return;
    start = { index: indexOf(event), x: event.clientX };
    source.plot.value?.setPointerCapture(event.pointerId);
  }

  function up(): void {
    isDragged = brush.value !== null;
    start = null;
    zoom();
  }

  function zoom(): void {
    const range = brush.value;
    brush.value = null;
    if (range && range.from !== range.to)
      source.onZoom(Math.min(range.from, range.to), Math.max(range.from, range.to));
  }

  function leave(): void {
    if (!start) held.value = null;
  }

  function pick(): void {
    if (held.value && !isDragged) source.onPick(held.value.id, held.value.index);
    isDragged = false;
  }

  /** Moves along the chart, or from series to series at a place. */
  function step(by: number, bySeries = 0): void {
    if (isEmpty()) return;
    brush.value = null;
    const now = held.value;
    const series = source.series();
    const at = now
      ? Math.max(
          0,
          series.findIndex(({ id }) => id === now.id),
        )
      : 0;
    const next = series[(at + bySeries + series.length) % series.length]!;
    const last = (next.previousOf === undefined ? source.count() : next.values.length) - 1;
    held.value = { index: now ? Math.min(last, Math.max(0, now.index + by)) : last, id: next.id };
  }

  /** Shift and an arrow select a range, as dragging does. */
  function extend(by: number): void {
    if (!source.isZoomable()) return step(by);
    if (!held.value) return step(0);
    const from = brush.value?.from ?? held.value.index;
    const range = brush.value;
    step(by);
    brush.value = { from: range?.from ?? from, to: held.value.index };
  }

  function key(event: KeyboardEvent): void {
    const count = source.count();
    const moves: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? extend(-1) : step(-1)),
      ArrowRight: () => (event.shiftKey ? extend(1) : step(1)),
      ArrowUp: () => step(0, -1),
      ArrowDown: () => step(0, 1),
      Home: () => step(-count),
      End: () => step(count),
      Enter: () => (brush.value ? zoom() : pick()),
    };
    const act = event.key === 'Escape' && cancel() ? () => undefined : moves[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Ends a selection; whether there was one. */
  function cancel(): boolean {
    const isBrushing = brush.value !== null;
    brush.value = null;
    start = null;
    return isBrushing;
  }

  function blur(): void {
    held.value = null;
    cancel();
  }

  /** The brushed range in percent of the plot. */
  const brushed = computed(() => {
    if (!brush.value) return null;
    const [count, shape] = [source.count(), source.shape()];
    const half = shape === 'bar' || shape === 'grouped' ? 50 / count : 0;
    const [a, b] = [brush.value.from, brush.value.to].toSorted((x, y) => x - y) as [number, number];
    const left = leftOf(a, count, shape) - half;
    return { left, width: leftOf(b, count, shape) + half - left };
  });

  return { held, brushed, on: { move, down, up, leave, pick, key, blur } };
}
