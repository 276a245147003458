import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cascadeWindow, placeWindow, type Area } from './window-place.ts';

const LAPTOP: Area = { x: 0, y: 25, width: 1440, height: 875 };
const WALL: Area = { x: 1440, y: 0, width: 2560, height: 1440 };

describe('where a window opens', () => {
  test('the first window is 1440 by 900, centered on the primary screen', () => {
    expect(placeWindow(null, [WALL, LAPTOP])).toEqual({ x: 2000, y: 270, width: 1440, height: 900 });
  });

  test('it is no larger than its screen', () => {
    expect(placeWindow(null, [LAPTOP])).toEqual(LAPTOP);
  });

  test('it is restored at its saved position, on whichever screen that is', () => {
    const saved = { x: 1600, y: 100, width: 1000, height: 700, isMaximized: false };
    expect(placeWindow(saved, [LAPTOP, WALL])).toEqual({ x: 1600, y: 100, width: 1000, height: 700 });
  });

  test('a window partly off screen stays there as long as its title bar can be grabbed', () => {
    const saved = { x: -900, y: 100, width: 1000, height: 700, isMaximized: false };
    expect(placeWindow(saved, [LAPTOP])).toMatchObject({ x: -900, y: 100 });
  });

  test.each([
    ['on a screen that was unplugged', { x: 1600, y: 100 }],
    ['almost wholly beyond the left edge', { x: -960, y: 100 }],
    ['with its title bar above the screen', { x: 100, y: -10 }],
    ['below the screen', { x: 100, y: 860 }],
  ])('a window %s is centered on the primary screen in its own size', (_where, corner) => {
    const saved = { ...corner, width: 1000, height: 700, isMaximized: false };
    expect(placeWindow(saved, [LAPTOP])).toEqual({ x: 220, y: 113, width: 1000, height: 700 });
  });

  test('for any saved position, the title bar is on a screen and the size fits it', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 });
    const saved = fc.record({
      x: number,
      y: number,
      width: number,
      height: number,
      isMaximized: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.option(saved), (place) => {
        const window = placeWindow(place, [LAPTOP, WALL]);
        const isOn = ({ x, y, width, height }: Area): boolean =>
          window.x < x + width &&
          window.x + window.width > x &&
          window.y >= y &&
          window.y < y + height &&
          window.width <= width &&
          window.height <= height;
        expect([LAPTOP, WALL].some(isOn)).toBe(true);
      }),
    );
  });

  test('a further window is offset from the previous one', () => {
    expect(cascadeWindow({ x: 10, y: 20, width: 800, height: 600 })).toEqual({
      x: 42,
      y: 52,
      width: 800,
      height: 600,
    });
  });
});
