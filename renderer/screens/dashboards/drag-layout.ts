import type { GridStackEngine, GridStackNode } from 'gridstack';
import { COLUMNS, inReadingOrder, isSame, type Box, type Boxes } from '../../ui/tile-boxes.ts';

/** Pixels of a column and a row, and what is free around a tile within them. */
export interface Cell {
  width: number;
  height: number;
  margin: number;
}

/** The fields that gridstack's engine reads from tiles during a drag, which its types do not declare. */
interface DraggedNode extends GridStackNode {
  /** The dragged one: the others move away only when it covers more than half of them. */
  _moving?: boolean;
  /** It moves down past another tile instead of pushing it; for one movement. */
  _skipDown?: boolean;
  /** Where it stood in pixels after the last movement. */
  _rect?: Box;
}

/**
 * Positions of all tiles while one of them is dragged over the grid. Which ones move, and when, is decided by gridstack's
 * engine; nothing is read from the page or written to it.
 */
export function createDragLayout(Engine: typeof GridStackEngine, boxes: Boxes, key: string, cell: Cell) {
  const engine = new Engine({ column: COLUMNS });
  engine.batchUpdate();
  for (const id of inReadingOrder(boxes)) engine.addNode({ id, ...boxes[id]! });
  engine.batchUpdate(false);
  const nodes: readonly DraggedNode[] = engine.nodes;
  const dragged = nodes.find(({ id }) => id === key)!;
  const { w, h } = boxes[key]!;
  engine.beginUpdate(dragged);
  dragged._moving = true;
  let last = { left: boxes[key]!.x * cell.width, top: boxes[key]!.y * cell.height };
  let now = places();
  takeRects();

  function inside({ x, y, w: columns, h: rows }: Box): Box {
    const [left, top] = [x * cell.width + cell.margin, y * cell.height + cell.margin];
    const [width, height] = [columns * cell.width - 2 * cell.margin, rows * cell.height - 2 * cell.margin];
    return { x: left, y: top, w: width, h: height };
  }

  function takeRects(): void {
    for (const node of nodes) node._rect = inside(placeOf(node));
  }

  function places(): Boxes {
    return Object.fromEntries(nodes.map((node) => [node.id!, placeOf(node)]));
  }

  /** Carries the upper left corner there, in pixels of the grid; returns where all stand then if that changed. */
  function to(left: number, top: number): Boxes | null {
    // A little beyond the middle between two cells, so that small movements there do not move everything.
    const x = Math.round((left + (left > last.left ? -cell.margin : cell.margin)) / cell.width);
    const y = Math.round((top + (top > last.top ? -cell.margin : cell.margin)) / cell.height);
    if (x === dragged.x && y === dragged.y) return null;
    const rect = inside({ x: left / cell.width, y: top / cell.height, w, h });
    const wanted = { x, y, w, h, cellWidth: cell.width, cellHeight: cell.height, rect };
    engine.moveNodeCheck(dragged, wanted);
    const next = places();
    if (isSame(next, now)) return null;
    delete dragged._skipDown;
    last = { left, top };
    now = next;
    takeRects();
    return now;
  }

  return { to };
}

const placeOf = ({ x = 0, y = 0, w = 1, h = 1 }: GridStackNode): Box => ({ x, y, w, h });
