import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOn, newToken, refreshed, settled, turnedOff, turnedOn, type LinkState } from './link-state.ts';
import { hashOfShareToken } from './share-token.ts';

type Step =
  { do: 'on' | 'off' | 'refresh' } | { do: 'expire'; inMs: number | null } | { do: 'wait'; ms: number };

const ms = fc.constantFrom(1, 100_000, 299_999, 300_000, 1_000_000);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('on', 'on', 'off', 'refresh') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), inMs: fc.option(ms) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms }) },
);

/** What a person would write down of a link: what opens it until when, and which tokens are dead for good. */
interface Notes {
  on: boolean;
  until: number;
  token: string;
  grace: { token: string; until: number } | null;
  dead: Set<string>;
}

function end(notes: Notes): void {
  if (notes.on) notes.dead.add(notes.token);
  if (notes.grace !== null) notes.dead.add(notes.grace.token);
  Object.assign(notes, { on: false, grace: null });
}

/** Notes what a step means; `after` is the token that the link has then. */
function note(notes: Notes, step: Step, after: string, now: number): void {
  if (step.do === 'off') end(notes);
  if (step.do === 'expire') notes.until = step.inMs === null ? Infinity : now + step.inMs;
  if (step.do === 'refresh') {
    expect(after).not.toBe(notes.token);
    if (notes.on) {
      if (notes.grace !== null) notes.dead.add(notes.grace.token);
      notes.grace = { token: notes.token, until: now + 300_000 };
    }
  }
  if (step.do === 'on') notes.on = true;
  if (step.do === 'on' || step.do === 'refresh') notes.token = after;
  expect(notes.token).toBe(after);
}

function taken(link: LinkState, step: Step, now: number): LinkState {
  if (step.do === 'on') return turnedOn(link);
  if (step.do === 'off') return turnedOff(link);
  if (step.do === 'refresh') return refreshed(link, now);
  if (step.do === 'expire')
    return { ...link, expiresAt: step.inMs === null ? null : new Date(now + step.inMs).toISOString() };
  return link;
}

/** As the look-up of tokens in sharing.reads.ts says it. */
function opens(link: LinkState, token: string, now: number): boolean {
  const hash = hashOfShareToken(token);
  const isBefore = link.previousHash === hash && Date.parse(link.previousUntil!) > now;
  return isOn(link, now) && (link.tokenHash === hash || isBefore);
}

test('M4.2/states after any steps, exactly the valid tokens open a link', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 5, maxLength: 30 }), (steps) => {
      let now = Date.UTC(2026, 10, 20, 9, 30);
      let link: LinkState = {
        ...newToken(),
        enabled: false,
        tokenUsed: false,
        previousHash: null,
        previousUntil: null,
        expiresAt: null,
      };
      const notes: Notes = {
        on: false,
        until: Infinity,
        token: link.accessToken,
        grace: null,
        dead: new Set(),
      };
      const seen = new Set([link.accessToken]);
      for (const step of steps) {
        if (step.do === 'wait') now += step.ms;
        if (now >= notes.until) {
          end(notes);
          notes.until = Infinity;
        }
        // What has ended is noticed at the next change.
        if (step.do !== 'wait') link = taken(settled(link, now), step, now);
        if (step.do !== 'wait') note(notes, step, link.accessToken, now);
        seen.add(link.accessToken);
        expect(link.tokenHash).toBe(hashOfShareToken(link.accessToken));
        expect(isOn(link, now)).toBe(notes.on);
        for (const token of seen) {
          const isGrace = notes.grace?.token === token && now < notes.grace.until;
          expect(opens(link, token, now)).toBe(notes.on && (token === notes.token || isGrace));
          if (notes.dead.has(token)) expect(opens(link, token, now)).toBe(false);
        }
      }
    }),
    { numRuns: 500 },
  );
});
