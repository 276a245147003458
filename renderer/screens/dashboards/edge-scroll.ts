/** So near an edge it begins: this part of the height, or so many pixels. */
const BAND = { share: 0.08, least: 30 };
/** So far the pointer goes towards an edge first: who takes a tile at an edge does not want to leave. Pixels. */
const TOWARDS = 10;
/** Pixels in a frame: at the inner end of the band, and at the edge and beyond. */
const SPEED = { slow: 5, fast: 16 };

/** Scrolls while a pointer that carries something stays near the upper or the lower edge; measures once. */
export function scrollAtEdges(scroller: Element | null, from: number) {
  const edges = scroller?.getBoundingClientRect() ?? new DOMRect();
  const band = Math.max(BAND.least, edges.height * BAND.share);
  let speed = 0;
  let frame = 0;

  function speedAt(y: number): number {
    const up = edges.top + band - y;
    const down = y - (edges.bottom - band);
    const depth = Math.min(1, Math.max(up, down) / band);
    if (depth <= 0) return 0;
    const towards = up > down ? from - y : y - from;
    return towards < TOWARDS ? 0 : Math.sign(down - up) * (SPEED.slow + (SPEED.fast - SPEED.slow) * depth);
  }

  function step(): void {
    if (speed !== 0) scroller?.scrollBy(0, speed);
    frame = speed === 0 ? 0 : requestAnimationFrame(step);
  }

  /** The pointer is there now, in pixels of the window. */
  function lookAt(y: number): void {
    speed = speedAt(y);
    if (speed !== 0 && frame === 0) frame = requestAnimationFrame(step);
  }

  function stop(): void {
    cancelAnimationFrame(frame);
    speed = 0;
  }

  return { lookAt, stop };
}
