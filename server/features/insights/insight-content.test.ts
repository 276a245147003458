import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SIGNUPS } from '../../../test/support/insights.ts';
import { isQuery } from '../query/index.ts';
import { contentOf, EMPTY_INSIGHT, isModified, logFieldsOf } from './insight-content.ts';
import { writeInsightBody, type WriteInsightBody } from './insights.contract.ts';

const OLD_FILTERS = { insight: 'TRENDS', events: [{ id: 'signup' }] };
const sql = { kind: 'HogQLQuery', query: 'select 1' };

/** What clients send, as the schema hands it on. */
const sent = fc
  .record(
    {
      name: fc.option(fc.string({ maxLength: 20 })),
      derived_name: fc.option(fc.string({ maxLength: 20 })),
      description: fc.option(fc.string()),
      filters: fc.constantFrom({}, OLD_FILTERS, { insight: 'PATHS' }, { insight: 'UNKNOWN' }, null),
      query: fc.constantFrom(SIGNUPS, sql, null),
      order: fc.option(fc.integer({ min: -9, max: 9 })),
      tags: fc.array(fc.constantFrom('a', 'b', ' C ')),
      favorited: fc.boolean(),
      saved: fc.boolean(),
      deleted: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((body): WriteInsightBody => writeInsightBody.parse(body));
/** An insight after any changes. */
const content = fc.array(sent, { maxLength: 3 }).map((bodies) => bodies.reduce(contentOf, EMPTY_INSIGHT));

describe('a change of an insight', () => {
  test('with an empty body has no effect', () => {
    fc.assert(
      fc.property(content, (old) => {
        expect(contentOf(old, {})).toEqual(old);
      }),
    );
  });

  test('applied twice is the same as once', () => {
    fc.assert(
      fc.property(content, sent, (old, body) => {
        const once = contentOf(old, body);
        expect(contentOf(once, body)).toEqual(once);
        expect(isModified(once, contentOf(once, body))).toBe(false);
      }),
    );
  });

  test('keeps omitted fields', () => {
    fc.assert(
      fc.property(content, sent, (old, body) => {
        const [before, after] = [logFieldsOf(old), logFieldsOf(contentOf(old, body))];
        const question = ['filters', 'query'];
        const named = new Set([
          ...Object.keys(body),
          ...(question.some((key) => key in body) ? question : []),
        ]);
        for (const key of Object.keys(before)) if (!named.has(key)) expect(after[key]).toEqual(before[key]);
      }),
    );
  });

  test('stores a valid query, and a sent one unchanged', () => {
    fc.assert(
      fc.property(content, sent, (old, body) => {
        const { query, filters } = logFieldsOf(contentOf(old, body));
        expect(query === null || isQuery(query)).toBe(true);
        if (body.query) expect(query).toEqual(body.query);
        if (body.filters && Object.keys(body.filters).length > 0) expect(filters).toEqual(body.filters);
      }),
    );
  });
});
