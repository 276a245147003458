import { describe, expect, test } from 'vitest';
import { demoKind, type DemoKind, type DemoScript } from './demo.contract.ts';
import { STORIES } from './demo.service.ts';
import { createLivePlayer, readVisits, type LivePlayer, type Visit } from './live-events.ts';

const NOW = Date.parse('2026-11-20T09:30:00Z');
const MINUTE = 60_000;
const IDS = { surveyId: 'survey', questionId: 'question' };

function visitsOf(kind: DemoKind, wanted: 'usual' | 'launch'): Visit[] {
  const reading = readVisits({ story: STORIES[kind], size: 'small', seed: 1, from: NOW, ids: IDS }, wanted);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

interface Sent {
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, any>;
}

/** The events of each of `minutes`, looked for every second. */
function play(player: LivePlayer, minutes: number, kind: DemoKind = 'saas'): Sent[][] {
  return Array.from({ length: minutes }, (_, minute) =>
    Array.from({ length: 60 }, (__, second) => {
      const wanted = player.wanted();
      if (wanted !== null) player.add(wanted, visitsOf(kind, wanted));
      return player.take(NOW + minute * MINUTE + (second + 1) * 1000);
    })
      .flat()
      .map((text) => JSON.parse(text)),
  );
}

function playerOf(script: DemoScript, { at = NOW, eventsPerMinute = 300, seed = 1 } = {}): LivePlayer {
  return createLivePlayer({ eventsPerMinute, script, at }, { start: NOW, seed });
}

describe('the events of live mode', () => {
  test.each(demoKind.options)(
    '%s: come at the chosen rate, each with its own moment, in whole sessions',
    (kind) => {
      const minutes = play(playerOf('steady'), 12, kind);
      const later = minutes.slice(4).flat();
      expect(later.length / 8).toBeGreaterThan(200);
      expect(later.length / 8).toBeLessThan(400);
      for (const [minute, events] of minutes.entries())
        for (const { timestamp } of events) {
          expect(Date.parse(timestamp)).toBeLessThanOrEqual(NOW + (minute + 1) * MINUTE);
          expect(Date.parse(timestamp)).toBeGreaterThan(NOW + (minute - 1) * MINUTE);
        }
      const sizes = new Map<string, number>();
      for (const { properties } of minutes.flat())
        sizes.set(properties['$session_id'], (sizes.get(properties['$session_id']) ?? 0) + 1);
      expect(Math.max(...sizes.values())).toBeGreaterThan(4);
      expect(minutes.flat().some(({ event }) => event === '$identify')).toBe(true);
    },
  );

  test('are the same for the same seed', () => {
    const shapeOf = (seed: number) =>
      play(playerOf('steady', { seed }), 3)
        .flat()
        .map(({ event, timestamp }) => [event, timestamp]);
    expect(shapeOf(1)).toEqual(shapeOf(1));
    expect(shapeOf(2)).not.toEqual(shapeOf(1));
  });

  test('hold no moment that is still to come', () => {
    for (const { timestamp, ...event } of play(playerOf('steady'), 30).flat())
      for (const [moment] of JSON.stringify(event).matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g))
        expect(moment <= timestamp).toBe(true);
  });

  test('of persons who have been there before go on', () => {
    const before: string[] = [];
    const reading = readVisits({ story: STORIES.saas, size: 'small', seed: 1, from: NOW - 7 * 24 * 60 * MINUTE, ids: IDS }, 'usual'); // prettier-ignore
    for (let step = reading.next(); ; step = reading.next()) {
      if (step.done !== true) continue;
      before.push(...step.value.flat().map(({ event }) => String(event['distinct_id'])));
      break;
    }
    const known = new Set(before.filter((id) => id.startsWith('user_')));
    const now = new Set(
      visitsOf('saas', 'usual')
        .flat()
        .map(({ event }) => String(event['distinct_id'])),
    );
    expect([...now].filter((id) => known.has(id)).length).toBeGreaterThan(5);
  });

  test('a launch brings its visitors from its moment on, and they become fewer again', () => {
    const at = NOW + 5 * MINUTE;
    const minutes = play(playerOf('launch', { at, eventsPerMinute: 60 }), 70);
    const totalOf = (from: number, to: number) => minutes.slice(from, to).flat().length / (to - from);
    const launched = (from: number, to: number) =>
      minutes
        .slice(from, to)
        .flat()
        .filter(({ properties }) => properties['utm_campaign'] === 'launch').length;
    expect(launched(0, 5)).toBe(0);
    expect(launched(8, 20)).toBeGreaterThan(30);
    expect(totalOf(10, 20)).toBeGreaterThan(3 * totalOf(0, 5));
    expect(totalOf(60, 70)).toBeLessThan(totalOf(10, 20) / 2);
  });

  test.each(demoKind.options)(
    '%s: an outage lasts 15 minutes, in which requests fail and nothing is done',
    (kind) => {
      const at = NOW + 10 * MINUTE;
      const minutes = play(playerOf('outage', { at }), 35, kind);
      const failuresOf = (from: number, to: number) =>
        minutes
          .slice(from, to)
          .flat()
          .filter(({ properties }) => properties['$exception_type'] === 'ApiError');
      expect(failuresOf(0, 10)).toEqual([]);
      const failures = failuresOf(10, 25);
      expect(failures.length).toBeGreaterThan(50);
      for (const { event, properties } of failures) {
        expect(event).toBe('$exception');
        expect(Object.keys(properties)).not.toContain('$set');
      }
      expect(failuresOf(26, 35)).toEqual([]);
      const during = minutes.slice(11, 24).flat().length;
      expect(during).toBeLessThan(minutes.slice(0, 10).flat().length * 1.3);
    },
  );

  test('a computer that has slept does not catch up on hours', () => {
    const player = playerOf('steady');
    play(player, 2);
    expect(player.take(NOW + 8 * 60 * MINUTE).length).toBeLessThan(300);
  });
});
