// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLiveStream, type LiveConnection, type LiveMessage } from './live.api.ts';

/** A fake of the network: the requested streams, opened, fed and broken by the test. */
class StreamDouble extends EventTarget {
  static asked: StreamDouble[] = [];
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StreamDouble.asked.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  say(type: string, data?: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

const newest = () => StreamDouble.asked.at(-1)!;
const isOpen = () => StreamDouble.asked.filter(({ isClosed }) => !isClosed).length;

let states: LiveConnection[];
let messages: LiveMessage[];
let close: () => void;

function open(filters: Parameters<typeof openLiveStream>[0]['filters'] = []): void {
  close = openLiveStream({
    projectId: 7,
    filters,
    onMessage: (message) => messages.push(message),
    onConnection: (state) => states.push(state),
  });
}

function setVisibility(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', StreamDouble);
  StreamDouble.asked = [];
  states = [];
  messages = [];
});
afterEach(() => {
  close();
  expect(isOpen()).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a live stream', () => {
  test('passes on received events and sends the filter to the server', () => {
    open([{ field: 'event', operator: 'exact', value: 'a b' }]);
    newest().say('open');
    newest().say('events', { events: [], skipped: 3 });
    expect(states).toEqual(['connecting', 'open']);
    expect(messages).toEqual([{ events: [], skipped: 3 }]);
    const url = new URL(newest().url, 'http://localhost');
    expect(url.pathname).toBe('/api/projects/7/burrow/live/');
    expect(JSON.parse(url.searchParams.get('filters')!)).toEqual([
      { field: 'event', operator: 'exact', value: 'a b' },
    ]);
  });

  test('reconnects after a break with increasing delay, and reports both states', () => {
    open();
    newest().say('open');
    newest().say('error');
    expect(states.at(-1)).toBe('lost');
    vi.advanceTimersByTime(500);
    expect(StreamDouble.asked).toHaveLength(2);
    newest().say('error');
    vi.advanceTimersByTime(999);
    expect(StreamDouble.asked).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(StreamDouble.asked).toHaveLength(3);
    newest().say('open');
    expect(states.at(-1)).toBe('open');
    newest().say('error');
    vi.advanceTimersByTime(500);
    expect(StreamDouble.asked).toHaveLength(4);
  });

  test('counts as lost after 40 s of silence; pings keep it open', () => {
    open();
    newest().say('open');
    for (let ping = 0; ping < 5; ping += 1) {
      vi.advanceTimersByTime(15_000);
      newest().say('ping', {});
    }
    expect(states).toEqual(['connecting', 'open']);
    vi.advanceTimersByTime(40_000);
    expect(states.at(-1)).toBe('lost');
  });

  test('closes after the page has been hidden for 60 s, and reopens when the page is visible', () => {
    open();
    newest().say('open');
    setVisibility('hidden');
    vi.advanceTimersByTime(30_000);
    setVisibility('visible');
    expect(StreamDouble.asked).toHaveLength(1);
    setVisibility('hidden');
    vi.advanceTimersByTime(60_000);
    expect(isOpen()).toBe(0);
    setVisibility('visible');
    expect(isOpen()).toBe(1);
    newest().say('open');
    expect(states.at(-1)).toBe('open');
  });

  test('does not reconnect after it was closed', () => {
    open();
    newest().say('open');
    newest().say('error');
    close();
    vi.advanceTimersByTime(60_000);
    expect(StreamDouble.asked).toHaveLength(1);
  });
});
