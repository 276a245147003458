// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { expect, test } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import TileBoundary from './TileBoundary.vue';

const state = ref({ answer: 'first', isBroken: true });
/** Breaks while it is drawn, as long as its answer does. */
const Drawing = defineComponent({
  props: { answer: { type: String, required: true } },
  setup: (props) => () => {
    if (state.value.isBroken) throw new Error('No such shape.');
    return h('p', props.answer);
  },
});

function show() {
  state.value = { answer: 'first', isBroken: true };
  return mount(() =>
    h(TileBoundary, { of: state.value.answer }, () => h(Drawing, { answer: state.value.answer })),
  );
}

test('a tile that throws shows the error, and is rendered again on retry', async () => {
  const tile = show();
  await nextTick();
  expect(tile.text()).toContain('No such shape. Other tiles are not affected');
  await tile.get('button').trigger('click');
  expect(tile.text()).toContain('No such shape.');
  state.value.isBroken = false;
  await tile.get('button').trigger('click');
  expect(tile.text()).toBe('first');
});

test('a new result is rendered without a retry', async () => {
  const tile = show();
  await nextTick();
  expect(tile.text()).toContain('No such shape.');
  state.value = { answer: 'second', isBroken: false };
  await nextTick();
  await nextTick();
  expect(tile.text()).toBe('second');
});
