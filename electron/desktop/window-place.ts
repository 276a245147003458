import type { WindowPlace } from './shell-state.ts';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const DEFAULT_SIZE = { width: 1440, height: 900 };
export const MIN_SIZE = { width: 480, height: 400 };
const GRIP = 64;
const CASCADE = 32;

/**
 * Where the first window opens: the remembered place when a hand's width of its title bar still lies on a screen, else
 * centred on the first. Never larger than that screen. `workAreas` are the screens without task bars, the primary one first.
 */
export function placeWindow(saved: WindowPlace | null, workAreas: readonly [Area, ...Area[]]): Area {
  if (saved) {
    const places = workAreas.map((area) => ({
      area,
      place: { x: saved.x, y: saved.y, ...fit(saved, area) },
    }));
    const found = places.find(({ area, place }) => isGrippable(place, area));
    if (found) return found.place;
  }
  const area = workAreas[0];
  const size = fit(saved ?? DEFAULT_SIZE, area);
  return {
    x: area.x + Math.round((area.width - size.width) / 2),
    y: area.y + Math.round((area.height - size.height) / 2),
    ...size,
  };
}

/** Where one more window opens: beside the other, lower right, so that both title bars show. */
export function cascadeWindow(other: Area): Area {
  return { ...other, x: other.x + CASCADE, y: other.y + CASCADE };
}

function isGrippable(window: Area, area: Area): boolean {
  const visible = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return visible >= GRIP && window.y >= area.y && window.y <= area.y + area.height - GRIP;
}

function fit(size: { width: number; height: number }, area: Area): { width: number; height: number } {
  return {
    width: Math.min(Math.max(size.width, MIN_SIZE.width), area.width),
    height: Math.min(Math.max(size.height, MIN_SIZE.height), area.height),
  };
}
