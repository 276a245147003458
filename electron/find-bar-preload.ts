import { ipcRenderer } from 'electron';
import { FIND_CHANNELS } from './desktop/find-channels.ts';

/** The parts of a browser that are needed here: the shell is compiled without a browser's types. */
interface Part {
  value: string;
  textContent: string | null;
  addEventListener(type: string, listener: (event: Key) => void): void;
  focus(): void;
  select(): void;
}
interface Key {
  key: string;
  shiftKey: boolean;
  target: unknown;
  preventDefault(): void;
}
const page = globalThis as unknown as {
  document: { getElementById(id: string): Part };
  addEventListener: Part['addEventListener'];
};

/** Wires the find bar, whose page has no script of its own: what is typed goes to the shell, the count comes back. */
page.addEventListener('DOMContentLoaded', () => {
  const part = (id: string): Part => page.document.getElementById(id);
  const field = part('text');
  const find = (step: 'first' | 'next' | 'previous'): void =>
    ipcRenderer.send(FIND_CHANNELS.find, field.value, step);
  const close = (): void => ipcRenderer.send(FIND_CHANNELS.close);

  field.addEventListener('input', () => find('first'));
  part('next').addEventListener('click', () => find('next'));
  part('previous').addEventListener('click', () => find('previous'));
  part('close').addEventListener('click', close);
  page.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === field) find(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
  });
  ipcRenderer.on(FIND_CHANNELS.count, (_event, text: string) => {
    part('count').textContent = text;
  });
  ipcRenderer.on(FIND_CHANNELS.focus, (_event, lastText: string) => {
    if (field.value === '') field.value = lastText;
    field.focus();
    field.select();
    if (field.value !== '') find('first');
  });
});
