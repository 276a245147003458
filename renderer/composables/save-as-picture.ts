import { requestFile } from '../api/http.ts';
import { saveBlob } from './save-as-file.ts';

/** Pixels of the picture for each of the page: sharp on paper and in slides. */
const SCALE = 2;

/**
 * Hands what an element shows to the browser as a PNG file of this name, in the colours and fonts of the page. What carries
 * `data-beside-pictures`, such as buttons, is left out.
 */
export async function saveAsPicture(name: string, element: HTMLElement): Promise<void> {
  const [{ domToBlob }, cssText] = await Promise.all([import('modern-screenshot'), fontsInUse()]);
  const picture = await domToBlob(element, {
    scale: SCALE,
    backgroundColor: getComputedStyle(document.body).backgroundColor,
    font: { cssText },
    filter: (node) => !(node instanceof HTMLElement && node.dataset['besidePictures'] !== undefined),
  });
  saveBlob(name, picture);
}

/** The `@font-face` rules that this page has loaded, each with its file inside: a picture can ask for no other. */
async function fontsInUse(): Promise<string> {
  const loaded = new Set(
    [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family, unicodeRange }) => nameOfFace(family, unicodeRange)),
  );
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules]
      .filter((rule) => rule instanceof CSSFontFaceRule)
      .filter(({ style }) =>
        loaded.has(
          nameOfFace(style.getPropertyValue('font-family'), style.getPropertyValue('unicode-range')),
        ),
      )
      .map(({ cssText }) => ({ cssText, base: sheet.href ?? document.baseURI })),
  );
  const whole = await Promise.all(
    rules.map(async ({ cssText, base }) => {
      const [address, path] = /url\("([^"]+)"\)/.exec(cssText) ?? [];
      if (path === undefined) return '';
      return cssText.replace(address!, `url("${await dataUrlOf(new URL(path, base))}")`);
    }),
  );
  return whole.join('\n');
}

function nameOfFace(family: string, unicodeRange: string): string {
  return `${family.replaceAll(/["']/g, '')} ${unicodeRange}`.toLowerCase();
}

async function dataUrlOf({ pathname }: URL): Promise<string> {
  const file = await requestFile(pathname);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(file);
  });
}
