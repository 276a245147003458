import { useMediaQuery } from '@vueuse/core';

/** Whether the page is as narrow as a phone, or as one zoomed to 400 %: actions are in a menu, rows are cards. */
export const usePhone = () => useMediaQuery('(max-width: 559px)');
