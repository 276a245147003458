import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deviceOf, layOut, type TimelineEvent } from './timeline.ts';

const now = new Date(2026, 10, 19, 14, 32).getTime();
let count = 0;

function anEvent(event: string, minutesAgo: number, properties: Record<string, unknown> = {}): TimelineEvent {
  count += 1;
  const timestamp = new Date(now - minutesAgo * 60_000).toISOString();
  return { id: `e${count}`, event, timestamp, lib: 'web', distinct_id: 'ana', properties };
}

const look = (path: string, minutesAgo: number, session = 's1') =>
  anEvent('$pageview', minutesAgo, { $pathname: path, $session_id: session });

const words = (events: TimelineEvent[], isGrouped = true) =>
  layOut(events, { isGrouped, now }).map((item) => {
    if (item.kind === 'day') return `— ${item.label}: ${item.count}`;
    if (item.kind === 'event') return item.event.event;
    if (item.kind === 'run') return [item.title, item.text, item.span].filter(Boolean).join(' | ');
    return `began ${item.text}`.trim();
  });

describe('a timeline', () => {
  test('has a line for each day', () => {
    expect(words([anEvent('a', 1), anEvent('b', 2), anEvent('c', 24 * 60)])).toEqual([
      '— Today, Thu 19 Nov: 2',
      'a',
      'b',
      '— Wed 18 Nov: 1',
      'c',
    ]);
  });

  test('a series of pageviews is one line, in order', () => {
    const events = [look('/send', 1), look('/preview', 2), look('/invoices', 3), anEvent('x', 4)];
    expect(words(events)[1]).toBe('Viewed 3 pages | /invoices, then /preview, then /send | 2 min');
    expect(words(events, false)).toHaveLength(5);
  });

  test('many pages are shown by the first and the last, ignoring $pageleave in between', () => {
    const events = [
      look('/d', 1),
      look('/c', 2),
      anEvent('$pageleave', 3, { $session_id: 's1' }),
      look('/b', 4),
      look('/a', 5),
    ];
    expect(words(events)[1]).toBe('Viewed 4 pages | /a to /d | 4 min');
  });

  test('a single quiet event keeps its own line', () => {
    expect(words([look('/a', 1), anEvent('x', 2)])).toContain('$pageview');
  });

  test('a session starts where the previous one ends; the start of the last one is unknown', () => {
    const events = [look('/b', 1, 's2'), look('/a', 60, 's1')];
    expect(words(events)).toEqual(['— Today, Thu 19 Nov: 2', '$pageview', 'began', '$pageview']);
  });

  test('no event is lost or duplicated', () => {
    const some = fc.array(
      fc.record({
        name: fc.constantFrom('$pageview', '$pageleave', 'paid'),
        session: fc.constantFrom('a', 'b', ''),
      }),
    );
    fc.assert(
      fc.property(some, fc.boolean(), (list, isGrouped) => {
        const events = list.map(({ name, session }, at) =>
          anEvent(name, at * 97, { $session_id: session || undefined }),
        );
        const shown = layOut(events, { isGrouped, now }).flatMap((item) =>
          item.kind === 'event' ? [item.event] : item.kind === 'run' ? item.events : [],
        );
        expect(shown).toEqual(events);
      }),
    );
  });
});

test('a session has a browser, a system and a place', () => {
  expect(deviceOf(anEvent('x', 1, { $browser: 'Firefox', $os: 'Linux', $geoip_country_name: 'Spain' }))).toBe(
    'Firefox on Linux, Spain',
  );
  expect(deviceOf(anEvent('x', 1, { $os: 'iOS' }))).toBe('iOS');
  expect(deviceOf(anEvent('x', 1))).toBe('');
});
