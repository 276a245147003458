import { arrayOf, duckdbType, scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { jsonAt, jsonText } from '../json-path.ts';
import { once } from '../local-time.ts';
import { asText, defaultOf, writtenText } from '../read-argument.ts';

const STRING = scalar('String');
const NUMBERS = `'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE'`;

/** What a part of JSON is as a value of a type, NULL when it is of another; `json` is named several times. */
type Take = (json: string) => string;

const takeText: Take = (json) => `CASE WHEN json_type(${json}) = 'VARCHAR' THEN ${json} ->> '$' END`;
const takeWhole: Take = (json) =>
  `CASE WHEN json_type(${json}) IN (${NUMBERS}) THEN coalesce(try_cast(${json} ->> '$' AS BIGINT), ` +
  `try_cast(trunc(try_cast(${json} ->> '$' AS DOUBLE)) AS BIGINT)) ` +
  `WHEN json_type(${json}) = 'BOOLEAN' THEN CAST(${json} ->> '$' = 'true' AS BIGINT) END`;
const takeFloat: Take = (json) =>
  `CASE WHEN json_type(${json}) IN (${NUMBERS}) THEN try_cast(${json} ->> '$' AS DOUBLE) ` +
  `WHEN json_type(${json}) = 'BOOLEAN' THEN CAST(${json} ->> '$' = 'true' AS DOUBLE) END`;
const takeBool: Take = (json) =>
  `CASE WHEN json_type(${json}) = 'BOOLEAN' THEN ${json} ->> '$' = 'true' ` +
  `WHEN json_type(${json}) IN (${NUMBERS}) THEN try_cast(${json} ->> '$' AS DOUBLE) <> 0 END`;
const takeRaw: Take = (json) => `CAST(${json} AS VARCHAR)`;

interface Wanted {
  type: ValueType;
  take: Take;
}

const SCALARS: Readonly<Record<string, Wanted>> = {
  string: { type: STRING, take: takeText },
  bool: { type: scalar('Bool'), take: takeBool },
  uuid: { type: scalar('UUID'), take: (json) => `try_cast(${takeText(json)} AS UUID)` },
  ...Object.fromEntries(
    ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'].map((name) => [
      name,
      { type: scalar('Int64'), take: takeWhole },
    ]),
  ),
  ...Object.fromEntries(
    ['float32', 'float64', 'float'].map((name) => [name, { type: scalar('Float64'), take: takeFloat }]),
  ),
};

/** The items of an array; none when it is no array. */
function itemsOf(json: string): string {
  return `CASE WHEN json_type(${json}) = 'ARRAY' THEN from_json(${json}, '["JSON"]') ELSE [] END`;
}

/** The type that a text such as `Array(Nullable(Float64))` names, or null. */
function wanted(text: string, call: CallContext): Wanted | null {
  const [, outer, inner] = /^\s*(Array|Nullable|LowCardinality)\((.*)\)\s*$/i.exec(text) ?? [];
  if (outer === undefined) {
    const name = text.trim().toLowerCase();
    return Object.hasOwn(SCALARS, name) ? SCALARS[name]! : null;
  }
  const item = wanted(inner!, call);
  if (item === null || outer.toLowerCase() === 'lowcardinality') return item;
  if (outer.toLowerCase() === 'nullable') return { type: withNull(item.type), take: item.take };
  const name = call.fresh();
  const take: Take = (json) => {
    return `list_transform(${itemsOf(json)}, lambda ${name}: ${orDefault(item.take(name), item.type)})`;
  };
  return { type: arrayOf(item.type), take };
}

function orDefault(sql: string, type: ValueType): string {
  return type.nullable ? `(${sql})` : `coalesce(${sql}, ${defaultOf(type)})`;
}

/** A part of JSON, at the path that the arguments name after the text. */
function taking(name: string, { type, take }: Wanted): FunctionRow {
  return typed(name, [1, 20], (args, call) => {
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
    const pointer = `'/' || replace(replace(${key}, '~', '~0'), '/', '~1')`;
    const value = once(`json_extract(${json}, ${pointer})`, call, (part) => `(${take(part)})`);
    return `(CASE WHEN json_type(${json}) = 'OBJECT' THEN list_transform(json_keys(${json}), lambda ${key}: ${tupleSql([key, orDefault(value, type)])}) END)`;
  });
  return { sql: `coalesce(${sql}, [])`, type: arrayOf(tupleOf([STRING, type])) };
}

const raw: Wanted = { type: STRING, take: takeRaw };
const items: Wanted = {
  type: arrayOf(STRING),
  take: (json) => `list_transform(${itemsOf(json)}, lambda v: CAST(v AS VARCHAR))`,
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
    `CASE json_type(${json}) WHEN 'VARCHAR' THEN 'String' WHEN 'BIGINT' THEN 'Int64' WHEN 'UBIGINT' THEN 'Int64' ` +
    `WHEN 'DOUBLE' THEN 'Double' WHEN 'BOOLEAN' THEN 'Bool' WHEN 'ARRAY' THEN 'Array' WHEN 'OBJECT' THEN 'Object' ` +
    `WHEN 'NULL' THEN 'Null' END`,
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
    return `(CASE WHEN json_type(${part}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN ${part} ->> '$' END)`;
  });
  return { sql: `coalesce(${sql}, '')`, type: STRING };
}

/** The older names read a field of an object. */
const older = ['visitParam', 'simpleJSON'].flatMap((prefix) =>
  (
    [
      ['Has', there],
      ['ExtractString', SCALARS['string']!],
      ['ExtractInt', SCALARS['int64']!],
      ['ExtractUInt', SCALARS['int64']!],
      ['ExtractFloat', SCALARS['float64']!],
      ['ExtractBool', SCALARS['bool']!],
      ['ExtractRaw', raw],
    ] as const
  ).map(([name, type]) => ({ ...taking(`${prefix}${name}`, type), minArgs: 2, maxArgs: 2 })),
);

export const json: readonly FunctionRow[] = [
  taking('JSONExtractString', SCALARS['string']!),
  taking('JSONExtractInt', SCALARS['int64']!),
  taking('JSONExtractUInt', SCALARS['uint64']!),
  taking('JSONExtractFloat', SCALARS['float64']!),
  taking('JSONExtractBool', SCALARS['bool']!),
  taking('JSONExtractRaw', raw),
  taking('JSONExtractArrayRaw', items),
  taking('JSONExtractKeys', keys),
  taking('JSONLength', size),
  taking('JSONArrayLength', size),
  taking('JSONType', kind),
  taking('JSONHas', there),
  typed('JSONExtract', [2, 20], extract),
  typed('JSONExtractKeysAndValuesRaw', [1, 20], (args, call) =>
    keysAndValues(args, call, raw, args.slice(1)),
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
    const { sql, type } = value!;
    if (type.name === 'JSON') return { sql: jsonText(value!, call), type: STRING };
    const shown = duckdbType(type) === 'TIMESTAMP' ? asText(value!, call).sql : sql;
    return { sql: `coalesce(CAST(to_json(${shown}) AS VARCHAR), 'null')`, type: STRING };
  }),
  typed('JSON_VALUE', 2, valueAt),
  ...older,
];
