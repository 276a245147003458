// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { afterEach, describe, expect, test } from 'vitest';
import { defineComponent } from 'vue';
import { activeHotkeys, formatKeys, useHotkeys, type Hotkey } from './use-hotkeys.ts';

const pressed: string[] = [];
const mounted: { unmount(): void }[] = [];

afterEach(() => {
  pressed.length = 0;
  for (const wrapper of mounted.splice(0)) wrapper.unmount();
});

function show(hotkeys: Omit<Hotkey, 'run'>[], template = '<p />') {
  const component = defineComponent({
    setup: () => useHotkeys(hotkeys.map((hotkey) => ({ ...hotkey, run: () => pressed.push(hotkey.keys) }))),
    template,
  });
  const wrapper = mount(component, { attachTo: document.body });
  mounted.push(wrapper);
  return wrapper;
}

function press(key: string, target: Element = document.body, modifiers: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers });
  target.dispatchEvent(event);
  return event;
}

describe('keys', () => {
  test('a single key, a sequence, and a key with Ctrl or Cmd', () => {
    show([{ keys: 'j' }, { keys: 'g l' }, { keys: 'mod+k' }]);
    press('j');
    press('g');
    press('l');
    press('k', document.body, { ctrlKey: true });
    press('k', document.body, { metaKey: true });
    expect(pressed).toEqual(['j', 'g l', 'mod+k', 'mod+k']);
  });

  test('letters are typed into a focused text field, global keys work there too', () => {
    const wrapper = show([{ keys: 'j' }, { keys: 'mod+k', isGlobal: true }], '<input />');
    expect(press('j', wrapper.element).defaultPrevented).toBe(false);
    press('k', wrapper.element, { ctrlKey: true });
    expect(pressed).toEqual(['mod+k']);
  });

  test('Esc belongs to a popover that is open, wherever the focus is, and not to a tooltip', () => {
    show([{ keys: 'escape' }]);
    const popover = document.createElement('div');
    popover.toggleAttribute('data-dismissable-layer');
    document.body.append(popover);
    press('Escape');
    expect(pressed).toEqual([]);
    popover.innerHTML = '<span role="tooltip">Save</span>';
    press('Escape');
    popover.remove();
    press('Escape');
    expect(pressed).toEqual(['escape', 'escape']);
  });

  test('Space presses the focused button, letters still work there', () => {
    const wrapper = show([{ keys: 'space' }, { keys: 'j' }], '<button />');
    press(' ', wrapper.element);
    press('j', wrapper.element);
    expect(pressed).toEqual(['j']);
  });

  test('a key with Ctrl is a different hotkey', () => {
    show([{ keys: 'f' }]);
    press('f', document.body, { ctrlKey: true });
    expect(pressed).toEqual([]);
  });

  test('Shift changes a combination with Ctrl or Cmd, but not a single letter or punctuation mark', () => {
    show([{ keys: 'mod+z' }, { keys: 'mod+shift+z' }, { keys: '?' }, { keys: 'j' }]);
    press('Z', document.body, { ctrlKey: true, shiftKey: true });
    press('Z', document.body, { metaKey: true, shiftKey: true });
    press('z', document.body, { ctrlKey: true });
    press('?', document.body, { shiftKey: true });
    press('J', document.body, { shiftKey: true });
    expect(pressed).toEqual(['mod+shift+z', 'mod+shift+z', 'mod+z', '?', 'j']);
  });

  test('hotkeys are removed when their component is unmounted', () => {
    const wrapper = show([{ keys: 'j', label: 'Next' }]);
    expect(activeHotkeys().map(({ label }) => label)).toEqual(['Next']);
    wrapper.unmount();
    press('j');
    expect(activeHotkeys()).toEqual([]);
    expect(pressed).toEqual([]);
  });
});

test('keys are formatted as they are labeled on the keyboard', () => {
  expect(formatKeys('g l')).toBe('G L');
  expect(formatKeys('mod+k')).toMatch(/^(Ctrl|⌘) K$/);
  expect(formatKeys('mod+shift+z')).toMatch(/^(Ctrl|⌘) Shift Z$/);
  expect(formatKeys('escape')).toBe('Esc');
});
