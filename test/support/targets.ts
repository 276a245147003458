import type { Page } from 'playwright-core';

/**
 * The controls of a page that are too small or too close for a pointer (WCAG 2.5.8): smaller than 24 pixels, with another
 * control within a circle of 24 pixels around their middle. Links within a sentence are excepted, and fields that the
 * label around them serves too.
 */
export function smallTargetsOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SMALL_TARGETS);
}

/** Text, because tests are not compiled for a page. */
const SMALL_TARGETS = `(() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=button], [role=switch], [role=checkbox], [role=slider], [role=tab], [role^=menuitem], [role=option]';
  const least = 24 - 0.5;
  const targets = [...document.querySelectorAll(CONTROLS)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled, .skip'))
    .map((element) => {
      const label = element.closest('label');
      const { left, top, width, height } = (label ?? element).getBoundingClientRect();
      return { element, left, top, width, height, x: left + width / 2, y: top + height / 2 };
    })
    .filter(({ width, height }) => width > 1 && height > 1);
  const isSmall = ({ width, height }) => width < least || height < least;
  const isInline = ({ element }) => {
    if (getComputedStyle(element).display !== 'inline') return false;
    return [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  };
  // How far a point is from a box.
  const away = ({ x, y }, { left, top, width, height }) =>
    Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
  const isClose = (one) => targets.some((other) =>
    other.element !== one.element && !other.element.contains(one.element) && !one.element.contains(other.element) &&
    other.element.closest('label') !== (one.element.closest('label') ?? 0) &&
    (isSmall(other) ? Math.hypot(one.x - other.x, one.y - other.y) < 24 : away(one, other) < 12));
  return targets.filter((one) => isSmall(one) && !isInline(one) && isClose(one)).map(({ element, width, height }) =>
    element.tagName.toLowerCase() + '.' + element.className + ' "' + (element.ariaLabel ?? element.textContent).trim().slice(0, 40) + '" ' +
    Math.round(width) + ' x ' + Math.round(height));
})()`;
