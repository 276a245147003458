/** Calls whose value differs from that of ClickHouse, by the reason; `docs/differences.md` says the same in short. */
const REASONS: readonly (readonly [reason: string, calls: readonly string[]])[] = [
  [
    'An aggregate over no rows, or one value, has no number where ClickHouse has 0 or NaN, and the other way round.',
    [
      `cramersV(a, 'same')`,
      `cramersVBiasCorrected('x', 'y')`,
      `groupArrayInsertAt(NULL)(n, k)`,
      `maxIntersectionsPositionIf(x, y, x > 9)`,
      `maxOrDefaultIf(n, k > 9)`,
      `medianExactWeightedIf(x, w, x > 100)`,
      `quantilesExactWeighted(0.5)(x, 0)`,
      `sumArgMax(k, nullIf(n, n))`,
    ],
  ],
  [
    'Estimates of ClickHouse are exact here.',
    [
      `medianTDigestWeighted(x, w)`,
      `quantileTDigestWeighted(0.61)(x, w)`,
      `quantilesTDigestWeighted(0.1, 0.6, 1)(x, w)`,
      `quantilesTDigestWeightedIf(0.5)(x, w, x > 20)`,
      `quantilesTimingWeighted(0.1, 0.6, 1)(x, w)`,
      `quantilesTimingWeightedIf(0.5)(x, w, x > 20)`,
      `topK(2)(s)`,
    ],
  ],
  [
    'Bytes that are no text are NULL.',
    [
      `bitSlice('Hello', -4, 8)`,
      `bitSlice('ab', -7, 7)`,
      `convertCharset('Jürgen', 'utf-8', 'latin1')`,
      `convertCharset('Jürgen', 'utf-8', 'us-ascii')`,
    ],
  ],
  [
    'The default of a day is 1970-01-01; that of Date32 is 1900-01-01.',
    [`toDate32OrDefault('x')`, `toDate32OrZero('x')`],
  ],
  [
    'A number that is written out has 64 bits with a sign; in ClickHouse it has the fewest that hold it.',
    [
      `9223372036854775807 + 1`,
      `bitRotateRight(-2, 1)`,
      `mapSubtract(map('a', 1, 'b', 2), map('b', 3))['b']`,
      `mapSubtract(map('a', 1, 'b', 2), map('b', 3, 'c', 4))['c']`,
    ],
  ],
  [
    'Moments before 1970 and after 2106 stay what they are; ClickHouse cuts them to its range.',
    [
      `addDays(toDate('2026-03-29'), 1000000000000)`,
      `fromUnixTimestamp(1000000000000000000)`,
      `make_timestamp(2026, 13, 20, 9, 30, 5)`,
      `toDateTime('1960-01-01 00:00:00')`,
      `toDateTime('2150-01-01 00:00:00')`,
    ],
  ],
  [
    'Distances are computed in 64 bits; ClickHouse uses tables of 32 bits.',
    [
      `greatCircleDistance(0, 0, 180, 0)`,
      `round(geoDistance(13.405, 52.52, 151.2093, -33.8688) / 1000, 1)`,
      `round(geoDistance(38.8976, -77.0366, 39.9496, -75.1503) / 1000, 1)`,
      `round(greatCircleAngle(13.405, 52.52, 151.2093, -33.8688), 6)`,
      `round(greatCircleDistance(13.405, 52.52, 151.2093, -33.8688), 3)`,
    ],
  ],
  [
    'Hashes are hexadecimal digits; ClickHouse returns bytes, which no JSON can hold.',
    [`MD5('a')`, `MD5('burrow ñ')`, `SHA1('a')`, `SHA1('burrow ñ')`, `SHA256('a')`, `SHA256('burrow ñ')`],
  ],
  [
    'So are addresses of version 6 as numbers.',
    [
      `IPv4ToIPv6(16909060)`,
      `IPv4ToIPv6(IPv4StringToNum('0.0.0.0'))`,
      `IPv6StringToNum('2001:db8::1')`,
      `IPv6StringToNum('::')`,
      `IPv6StringToNumOrDefault('nope')`,
      `IPv6StringToNumOrDefault('2001:db8::1')`,
      `IPv6StringToNumOrNull('2001:db8::1')`,
    ],
  ],
  [
    'Bitmaps are lists in results, and their items have the order of the numbers; ClickHouse returns its bytes.',
    [
      `bitmapAnd(bitmapBuild([5, 1, 9, 3, 5]), bitmapBuild([3, 4, 5, 70]))`,
      `bitmapAndnot(bitmapBuild([5, 1, 9, 3, 5]), bitmapBuild([3, 4, 5, 70]))`,
      `bitmapBuild([5, 1, 9, 3, 5])`,
      `bitmapOr(bitmapBuild([5, 1, 9, 3, 5]), bitmapBuild([3, 4, 5, 70]))`,
      `bitmapSubsetInRange(bitmapBuild([5, 1, 9, 3, 5]), 2, 9)`,
      `bitmapSubsetInRange(bitmapBuild([5, 1, 9, 3, 5]), 9, 2)`,
      `bitmapSubsetLimit(bitmapBuild([5, 1, 9, 3, 5]), 2, 2)`,
      `bitmapSubsetLimit(bitmapBuild([5, 1, 9, 3, 5]), 99, 2)`,
      `bitmapToArray(bitmapBuild([5, 1, 9, 3, 5]))`,
      `bitmapXor(bitmapBuild([5, 1, 9, 3, 5]), bitmapBuild([3, 4, 5, 70]))`,
      `subBitmap(bitmapBuild([5, 1, 9, 3, 5]), 1, 2)`,
      `subBitmap(bitmapBuild([5, 1, 9, 3, 5]), 9, 2)`,
    ],
  ],
  [
    'A day that is 23 or 25 hours long ends at its midnight; in ClickHouse after 24 hours.',
    [
      `hop(toDateTime('2026-03-29 15:20:00'), INTERVAL 1 DAY, INTERVAL 2 DAY)`,
      `tumble(toDateTime('2026-03-29 15:20:00'), INTERVAL 1 DAY)`,
      `tumbleEnd(toDateTime('2026-10-25 12:00:00'), INTERVAL 1 DAY)`,
    ],
  ],
  ['A conversion with a default never returns NULL.', [`toUIntOrZero(NULL)`]],
  ['A text that is shorter than an n-gram is similar to none.', [`ngramSearch('a', 'b')`]],
  [
    'NULL that is assumed not to be there is the default of the type; in ClickHouse it is what memory holds.',
    [`assumeNotNull(nullIf(1, 1))`],
  ],
  ["A function of Burrow's filters, which reads numbers as seconds.", [`textMicros('10')`]],
  ['Letters beyond ASCII have a case.', [`hasSubsequenceCaseInsensitive('ABÑ', 'añ')`]],
  ['What is no geohash has no place.', [`geohashDecode('a!')`]],
  ['A tuple is never NULL, but what it holds may be.', [`tupleMultiplyByNumber(tuple(1, 2), NULL)`]],
  [
    'An address with a user and a password has a host and a port.',
    [`port('https://ann:pw@www.shop.co.uk:8443/a/b?x=1&y=&x=2#top')`],
  ],
  ['An empty token is none.', [`hasTokenCaseInsensitiveOrNull('Änderung: one two-Three, 4four', '')`]],
  ['The zone of toDate is that of its day.', [`toDate(toDateTime('2024-01-01 23:30:00'),'Asia/Tokyo')`]],
  [
    'Moments have six digits of a second, whatever was asked for.',
    [`toString(toDateTime64('2024-01-01 10:00:00.5',3))`],
  ],
  [
    'Tags within CDATA are left out too.',
    [`extractTextFromHTML('<![CDATA[The content within <b>CDATA</b>]]> <style>b {}</style>')`],
  ],
  ['A path is not cut within a letter.', [`URLHierarchy('https://example.com/browse//CONV-6788?q=ñ')`]],
];

export const KNOWN_DIFFERENCES: ReadonlySet<string> = new Set(REASONS.flatMap(([, calls]) => calls));
