/**
 * What keeps a user from seeing an element, one sentence each; runs inside the page, so it may use nothing of this module.
 * Overlays that let clicks through hide things all the same, so every element takes part while the page is probed.
 */
export function whyUnseen(target) {
  const problems = [];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  const hitAll = new CSSStyleSheet();
  hitAll.replaceSync('* { pointer-events: auto !important }');

  /** The parts of any CSS color, from 0 to 1. */
  function partsOf(color) {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return { r: r / 255, g: g / 255, b: b / 255, a: a / 255 };
  }

  function over(top, below, alpha = top.a) {
    const mix = (channel) => top[channel] * alpha + below[channel] * (1 - alpha);
    return { r: mix('r'), g: mix('g'), b: mix('b'), a: 1 };
  }

  function luminance(color) {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** The opacity of an element with that of everything around it. */
  function opacityOf(element) {
    let opacity = 1;
    for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
    return opacity;
  }

  /** How much of what is below an element its own background or picture hides. */
  function coverOf(element) {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const isPicture =
      backgroundImage !== 'none' || ['IMG', 'VIDEO', 'CANVAS', 'IFRAME'].includes(element.tagName);
    return (isPicture ? 1 : partsOf(backgroundColor).a) * opacityOf(element);
  }

  /** The color behind an element at a point, composed of every layer below; null behind a picture. */
  function backgroundAt(x, y, element) {
    const stack = document.elementsFromPoint(x, y);
    const layers = stack.slice(Math.max(0, stack.indexOf(element)));
    // An inline element has its background behind its text too.
    let color = partsOf('Canvas');
    for (const layer of layers.toReversed()) {
      const { backgroundColor, backgroundImage } = getComputedStyle(layer);
      if (backgroundImage !== 'none') return null;
      const parts = partsOf(backgroundColor);
      color = over(parts, color, parts.a * opacityOf(layer));
    }
    return color;
  }

  const isPartOf = (element) => target.contains(element);
  const nameOf = (element) =>
    element.tagName.toLowerCase() +
    (element.className?.baseVal ?? element.className ?? '').toString().replace(/^(?=\S)/u, '.');

  function checkPoint(x, y) {
    const stack = document.elementsFromPoint(x, y);
    const place = stack.findIndex(isPartOf);
    if (place === -1) return `nothing of it is at ${Math.round(x)}, ${Math.round(y)}`;
    const cover = stack.slice(0, place).find((element) => coverOf(element) > 0.05);
    return cover && `${nameOf(cover)} covers it at ${Math.round(x)}, ${Math.round(y)}`;
  }

  function checkPlace() {
    const outer = target.getBoundingClientRect();
    if (outer.width < 2 || outer.height < 2)
      return problems.push(`its size is ${outer.width} x ${outer.height}`);
    if (outer.left < -1 || outer.top < -1 || outer.right > innerWidth + 1 || outer.bottom > innerHeight + 1) {
      const edges = [outer.left, outer.top, outer.right, outer.bottom].map(Math.round).join(', ');
      return problems.push(`its edges ${edges} leave the window of ${innerWidth} x ${innerHeight}`);
    }
    for (const { left, top, width, height } of target.getClientRects()) {
      if (width < 2 || height < 2) continue;
      for (const [x, y] of [
        [0.5, 0.5],
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
        [0.15, 0.15],
        [0.85, 0.85],
      ]) {
        const problem = checkPoint(left + width * x, top + height * y);
        if (problem) return problems.push(problem);
      }
    }
  }

  function isLarge({ fontSize, fontWeight }) {
    return parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
  }

  function checkText(text) {
    const element = text.parentElement;
    if (element.closest(':disabled, [aria-disabled="true"], [aria-hidden="true"]')) return;
    const style = getComputedStyle(element);
    const range = document.createRange();
    range.selectNodeContents(text);
    const rect = [...range.getClientRects()].find(({ width, height }) => width > 1 && height > 1);
    if (!rect) return;
    const [x, y] = [rect.left + Math.min(rect.width / 2, 8), rect.top + rect.height / 2];
    // Text that is scrolled away, or is there for screen readers only, is not at its place.
    if (!document.elementsFromPoint(x, y).includes(element)) return;
    const background = backgroundAt(x, y, element);
    if (background === null) return;
    const ink = partsOf(style.color);
    const ratio = contrast(over(ink, background, ink.a * opacityOf(element)), background);
    const least = isLarge(style) ? 3 : 4.5;
    if (ratio < least)
      problems.push(
        `"${text.data.trim().slice(0, 40)}" has a contrast of ${ratio.toFixed(2)}, below ${least}`,
      );
  }

  if (!target.checkVisibility({ visibilityProperty: true })) return ['it is hidden'];
  const opacity = opacityOf(target);
  if (opacity < 0.95) problems.push(`its opacity is ${opacity.toFixed(2)}`);
  document.adoptedStyleSheets.push(hitAll);
  try {
    checkPlace();
    if (problems.length > 0) return problems;
    const texts = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (texts.currentNode.data.trim() !== '') checkText(texts.currentNode);
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hitAll);
  }
  return problems;
}
