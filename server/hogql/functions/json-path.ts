import type { CallContext, Printed } from './function-row.ts';
import { once } from './local-time.ts';
import { asText, asWhole } from './read-argument.ts';

/** A name that a JSON pointer takes for a place in a list. */
export const DIGITS = /^\d+$/;

/** A JSON pointer (RFC 6901) takes every name, also the empty one and those with dots. */
function pointerOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function pointerSql(name: string): string {
  return `('/' || replace(replace(${name}, '~', '~0'), '/', '~1'))`;
}

/** Text that is known to be JSON; of other text, what is not JSON is NULL. */
export function jsonText(value: Printed, call: CallContext): string {
  if (value.type.name === 'JSON') return value.sql;
  const text = asText(value, call, 0).sql;
  return once(text, call, (name) => `(CASE WHEN json_valid(${name}) THEN ${name} END)`);
}

/** The part of a JSON text at a path of names and places, as JSON; NULL when it is not there. Places count from 1, or backwards. */
export function jsonAt(value: Printed, path: readonly Printed[], call: CallContext): string {
  let sql = jsonText(value, call);
  let written = '';
  const flush = (): void => {
    if (written !== '') sql = `json_extract(${sql}, ${call.bind(written).sql})`;
    written = '';
  };
  for (const [at, step] of path.entries()) {
    const { constant } = step;
    if (typeof constant === 'string' && DIGITS.test(constant)) {
      flush();
      sql = `json_extract(${sql}, ${call.bind(`$."${constant}"`).sql})`;
    } else if (typeof constant === 'string') written += pointerOf(constant);
    else if (typeof constant === 'number' && constant > 0) {
      flush();
      sql = placeIn(sql, Math.trunc(constant), call);
    } else {
      flush();
      sql = dynamicStep(sql, step, call, at + 1);
    }
  }
  flush();
  return path.length === 0 ? `json_extract(${sql}, '$')` : sql;
}

/** The item of an array, or the field of an object, at a place. */
function placeIn(json: string, place: number, call: CallContext): string {
  return once(json, call, (part) => {
    const name = `json_keys(${part})[${place}]`;
    return `(CASE json_type(${part}) WHEN 'OBJECT' THEN json_extract(${part}, ${pointerSql(name)}) ELSE json_extract(${part}, '$[${place - 1}]') END)`;
  });
}

function dynamicStep(sql: string, step: Printed, call: CallContext, at: number): string {
  if (step.type.name === 'String') return `json_extract(${sql}, ${pointerSql(step.sql)})`;
  const place = asWhole(step, call, at).sql;
  const index = `(CASE WHEN ${place} < 0 THEN '$[#' || ${place} || ']' WHEN ${place} > 0 THEN '$[' || (${place} - 1) || ']' ELSE '$[' || 9223372036854775807 || ']' END)`;
  return `json_extract(${sql}, ${index})`;
}
