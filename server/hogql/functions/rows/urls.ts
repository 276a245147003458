import { arrayOf, scalar, withNull } from '../../value-type.ts';
import { alsoNamed, rowsOf, typed, encoding } from '../define-row.ts';
import { MOST_JOINED, unlessTooLarge } from '../growth.ts';
import type { FunctionRow } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText, isNullable } from '../read-argument.ts';

const STRING = scalar('String');
const TEXTS = arrayOf(STRING);
const urls = rowsOf(asText);

/** The part before the host: a protocol, or `//`, and user information. */
const BEFORE_HOST = '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?';

function found(url: string, pattern: string, group = 1): string {
  return `regexp_extract(${url}, '${pattern}', ${group})`;
}

/**
 * The host as ClickHouse finds it: behind `//`, or from the beginning, up to a sign that no host has; none without a dot
 * in it, and behind user information with one.
 */
function host(url: string): string {
  const label = '[^.:/?#@ \\t\\n<>%{}|\\\\^~\\[\\];=&]';
  const user = `(?:${label}*@)*`;
  return found(
    url,
    `^(?:[A-Za-z0-9][A-Za-z0-9+.-]*://|//)?${user}((?:${label}*[.])+${label}+)(?:[:/?#].*)?$`,
  ).replace(/, 1\)$/, `, 1, 's')`);
}

/** What follows protocol and host. */
function afterHost(url: string): string {
  return `regexp_replace(${url}, '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*', '')`;
}

function query(url: string): string {
  return found(url, '^[^?#]*[?]([^#]*)');
}

function parameters(url: string): string {
  return `list_filter(string_split(${query(url)}, '&'), lambda p: p <> '')`;
}

/** The last two labels of a host, or three where the last but one is that of a registry (co.uk). */
function significant(name: string): string {
  return `regexp_extract(${name}, '([^.]+[.](?:(?:com|co|org|net|gov|edu|ac|mil)[.][^.]{2}|[^.]+))$', 1)`;
}

/** The registered domain of a host or address. */
export function registrableDomain(url: string): string {
  return significant(host(url));
}

/** An address up to the end of each of its parts; adjacent separators are one, and the beginning is none. */
function hierarchy(name: string, read: (url: string) => string, begin: string): FunctionRow {
  return typed(name, 1, (args, call) => {
    const sql = once(read(asText(args[0]!, call, 0).sql), call, (url) => {
      const [end, at] = [call.fresh(), call.fresh()];
      const first = `regexp_extract(${url}, '${begin}')`;
      const pieces = `regexp_extract_all(substring(${url}, length(${first}) + 1), '[^/?#]+[/?#]*')`;
      return once(pieces, call, (all) => {
        const upTo = `${first} || array_to_string(list_slice(${all}, 1, ${at}), '')`;
        const list = `list_transform(${all}, lambda ${end}, ${at}: ${upTo})`;
        return unlessTooLarge(`strlen(${url}) * len(${all}) > ${MOST_JOINED}`, list);
      });
    });
    return { sql, type: withNull(TEXTS, isNullable(args)) };
  });
}

/** URLs as ClickHouse takes them apart: by their letters, without a look at what is allowed in one. */
export const urlFunctions: readonly FunctionRow[] = [
  urls('protocol', 1, STRING, (url) => found(url, '^([A-Za-z][A-Za-z0-9+.-]*)://')),
  urls('domain', 1, STRING, host),
  urls('domainWithoutWWW', 1, STRING, (url) => `regexp_replace(${host(url)}, '^www[.]', '')`),
  urls('topLevelDomain', 1, STRING, (url) => `regexp_extract(${host(url)}, '[.]([^.0-9][^.]*)$', 1)`),
  urls('firstSignificantSubdomain', 1, STRING, (url) => found(significant(host(url)), '^([^.]+)')),
  urls('cutToFirstSignificantSubdomain', 1, STRING, registrableDomain),
  urls('port', [1, 2], scalar('UInt64'), (url, otherwise = '0') => {
    return `coalesce(try_cast(${found(url, `${BEFORE_HOST}[^/?#:]*:([0-9]+)`)} AS BIGINT), ${otherwise})`;
  }),
  urls('path', 1, STRING, (url) => found(afterHost(url), '^[^/?#]*(/[^?#]*)')),
  urls('pathFull', 1, STRING, (url) => found(afterHost(url), '^[^/?#]*([/?#].*)')),
  urls('queryString', 1, STRING, query),
  urls('fragment', 1, STRING, (url) => found(url, '^[^#]*#(.*)')),
  urls(
    'queryStringAndFragment',
    1,
    STRING,
    (url) => `regexp_replace(${found(url, '^[^?#]*([?#].*)')}, '^[?]', '')`,
  ),
  urls('extractURLParameter', 2, STRING, (url, name) => {
    const values = `list_filter(${parameters(url)}, lambda p: starts_with(p, ${name} || '='))`;
    return `coalesce(substring(${values}[1], length(${name}) + 2), '')`;
  }),
  urls('extractURLParameters', 1, TEXTS, parameters),
  urls(
    'extractURLParameterNames',
    1,
    TEXTS,
    (url) => `list_transform(${parameters(url)}, lambda p: split_part(p, '=', 1))`,
  ),
  urls(
    'cutWWW',
    1,
    STRING,
    (url) => `regexp_replace(${url}, '^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)www[.]', '\\1')`,
  ),
  urls('cutQueryString', 1, STRING, (url) => `regexp_replace(${url}, '[?][^#]*', '')`),
  urls('cutFragment', 1, STRING, (url) => `regexp_replace(${url}, '#.*$', '')`),
  urls('cutQueryStringAndFragment', 1, STRING, (url) => `regexp_replace(${url}, '[?#].*$', '')`),
  urls('cutURLParameter', 2, STRING, (url, name) => {
    const kept = `array_to_string(list_filter(string_split(${query(url)}, '&'), lambda p: NOT starts_with(p, ${name} || '=')), '&')`;
    const rest = `regexp_extract(${url}, '#.*$')`;
    return `(regexp_replace(${url}, '[?#].*$', '') || (CASE WHEN contains(${url}, '?') THEN '?' || ${kept} ELSE '' END) || ${rest})`;
  }),
  urls('netloc', 1, STRING, (url) => found(url, '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#]*)')),
  urls('cutToFirstSignificantSubdomainWithWWW', 1, STRING, registrableDomain),
  hierarchy('URLHierarchy', (url) => url, '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://)?'),
  hierarchy('URLPathHierarchy', (url) => `regexp_replace(${afterHost(url)}, '^[^/?#]+', '')`, '^[/?#]*'),
  encoding('encodeURLFormComponent', (text) => `replace(url_encode(${text}), '%20', '+')`),
  encoding('encodeURLComponent', (text) => `url_encode(${text})`),
  ...alsoNamed(
    urls('decodeURLComponent', 1, STRING, (text) => `url_decode(${text})`),
    'tryDecodeURLComponent',
  ),
  urls('decodeURLFormComponent', 1, STRING, (text) => `url_decode(replace(${text}, '+', ' '))`),
];
