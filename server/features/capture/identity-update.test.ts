import { describe, expect, test } from 'vitest';
import { contradictsItself, readIdentity } from './identity-update.ts';

const nothing = { set: null, setOnce: null, unset: null, merge: null, groupIdentify: null, groups: null };

describe('6.2 anonymous events', () => {
  test('change no persons and groups', () => {
    const properties = { $set: { a: 1 }, $groups: { company: 'acme' } };
    expect(readIdentity('signup', properties, true)).toBeNull();
  });
  test.each(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'])(
    'called %s contradict themselves',
    (event) => {
      expect(contradictsItself(event, true)).toBe(true);
      expect(contradictsItself(event, false)).toBe(false);
    },
  );
  test('called %s do not', () => expect(contradictsItself('$set', true)).toBe(false));
});

describe('6.3 property updates', () => {
  test('are read from any event', () => {
    const properties = { $set: { plan: 'pro' }, $set_once: { first: 1 }, $unset: ['old', 7] };
    expect(readIdentity('signup', properties, false)).toEqual({
      ...nothing,
      set: { plan: 'pro' },
      setOnce: { first: 1 },
      unset: ['old'],
    });
  });
  test('$unset may be an object', () => {
    expect(readIdentity('$set', { $unset: { a: '', b: 1 } }, false)?.unset).toEqual(['a', 'b']);
  });
  test.each(['$exception', '$$heatmap'])('are not read from %s', (event) => {
    expect(readIdentity(event, { $set: { a: 1 }, $unset: ['b'] }, false)).toBeNull();
  });
  test.each([[null], ['text'], [[1]], [{}]])('%j is ignored', (value) => {
    expect(readIdentity('signup', { $set: value, $set_once: value }, false)).toBeNull();
  });
});

describe('6.4 and 6.5 merges', () => {
  test.each([
    ['$identify', { $anon_distinct_id: 'anon' }],
    ['$create_alias', { alias: 'anon' }],
    ['$merge_dangerously', { alias: 'anon' }],
  ])('%s has the other id', (event, properties) => {
    expect(readIdentity(event, properties, false)?.merge).toEqual({ kind: event, otherId: 'anon' });
  });
  test('an id of another type is converted to text', () => {
    expect(readIdentity('$create_alias', { alias: 12 }, false)?.merge?.otherId).toBe('12');
  });
  test.each([[undefined], [null], ['']])('%j has no other id', (alias) => {
    expect(readIdentity('$create_alias', { alias }, false)).toBeNull();
  });
  test('the properties of other events are not merges', () => {
    expect(readIdentity('signup', { alias: 'x', $anon_distinct_id: 'y' }, false)).toBeNull();
  });
});

describe('6.7 groups', () => {
  test('$groupidentify names type, key and properties', () => {
    const properties = { $group_type: 'company', $group_key: 5, $group_set: { seats: 3 } };
    expect(readIdentity('$groupidentify', properties, false)?.groupIdentify).toEqual({
      type: 'company',
      key: '5',
      set: { seats: 3 },
    });
  });
  test('a missing $group_set is empty', () => {
    const properties = { $group_type: 'company', $group_key: 'acme' };
    expect(readIdentity('$groupidentify', properties, false)?.groupIdentify?.set).toEqual({});
  });
  test.each([
    [{ $group_type: '', $group_key: 'acme' }],
    [{ $group_key: 'acme' }],
    [{ $group_type: 'company', $group_key: 0 }],
  ])('%j is ignored', (properties) => {
    expect(readIdentity('$groupidentify', properties, false)).toBeNull();
  });
  test('$groups names a key of each type, as text', () => {
    const $groups = { company: 'acme', team: 7, empty: '', none: null, list: [1] };
    expect(readIdentity('signup', { $groups }, false)?.groups).toEqual({ company: 'acme', team: '7' });
  });
  test.each([['acme'], [['acme']], [7], [{}]])('$groups %j is ignored', ($groups) => {
    expect(readIdentity('signup', { $groups }, false)).toBeNull();
  });
});
