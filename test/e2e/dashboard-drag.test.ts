// @module-tag browser
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;
let page: Page;

beforeEach(async () => {
  view = await openConsole();
  page = view.page;
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

interface Point {
  x: number;
  y: number;
}

/** The name of a tile, followed by its position. */
const tile = (name: string, place = '') =>
  page.getByRole('group', { name: new RegExp(`^${name}: ${place}`, 'u') });
const text = (name: string, x: number, y: number, w = 6, h = 4) => ({
  text: { body: `# ${name}` },
  layouts: { sm: { x, y, w, h } },
});
const PAIR = [text('Left', 0, 0), text('Right', 6, 0)];

/** Opens a new dashboard with these tiles, to be edited. */
async function edit(tiles: readonly object[]): Promise<void> {
  const address = `/api/projects/${view.server.projectId}/dashboards/`;
  const { id } = await view.ask<{ id: number }>(address, { method: 'POST', body: { name: 'Board' } });
  await view.ask(`${address}${id}/`, { method: 'PATCH', body: { tiles } });
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('heading', { name: 'Left' }).waitFor();
  await page.keyboard.press('e');
  await page.locator('.grid-stack[data-live] > [gs-x]').first().waitFor();
}

const cornerOf = async (name: string): Promise<Point> => (await tile(name).boundingBox())!;

/** Takes the tile near its corner with the mouse and carries it so far. */
async function carry(name: string, by: Point): Promise<void> {
  const { x, y } = await cornerOf(name);
  await page.mouse.move(x + 20, y + 12);
  await page.mouse.down();
  await page.mouse.move(x + 20 + by.x, y + 12 + by.y, { steps: 12 });
}

test('a dragged tile follows the mouse, and its neighbor takes its place during the drag', async () => {
  await edit(PAIR);
  const [left, right] = [await cornerOf('Left'), await cornerOf('Right')];
  await carry('Left', { x: right.x - left.x + 30, y: 25 });
  expect(await cornerOf('Left')).toMatchObject({ x: right.x + 30, y: right.y + 25 });
  await expect.poll(() => cornerOf('Right')).toMatchObject(left);
  await page.mouse.up();
  await tile('Left', 'column 7, row 1').waitFor();
  await tile('Right', 'column 1, row 1').waitFor();
  await expect.poll(() => cornerOf('Left')).toMatchObject(right);
  expect(await cornerOf('Right')).toMatchObject(left);
  await page.getByText('1 unsaved change').waitFor();
});

test('Esc cancels a drag: all tiles move back, and the dashboard is still being edited', async () => {
  await edit(PAIR);
  const [left, right] = [await cornerOf('Left'), await cornerOf('Right')];
  await carry('Left', { x: right.x - left.x, y: 0 });
  await expect.poll(() => cornerOf('Right')).toMatchObject(left);
  await page.keyboard.press('Escape');
  await expect.poll(() => cornerOf('Left')).toMatchObject(left);
  expect(await cornerOf('Right')).toMatchObject(right);
  await page.mouse.move(left.x + 300, left.y + 300, { steps: 4 });
  await page.mouse.up();
  expect(await cornerOf('Left')).toMatchObject(left);
  await page.getByText('No changes').waitFor();
});

test('a click on a tile is not a drag, and a tile dropped at its place is not a change', async () => {
  await edit(PAIR);
  const left = await cornerOf('Left');
  await page.mouse.click(left.x + 20, left.y + 12);
  await carry('Left', { x: 30, y: 10 });
  await page.mouse.up();
  await expect.poll(() => cornerOf('Left')).toMatchObject(left);
  await page.getByText('No changes').waitFor();
});

test('dragged to the lower edge a tile scrolls the dashboard, and is dropped far below', async () => {
  await edit([...PAIR, ...[1, 2, 3, 4, 5].map((n) => text(`Below ${n}`, 0, 4 + n * 8, 6, 8))]);
  const board = page.getByRole('region', { name: 'Tiles, edit mode' });
  const { y } = await cornerOf('Left');
  const edges = (await board.boundingBox())!;
  await carry('Left', { x: 0, y: edges.y + edges.height - y - 16 });
  const scrolled = () =>
    board.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
  await expect.poll(scrolled).toBeLessThan(8);
  await page.mouse.up();
  await tile('Below 4', 'column 1, row 2[0-9]').waitFor();
  await tile('Left', 'column 1, row [34][0-9]').waitFor();
});

test('a tile is dragged by touch as by mouse', async () => {
  await edit(PAIR);
  const [left, right] = [await cornerOf('Left'), await cornerOf('Right')];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const at = (part: number) => ({ x: left.x + 20 + part * (right.x - left.x), y: left.y + 12 });
  await touch('touchStart', [at(0)]);
  for (let step = 1; step <= 12; step += 1) await touch('touchMove', [at(step / 12)]);
  await touch('touchEnd', []);
  await session.detach();
  await tile('Left', 'column 7, row 1').waitFor();
  await tile('Right', 'column 1, row 1').waitFor();
  await expect.poll(() => cornerOf('Left')).toMatchObject(right);
  expect(await cornerOf('Right')).toMatchObject(left);
});

test('a tile is resized at its corner, also after it was dragged; overlapping tiles move down', async () => {
  await edit([...PAIR, text('Below', 6, 4)]);
  const [left, right] = [await cornerOf('Left'), await cornerOf('Right')];
  await carry('Left', { x: right.x - left.x, y: 0 });
  await page.mouse.up();
  await tile('Left', 'column 7, row 1').waitFor();
  await expect.poll(() => cornerOf('Left')).toMatchObject(right);
  const { x, y, width, height } = (await tile('Left').boundingBox())!;
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.move(x + width - 6, y + height - 6);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + height + 30, { steps: 4 });
  await page.mouse.move(x + width - 6, y + height + 50, { steps: 4 });
  await page.mouse.up();
  await tile('Left', 'column 7, row 1, 6 wide, 5 high').waitFor();
  await tile('Below', 'column 7, row 6').waitFor();
});
