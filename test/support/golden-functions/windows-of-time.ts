import type { GoldenTable } from './golden-table.ts';

const HTML =
  '<p> A text <i>with</i><b>tags</b>. <!-- no <b>comment</b> --> </p><script>let x = "<p>";</script>';

const windowsOfTime: GoldenTable = {
  title: 'windows of time',
  timezone: 'Europe/Berlin',
  rows: [
    [
      `tumble(toDateTime('2026-03-29 15:20:00'), INTERVAL 1 DAY)`,
      ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ],
    [
      `tumble(toDateTime('2026-11-20 15:20:00'), INTERVAL 15 MINUTE)`,
      ['2026-11-20T14:15:00Z', '2026-11-20T14:30:00Z'],
    ],
    [`tumbleStart(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 HOUR)`, '2026-11-20T14:00:00Z'],
    [`tumbleStart(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 DAY, 'UTC')`, '2026-11-20T00:00:00Z'],
    [`tumbleEnd(toDateTime('2026-10-25 12:00:00'), INTERVAL 1 DAY)`, '2026-10-25T23:00:00Z'],
    [`tumbleEnd(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 HOUR)`, '2026-11-20T15:00:00Z'],
    [
      `hop(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 HOUR, INTERVAL 3 HOUR)`,
      ['2026-11-20T12:00:00Z', '2026-11-20T15:00:00Z'],
    ],
    [
      `hop(toDateTime('2026-03-29 15:20:00'), INTERVAL 1 DAY, INTERVAL 2 DAY)`,
      ['2026-03-27T23:00:00Z', '2026-03-29T22:00:00Z'],
    ],
    [`hopStart(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 HOUR, INTERVAL 1 HOUR)`, '2026-11-20T14:00:00Z'],
    [
      `hopStart(toDateTime('2026-11-20 15:20:00'), INTERVAL 5 MINUTE, INTERVAL 1 HOUR)`,
      '2026-11-20T13:25:00Z',
    ],
    [`hopEnd(toDateTime('2026-11-20 15:20:00'), INTERVAL 5 MINUTE, INTERVAL 1 HOUR)`, '2026-11-20T14:25:00Z'],
    [`hopEnd(toDateTime('2026-11-20 15:20:00'), INTERVAL 1 DAY, INTERVAL 7 DAY)`, '2026-11-20T23:00:00Z'],
    [`toTime(toDateTime('2026-07-20 15:20:01'))`, '15:20:01'],
    [`toTime(toDateTime('2026-11-20 15:20:01'), 'UTC')`, '14:20:01'],
    [`nowInBlock('UTC')`, '2026-11-20T09:30:00Z'],
    [`nowInBlock()`, '2026-11-20T09:30:00Z'],
  ],
};

const others: GoldenTable = {
  title: 'texts of pages, maps with gaps, parts with names',
  rows: [
    [
      `decodeXMLComponent('&lt;a b=&quot;c&quot;&gt;&amp;&apos;&#33;&#x1F600;&#xZZ;&nope; & ñ')`,
      `<a b="c">&'!😀&#xZZ;&nope; & ñ`,
    ],
    [`decodeXMLComponent('&amp;lt;')`, '&lt;'],
    [`extractTextFromHTML('${HTML}')`, 'A text with tags .'],
    [
      `extractTextFromHTML('<![CDATA[The content within <b>CDATA</b>]]> <style>b {}</style>')`,
      'The content within CDATA',
    ],
    [
      `extractIPv4Substrings('from 10.0.0.1, 192.168.1.255 and 300.1.1.1 to 8.8.8.8:53')`,
      ['10.0.0.1', '192.168.1.255', '8.8.8.8'],
    ],
    [`extractIPv4Substrings('1.2.3')`, []],
    [`isValidUTF8('ñ😀')`, 1],
    [`isValidUTF8('')`, 1],
    [`toValidUTF8('ñ😀')`, 'ñ😀'],
    [`toValidUTF8('')`, ''],
    [`mapPopulateSeries(map(1, 10, 3, 30))`, { 1: 10, 2: 0, 3: 30 }],
    [`mapPopulateSeries(map(2, 1.5), 4)`, { 2: 1.5, 3: 0, 4: 0 }],
    [
      `tupleToNameValuePairs(tuple(5, 7))`,
      [
        ['1', 5],
        ['2', 7],
      ],
    ],
    [`tupleToNameValuePairs(tuple('a'))`, [['1', 'a']]],
    [`bitmapTransform([1, 2, 3], [2, 3], [20, 1])`, [1, 20]],
    [`bitmapTransform([5, 6], [1], [2])`, [5, 6]],
    [`indexHint(1 = 2)`, 1],
    [`indexHint(NULL)`, 1],
  ],
};

const ANSWERS = {
  $survey_response: 'by place',
  $survey_response_1: '',
  $survey_response_2: ['a', 'b'],
  $survey_response_q1: 'by id',
  $survey_response_q2: ['c'],
  $survey_questions: [{ id: 'q0' }, { id: 'q1' }],
};

const surveys: GoldenTable = {
  title: 'answers to surveys',
  from: `(SELECT '${JSON.stringify(ANSWERS)}' AS properties, '018f0000-0000-7000-8000-000000000000' AS uuid)`,
  rows: [
    ['getSurveyResponse(0)', 'by place'],
    ['getSurveyResponse(1)', 'by id'],
    [`getSurveyResponse(1, 'q1')`, 'by id'],
    [`getSurveyResponse(1, 'other')`, null],
    [`getSurveyResponse(2, 'other', true)`, ['"a"', '"b"']],
    [`getSurveyResponse(2, 'q2', true)`, ['"c"']],
  ],
};

export const timeWindowTables: readonly GoldenTable[] = [windowsOfTime, others, surveys];
