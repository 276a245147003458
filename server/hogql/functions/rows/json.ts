import { arrayOf, boolean, scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { jsonAt, jsonText } from '../json-path.ts';
import { once } from '../local-time.ts';
import { asDay, asMoment, asText, asWhole, defaultOf, fromUnix, writtenText } from '../read-argument.ts';

const STRING = scalar('String');
const INTEGERS = `'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'`;

/** What a part of JSON is as a value of a type, NULL when it is of another; `json` is named several times. */
type Take = (json: string) => string;

/** Other values as ClickHouse writes them: without spaces, whole floats without a point. */
function takeText(call: CallContext): Take {
  return (json) => {
    const number = asText({ sql: `CAST(${json} ->> '$' AS DOUBLE)`, type: scalar('Float64') }, call).sql;
    return `CASE json_type(${json}) WHEN 'VARCHAR' THEN ${json} ->> '$' WHEN 'NULL' THEN NULL WHEN 'DOUBLE' THEN ${number} ELSE CAST(${json} AS VARCHAR) END`;
  };
}

function takeRaw(call: CallContext): Take {
  return (json) => {
    const number = asText({ sql: `CAST(${json} ->> '$' AS DOUBLE)`, type: scalar('Float64') }, call).sql;
    return `CASE WHEN json_type(${json}) = 'DOUBLE' THEN ${number} ELSE CAST(${json} AS VARCHAR) END`;
  };
}

const WHOLE = '[+-]?[0-9]+';
const FLOAT = '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?';

/** A whole number: of a float or the text of a number what is before the point; `isCast`: true is 1. */
function takeWhole(isCast: boolean, range?: readonly [least: bigint, most: bigint]): Take {
  return (json) => {
    const text = `${json} ->> '$'`;
    const cut = `try_cast(trunc(try_cast(${text} AS DOUBLE)) AS BIGINT)`;
    const whole =
      `CASE json_type(${json}) WHEN 'DOUBLE' THEN ${cut} ` +
      `WHEN 'VARCHAR' THEN CASE WHEN regexp_full_match(${text}, '${WHOLE}') THEN try_cast(${text} AS BIGINT) ` +
      `WHEN regexp_full_match(${text}, '${FLOAT}') THEN ${cut} END ` +
      (isCast ? `WHEN 'BOOLEAN' THEN CAST(${text} = 'true' AS BIGINT) ` : '') +
      `ELSE CASE WHEN json_type(${json}) IN (${INTEGERS}) THEN try_cast(${text} AS BIGINT) END END`;
    return range === undefined
      ? whole
      : `CASE WHEN (${whole}) BETWEEN ${range[0]} AND ${range[1]} THEN (${whole}) END`;
  };
}

function takeFloat(isCast: boolean): Take {
  return (json) =>
    `CASE WHEN json_type(${json}) IN (${INTEGERS}, 'DOUBLE') THEN try_cast(${json} ->> '$' AS DOUBLE) ` +
    `WHEN json_type(${json}) = 'VARCHAR' AND regexp_full_match(${json} ->> '$', '${FLOAT}') THEN try_cast(${json} ->> '$' AS DOUBLE) ` +
    (isCast ? `WHEN json_type(${json}) = 'BOOLEAN' THEN CAST(${json} ->> '$' = 'true' AS DOUBLE) ` : '') +
    'END';
}

/** Whether it is true, or a whole number beside 0. */
const takeTruth: Take = (json) =>
  `CASE WHEN json_type(${json}) = 'BOOLEAN' THEN ${json} ->> '$' = 'true' ` +
  `WHEN json_type(${json}) IN (${INTEGERS}) THEN ${json} ->> '$' <> '0' END`;

/** As a cast to Bool has it, by way of a number of 8 bits. */
const takeBool: Take = (json) =>
  `CASE WHEN json_type(${json}) = 'BOOLEAN' THEN ${json} ->> '$' = 'true' ELSE (${takeWhole(false, [0n, 255n])(json)}) <> 0 END`;

interface Wanted {
  type: ValueType;
  take: Take;
}

const SIZES: Readonly<Record<string, readonly [bigint, bigint]>> = Object.fromEntries(
  [8n, 16n, 32n].flatMap((bits) => [
    [`int${bits}`, [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]],
    [`uint${bits}`, [0n, 2n ** bits - 1n]],
  ]),
);
const POSITIVE = [0n, 2n ** 63n - 1n] as const;

/** The type of one value that a word names, or null. */
function scalarOf(name: string, call: CallContext): Wanted | null {
  if (Object.hasOwn(SIZES, name)) return { type: scalar('Int64'), take: takeWhole(true, SIZES[name]) };
  switch (name) {
    case 'string':
      return { type: STRING, take: takeText(call) };
    case 'int64':
      return { type: scalar('Int64'), take: takeWhole(true) };
    case 'uint64':
      return { type: scalar('UInt64'), take: takeWhole(true, POSITIVE) };
    case 'float32':
    case 'float64':
    case 'float':
      return { type: scalar('Float64'), take: takeFloat(true) };
    case 'bool':
      return { type: boolean(), take: takeBool };
    case 'uuid':
      return { type: scalar('UUID'), take: (json) => `try_cast(${textOf(json)} AS UUID)` };
    case 'date':
    case 'date32':
      return {
        type: scalar('Date'),
        take: (json) => asDay({ sql: textOf(json), type: scalar('String', true) }, call).sql,
      };
    case 'datetime':
    case 'datetime64': {
      const take: Take = (json) => {
        const moment = asMoment({ sql: textOf(json), type: scalar('String', true) }, call).sql;
        return `CASE WHEN json_type(${json}) IN (${INTEGERS}) THEN ${fromUnix(`try_cast(${json} ->> '$' AS BIGINT)`, 1_000_000)} ELSE ${moment} END`;
      };
      return {
        type: { name: 'DateTime', nullable: false, ...(name === 'datetime' ? { seconds: true } : {}) },
        take,
      };
    }
    default:
      return name === 'decimal' || name.startsWith('decimal(')
        ? { type: scalar('Float64'), take: takeFloat(false) }
        : null;
  }
}

/** A text in JSON; NULL for what is none. */
function textOf(json: string): string {
  return `(CASE WHEN json_type(${json}) = 'VARCHAR' THEN ${json} ->> '$' END)`;
}

/** The items of an array; none when it is no array. */
function itemsOf(json: string): string {
  return `CASE WHEN json_type(${json}) = 'ARRAY' THEN from_json(${json}, '["JSON"]') ELSE [] END`;
}

/** The type that a text such as `Array(Nullable(Float64))` names, or null. */
function wanted(text: string, call: CallContext): Wanted | null {
  const [, outer, inner] = /^\s*(Array|Nullable|LowCardinality|Map|Tuple)\((.*)\)\s*$/is.exec(text) ?? [];
  if (outer === undefined) return scalarOf(text.trim().toLowerCase(), call);
  switch (outer.toLowerCase()) {
    case 'map':
      return mapOf(inner!, call);
    case 'tuple':
      return tupleWanted(inner!, call);
    default:
  }
  const item = wanted(inner!, call);
  if (item === null || outer.toLowerCase() === 'lowcardinality') return item;
  if (outer.toLowerCase() === 'nullable') return { type: withNull(item.type), take: item.take };
  const [name, one] = [call.fresh(), call.fresh()];
  const take: Take = (json) => {
    const items = `CASE WHEN json_type(${json}) = 'ARRAY' THEN from_json(${json}, '["JSON"]') END`;
    const known = `list_transform(${items}, lambda ${name}: (${item.take(name)}))`;
    // An array of which no item is of the type is none.
    return once(known, call, (list) => {
      const filled = item.type.nullable
        ? list
        : `list_transform(${list}, lambda ${one}: coalesce(${one}, ${defaultOf(item.type)}))`;
      const isOne = `len(${list}) = 0 OR len(list_filter(${list}, lambda ${one}: ${one} IS NOT NULL)) > 0`;
      return `(CASE WHEN ${isOne} THEN ${filled} END)`;
    });
  };
  return { type: arrayOf(item.type), take };
}

/** Types between commas outside of brackets. */
function typesIn(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

/** An object as a map of its keys. */
function mapOf(text: string, call: CallContext): Wanted | null {
  const [key, value] = typesIn(text);
  const item = value === undefined ? null : wanted(value, call);
  if (item === null || key?.toLowerCase() !== 'string') return null;
  const take: Take = (json) => {
    const name = call.fresh();
    const part = once(partOf(json, name), call, (one) => `(${item.take(one)})`);
    return `CASE WHEN json_type(${json}) = 'OBJECT' THEN map(json_keys(${json}), list_transform(json_keys(${json}), lambda ${name}: ${orDefault(part, item.type)})) END`;
  };
  return { type: { name: 'Map', key: STRING, value: item.type, nullable: false }, take };
}

/** An array, or the fields of an object, as a tuple. */
function tupleWanted(text: string, call: CallContext): Wanted | null {
  const parts = typesIn(text).map((part) => {
    const [, name, type] = /^(?:(\w+)\s+)?(\w+(?:\(.*\))?)$/s.exec(part) ?? [];
    const item = type === undefined ? null : wanted(type, call);
    return item === null ? null : { name, item };
  });
  if (parts.includes(null)) return null;
  const known = parts as readonly { name: string | undefined; item: Wanted }[];
  const take: Take = (json) => {
    const items = known.map(({ name, item }, at) => {
      const inObject =
        name === undefined ? partOf(json, `json_keys(${json})[${at + 1}]`) : partOf(json, `'${name}'`);
      const part = `(CASE json_type(${json}) WHEN 'ARRAY' THEN json_extract(${json}, '$[${at}]') WHEN 'OBJECT' THEN ${inObject} END)`;
      return orDefault(
        once(part, call, (one) => `(${item.take(one)})`),
        item.type,
      );
    });
    return tupleSql(items);
  };
  return { type: tupleOf(known.map(({ item }) => item.type)), take };
}

/** A field of an object, by SQL for its name. */
function partOf(json: string, name: string): string {
  return `json_extract(${json}, '/' || replace(replace(${name}, '~', '~0'), '/', '~1'))`;
}

function orDefault(sql: string, type: ValueType): string {
  return type.nullable ? `(${sql})` : `coalesce(${sql}, ${defaultOf(type)})`;
}

/** A part of JSON, at the path that the arguments name after the text. */
function taking(name: string, wantedOf: Wanted | ((call: CallContext) => Wanted)): FunctionRow {
  return typed(name, [1, 20], (args, call) => {
    const { type, take } = typeof wantedOf === 'function' ? wantedOf(call) : wantedOf;
    const json = jsonAt(args[0]!, args.slice(1), call);
    return {
      sql: orDefault(
        once(json, call, (part) => `(${take(part)})`),
        type,
      ),
      type,
    };
  });
}

/** `JSONExtract(json, 'a', 'b', 'Array(String)')` */
function extract(args: readonly Printed[], call: CallContext): Printed {
  const name = writtenText(args, args.length - 1, call, 'The type');
  const found =
    wanted(name, call) ?? call.refuse(`Unknown JSON type '${name.slice(0, 60)}'.`, args.length - 1);
  const json = jsonAt(args[0]!, args.slice(1, -1), call);
  return {
    sql: orDefault(
      once(json, call, (part) => `(${found.take(part)})`),
      found.type,
    ),
    type: found.type,
  };
}

/** Names and parts of an object, as tuples. */
function keysAndValues(
  args: readonly Printed[],
  call: CallContext,
  { type, take }: Wanted,
  path: readonly Printed[],
): Printed {
  const key = call.fresh();
  const sql = once(jsonAt(args[0]!, path, call), call, (json) => {
    const value = once(partOf(json, key), call, (part) => `(${take(part)})`);
    // What is not of the type is left out.
    const keys = type.nullable
      ? `json_keys(${json})`
      : `list_filter(json_keys(${json}), lambda ${key}: ${value} IS NOT NULL)`;
    return `(CASE WHEN json_type(${json}) = 'OBJECT' THEN list_transform(${keys}, lambda ${key}: ${tupleSql([key, orDefault(value, type)])}) END)`;
  });
  return { sql: `coalesce(${sql}, [])`, type: arrayOf(tupleOf([STRING, type])) };
}

const raw = (call: CallContext): Wanted => ({ type: STRING, take: takeRaw(call) });
const text = (call: CallContext): Wanted => ({ type: STRING, take: takeText(call) });
const whole: Wanted = { type: scalar('Int64'), take: takeWhole(false) };
const positive: Wanted = { type: scalar('UInt64'), take: takeWhole(false, POSITIVE) };
const float: Wanted = { type: scalar('Float64'), take: takeFloat(false) };
const truth: Wanted = { type: scalar('Bool'), take: takeTruth };
const items = (call: CallContext): Wanted => {
  const item = call.fresh();
  return {
    type: arrayOf(STRING),
    take: (json) => `list_transform(${itemsOf(json)}, lambda ${item}: (${takeRaw(call)(item)}))`,
  };
};
const keys: Wanted = {
  type: arrayOf(STRING),
  take: (json) => `CASE WHEN json_type(${json}) = 'OBJECT' THEN json_keys(${json}) END`,
};
const size: Wanted = {
  type: scalar('UInt64'),
  take: (json) =>
    `CASE json_type(${json}) WHEN 'ARRAY' THEN CAST(json_array_length(${json}) AS BIGINT) WHEN 'OBJECT' THEN len(json_keys(${json})) END`,
};
const kind: Wanted = {
  type: STRING,
  take: (json) =>
    `CASE json_type(${json}) WHEN 'VARCHAR' THEN 'String' WHEN 'BIGINT' THEN 'Int64' ` +
    `WHEN 'UBIGINT' THEN CASE WHEN try_cast(${json} ->> '$' AS BIGINT) IS NULL THEN 'UInt64' ELSE 'Int64' END ` +
    `WHEN 'DOUBLE' THEN 'Double' WHEN 'BOOLEAN' THEN 'Bool' WHEN 'ARRAY' THEN 'Array' WHEN 'OBJECT' THEN 'Object' ` +
    `ELSE 'Null' END`,
};
const there: Wanted = { type: scalar('Bool'), take: (json) => `${json} IS NOT NULL` };

/** A name or a place, from 0, in a path of SQL/JSON: `.name`, `."name"`, `['name']`, `[0]`. */
const STEP = /\.([A-Za-z_$][\w$]*)|\."([^"]*)"|\['([^']*)'\]|\["([^"]*)"\]|\[(\d{1,9})\]/gy;

/** The steps of a path such as `$.a.b[0]`, as arguments of JSONExtract. */
function stepsOf(path: string, call: CallContext): Printed[] {
  const found = [...path.slice(1).matchAll(STEP)];
  const isRead = found.reduce((length, [step]) => length + step.length, 1) === path.length;
  if (!path.startsWith('$') || !isRead) {
    return call.refuse(`The path must be a JSON path such as '$.name[0].other'.`, 1);
  }
  return found.map(([, plain, quoted, single, double, place]) => {
    const constant = plain ?? quoted ?? single ?? double ?? Number(place) + 1;
    return { sql: '', type: scalar(typeof constant === 'string' ? 'String' : 'Int64'), constant };
  });
}

/** `JSON_VALUE(json, '$.a[0]')`: the text of what is neither an object nor a list; empty when it is not there. */
function valueAt(args: readonly Printed[], call: CallContext): Printed {
  const steps = stepsOf(writtenText(args, 1, call, 'The path'), call);
  const sql = once(jsonAt(args[0]!, steps, call), call, (part) => {
    return `(CASE json_type(${part}) WHEN 'OBJECT' THEN NULL WHEN 'ARRAY' THEN NULL WHEN 'NULL' THEN 'null' ELSE ${part} ->> '$' END)`;
  });
  return { sql: `coalesce(${sql}, '')`, type: STRING };
}

/** A value as JSON, in which moments are texts, tuples arrays and comparisons 1 or 0. */
function jsonOf(value: Printed, call: CallContext): string {
  return `CAST(to_json(${plainOf(value, call)}) AS VARCHAR)`;
}

/** A value of types that the engine writes to JSON as ClickHouse does. */
export function plainOf(value: Printed, call: CallContext): string {
  const { sql, type } = value;
  switch (type.name) {
    case 'Bool':
      return type.isBoolean === true ? sql : `CAST(${sql} AS TINYINT)`;
    case 'DateTime':
      return asText(value, call).sql;
    case 'Float64': {
      const number = `CAST(${asText(value, call).sql} AS JSON)`;
      return `(CASE WHEN isfinite(${sql}) THEN ${number} WHEN ${sql} IS NOT NULL THEN CAST('null' AS JSON) END)`;
    }
    case 'Array': {
      const one = call.fresh();
      return `list_transform(${sql}, lambda ${one}: ${plainOf({ sql: one, type: type.item }, call)})`;
    }
    case 'Tuple': {
      const parts = type.items.map(
        (item, at) => `to_json(${plainOf({ sql: tuplePartSql(sql, at + 1), type: item }, call)})`,
      );
      return `to_json([${parts.map((part) => `coalesce(${part}, CAST('null' AS JSON))`).join(', ')}])`;
    }
    default:
      return sql;
  }
}

/** The older names read a field of an object. */
const older = ['visitParam', 'simpleJSON'].flatMap((prefix) =>
  (
    [
      ['Has', there],
      ['ExtractString', text],
      ['ExtractInt', whole],
      ['ExtractUInt', positive],
      ['ExtractFloat', float],
      ['ExtractBool', truth],
      ['ExtractRaw', raw],
    ] as const
  ).map(([name, type]) => ({ ...taking(`${prefix}${name}`, type), minArgs: 2, maxArgs: 2 })),
);

export const json: readonly FunctionRow[] = [
  taking('JSONExtractString', text),
  taking('JSONExtractInt', whole),
  taking('JSONExtractUInt', positive),
  taking('JSONExtractFloat', float),
  taking('JSONExtractBool', truth),
  taking('JSONExtractRaw', raw),
  taking('JSONExtractArrayRaw', items),
  taking('JSONExtractKeys', keys),
  taking('JSONLength', size),
  taking('JSONArrayLength', {
    type: scalar('UInt64', true),
    take: (json) =>
      `CASE json_type(${json}) WHEN 'ARRAY' THEN CAST(json_array_length(${json}) AS BIGINT) END`,
  }),
  taking('JSONType', kind),
  taking('JSONHas', there),
  typed('JSONExtract', [2, 20], extract),
  typed('JSONExtractKeysAndValuesRaw', [1, 20], (args, call) =>
    keysAndValues(args, call, raw(call), args.slice(1)),
  ),
  typed('JSONExtractKeysAndValues', [2, 20], (args, call) => {
    const name = writtenText(args, args.length - 1, call, 'The type');
    const found =
      wanted(name, call) ?? call.refuse(`Unknown JSON type '${name.slice(0, 60)}'.`, args.length - 1);
    return keysAndValues(args, call, found, args.slice(1, -1));
  }),
  typed('isValidJSON', 1, ([text], call) => ({
    sql: `json_valid(${asText(text!, call, 0).sql})`,
    type: scalar('Bool', text!.type.nullable),
  })),
  typed('toJSONString', 1, ([value], call) => {
    const { type } = value!;
    if (type.name === 'JSON') return { sql: jsonText(value!, call), type: STRING };
    if (type.nullable) return { sql: jsonOf(value!, call), type: withNull(STRING) };
    return { sql: jsonOf(value!, call), type: STRING };
  }),
  typed('JSON_VALUE', 2, valueAt),
  // The name of the field of an object that is at a place, from 1.
  typed('JSONExtractKey', [2, 20], (args, call) => {
    const place = asWhole(args.at(-1)!, call, args.length - 1).sql;
    const found = once(jsonAt(args[0]!, args.slice(1, -1), call), call, (json) => {
      const name = `json_keys(${json})[${place}]`;
      return `(CASE WHEN json_type(${json}) = 'OBJECT' THEN ${name} END)`;
    });
    return { sql: `coalesce(${found}, '')`, type: STRING };
  }),
  ...older,
];
