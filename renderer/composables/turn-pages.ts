import type { Ref } from 'vue';

/** Turns the pages of a list that are counted from 1: on as long as there is a next one, back as far as the first. */
export function turnPages(page: Ref<number>, hasNext: () => boolean): (isForward: boolean) => void {
  return (isForward) => {
    if (isForward && hasNext()) page.value += 1;
    else if (!isForward && page.value > 1) page.value -= 1;
  };
}
