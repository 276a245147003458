// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { expect, test } from 'vitest';
import { h } from 'vue';
import RangeCalendar from './RangeCalendar.vue';

test('a range from a URL with an invalid day shows the current month', () => {
  const calendar = mount(() =>
    h(TooltipProvider, () => h(RangeCalendar, { from: '2026-02-31', to: null, today: '2026-11-26' })),
  );
  expect(calendar.text()).toContain('November 2026');
});
