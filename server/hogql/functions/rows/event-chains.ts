import { arrayOf, scalar } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asCondition, asMoment, asNumber, asWhole, writtenText } from '../read-argument.ts';

/** Conditions of a pattern of events: each set of them is a letter. */
const MOST_CONDITIONS = 10;
/** Events of one group that a pattern is matched with. */
const MOST_EVENTS = 50_000;
/** The letter of an event that fulfils no condition; those of others follow. */
const FIRST_LETTER = 0x100;
/** Letters of a pattern's repetitions take time to compile. */
const MOST_PATTERN = 500;

const MOST_RETENTION = 32;

/** A condition of an event; NULL does not hold. */
function conditionOf(argument: Printed, call: CallContext, at: number): string {
  const { sql, type } = asCondition(argument, call, at);
  return type.nullable ? `coalesce(${sql}, false)` : sql;
}

/** `retention(first, second, …)`: whether the first was ever fulfilled, and each other one beside it. */
function retention(args: readonly Printed[], call: CallContext): Printed {
  const found = args.map((one, at) => {
    const any = aggregateCall(call, `bool_or(${conditionOf(one, call, at)})`);
    return `coalesce(${any}, false)`;
  });
  const [first, ...others] = found;
  const both = others.map((other) => `(${first!} AND ${other})`);
  return { sql: `[${[first!, ...both].join(', ')}]`, type: arrayOf(scalar('Bool')) };
}

/** The letters of all events that fulfil a condition, as a class of a regular expression. */
function classOf(condition: number, count: number): string {
  const letters = Array.from({ length: 2 ** count }, (_, bits) => bits).filter(
    (bits) => (bits >> (condition - 1)) & 1,
  );
  return `[${letters.map((bits) => String.fromCodePoint(FIRST_LETTER + bits)).join('')}]`;
}

/** A pattern of events as one of letters. Refuses one that speaks of time. */
function patternOf(call: CallContext, count: number): string {
  const text = writtenText(call.params, 0, call, 'The pattern');
  if (text.length > MOST_PATTERN)
    return call.refuse(`The pattern can have up to ${MOST_PATTERN} characters.`);
  const parts = text.match(/\(\?\d+\)|\.\*|\.|\s+|\(\?t[^)]*\)|./gs) ?? [];
  return parts
    .map((part) => {
      const condition = /^\(\?(\d+)\)$/.exec(part)?.[1];
      if (condition !== undefined) {
        const number = Number(condition);
        if (number < 1 || number > count) call.refuse(`The pattern names condition ${number} of ${count}.`);
        return classOf(number, count);
      }
      if (part === '.') return '.';
      // As few events as possible, so that the next match begins early.
      if (part === '.*') return '.*?';
      if (part.trim() === '') return '';
      return call.refuse(
        part.startsWith('(?t')
          ? 'Time conditions in patterns of events are not supported.'
          : `Unexpected "${part}" in the pattern: (?1), . and .* are allowed.`,
      );
    })
    .join('');
}

/** The events that fulfil any condition, in the order of their time, each as a letter. */
function letters(args: readonly Printed[], call: CallContext): { sql: string; count: number } {
  const [time, ...conditions] = args;
  const truths = conditions.map((one, at) => conditionOf(one, call, at + 1));
  const bits = truths.map((sql, at) => `CASE WHEN ${sql} THEN ${2 ** at} ELSE 0 END`).join(' + ');
  const at = ['Int64', 'UInt64', 'Float64'].includes(time!.type.name)
    ? asWhole(time!, call, 0).sql
    : asMoment(time!, call, 0).sql;
  const text = `string_agg(chr(CAST(${FIRST_LETTER} + ${bits} AS INTEGER)), '' ORDER BY ${at})`;
  return {
    sql: `coalesce(${aggregateCall(call, text, `(${truths.join(' OR ')})`)}, '')`,
    count: truths.length,
  };
}

/** `sequenceMatch(pattern)(time, first, …)` and `sequenceCount`: a chain of events as a pattern says. */
function sequence(name: string, isCount: boolean): FunctionRow {
  const row = aggregate(name, [2, MOST_CONDITIONS + 1], (args, call) => {
    const { sql: text, count } = letters(args, call);
    const pattern = call.bind(patternOf(call, count)).sql;
    const sql = once(text, call, (events) => {
      const found = isCount
        ? `CAST(len(regexp_extract_all(${events}, ${pattern}, 0, 's')) AS BIGINT)`
        : `regexp_matches(${events}, '(' || ${pattern} || ')', 's')`;
      return unlessTooLarge(`length(${events}) > ${MOST_EVENTS}`, found);
    });
    return { sql, type: scalar(isCount ? 'UInt64' : 'Bool') };
  });
  return { ...row, minParams: 1, maxParams: 1 };
}

/** `exponentialMovingAverage(half)(value, time)`: a mean in which a value counts half after so much time. */
function movingAverage([value, time]: readonly Printed[], call: CallContext): Printed {
  const half = asNumber(call.params[0]!, call).sql;
  const at =
    time!.type.name === 'DateTime' || time!.type.name === 'Date'
      ? `(epoch_us(CAST(${time!.sql} AS TIMESTAMP)) / 1000000)`
      : asNumber(time!, call, 1).sql;
  const number = `CAST(${asNumber(value!, call, 0).sql} AS DOUBLE)`;
  const known = `${number} IS NOT NULL AND ${at} IS NOT NULL`;
  const rows = aggregateCall(call, `list({'v': ${number}, 't': CAST(${at} AS DOUBLE)})`, known);
  const row = call.fresh();
  const sql = once(`coalesce(${rows}, [])`, call, (list) => {
    const last = `list_max(list_transform(${list}, lambda ${row}: ${row}.t))`;
    const sum = once(last, call, (end) => {
      return `list_sum(list_transform(${list}, lambda ${row}: ${row}.v * pow(2, (${row}.t - ${end}) / ${half})))`;
    });
    return `(${sum} * (1 - pow(2, -1 / CAST(${half} AS DOUBLE))))`;
  });
  return { sql, type: scalar('Float64', true) };
}

/** Aggregates of events in their order, or of what a person ever did. */
export const eventChains: readonly FunctionRow[] = [
  aggregate('retention', [1, MOST_RETENTION], retention),
  sequence('sequenceMatch', false),
  sequence('sequenceCount', true),
  { ...aggregate('exponentialMovingAverage', 2, movingAverage), minParams: 1, maxParams: 1 },
];
