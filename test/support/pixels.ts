import type { Locator } from 'playwright-core';

/** The colors in a picture of an element as the browser has drawn it, `r,g,b`, those of the most pixels first. */
export async function colorsOf(locator: Locator): Promise<string[]> {
  const picture = (await locator.screenshot({ animations: 'disabled' })).toString('base64');
  return locator.page().evaluate<string[]>(`${COUNT_COLORS}('${picture}')`);
}

/** Above 3 a shape is seen on what is around it (WCAG 1.4.11). */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminanceOf(color: string): number {
  const [r, g, b] = color.split(',').map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Text, because tests are not compiled for a page; without a request, which the policy of the page would refuse. */
const COUNT_COLORS = `(async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const paint = new OffscreenCanvas(image.width, image.height).getContext('2d');
  paint.drawImage(image, 0, 0);
  const { data } = paint.getImageData(0, 0, image.width, image.height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const color = data.slice(at, at + 3).join();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
})`;
