import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue';

/** The size of an element in pixels, followed while it is there. */
export function useBoxSize(box: Readonly<Ref<HTMLElement | null>>, usual = { width: 800, height: 360 }) {
  const size = ref(usual);
  let observer: ResizeObserver | undefined;

  onMounted(() => {
    observer = new ResizeObserver(([entry]) => {
      if (entry) size.value = { width: entry.contentRect.width, height: entry.contentRect.height };
    });
    if (box.value) observer.observe(box.value);
  });
  onBeforeUnmount(() => observer?.disconnect());

  return size;
}
