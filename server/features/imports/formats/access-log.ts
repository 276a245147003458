import { createHash } from 'node:crypto';
import { RowProblem } from '../import-error.ts';
import type { ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createSessions } from './people.ts';
import { agentOf, filled, isRobot, pageOf, referrerOf } from './values.ts';

/** Paths that are no page, and those that are a download. */
const STATIC =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|map|json|xml|txt|woff2?|ttf|otf|eot|mp4|webm|mp3|webmanifest)$/i;
const DOWNLOAD = /\.(?:pdf|zip|gz|tgz|dmg|exe|msi|deb|rpm|apk|docx?|xlsx?|pptx?|csv|epub|iso)$/i;
const PAUSE_MS = 1_800_000;

/** Lines of an access log in the common or combined format: page views and downloads by a reader of that day. */
export const accessLog: ImportFormat = {
  imported: 'located',
  recognizes: ({ kind }) => kind === 'lines',
  open(context) {
    const sessionOf = createSessions('access log');
    const visits = new Map<string, { last: number; count: number }>();
    return (row) => {
      const line = readLine(String(row.value['line']));
      const [method, target] = line.request.split(' ');
      if (method === undefined || target === undefined || !/^[A-Z]+$/.test(method))
        throw new RowProblem('The line has no request');
      if (method !== 'GET') return context.leaveOut(`Method ${method}`);
      if (line.status !== 200 && line.status !== 304) return context.leaveOut(statusReason(line.status));
      const timestamp = readTime(line.time, context.time);
      const [path = '/'] = target.split('?', 1);
      if (STATIC.test(path)) return context.leaveOut('File that is no page');
      if (isRobot(line.agent) && !context.settings.bots) return context.leaveOut('Robot');
      const day = new Date(timestamp / 1000).toISOString().slice(0, 10);
      // A reader is one for a day: a log has nothing that would tell it on the next.
      const reader = createHash('sha256')
        .update(`${day}|${line.address}|${line.agent}`)
        .digest('hex')
        .slice(0, 32);
      const visit = visits.get(reader) ?? { last: timestamp, count: 0 };
      if (timestamp - visit.last > PAUSE_MS * 1000) visit.count++;
      visit.last = timestamp;
      visits.set(reader, visit);
      const isDownload = DOWNLOAD.test(path);
      context.emit({
        event: isDownload ? 'download' : '$pageview',
        distinctId: reader,
        timestamp,
        uuid: null,
        properties: filled({
          ...pageAt(target, line.host || context.settings.host),
          ...referrerOf(line.referrer === '-' ? '' : line.referrer),
          ...agentOf(line.agent),
          $ip: line.address,
          status: line.status,
          bytes: line.bytes,
          $session_id: sessionOf(`${reader}|${visit.count}`, null, timestamp),
          $process_person_profile: false,
        }),
      });
    };
  },
};

function statusReason(status: number): string {
  return status >= 300 && status < 400 ? 'Redirect' : `Status ${status}`;
}

function pageAt(target: string, host: string): Record<string, unknown> {
  if (URL.canParse(target)) return pageOf(target);
  if (host !== '') return pageOf(`https://${host}${target}`);
  const [path, query] = target.split('?', 2);
  const campaign = [...new URLSearchParams(query ?? '')].filter(([name]) => /^utm_\w+$/.test(name));
  return { $pathname: path, $current_url: target, ...Object.fromEntries(campaign) };
}

interface LogLine {
  host: string;
  address: string;
  time: string;
  request: string;
  status: number;
  bytes: number;
  referrer: string;
  agent: string;
}

/** Fields are parted by blanks, but in brackets and quotes. */
const FIELD = /\s*(?:\[([^\]]*)\]|"((?:[^"\\]|\\.)*)"|(\S+))/y;

function readLine(line: string): LogLine {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (let found = FIELD.exec(line); found !== null && fields.length < 20; found = FIELD.exec(line))
    fields.push(found[1] ?? (found[2] === undefined ? found[3]! : unescaped(found[2])));
  // A virtual host may come first: the time is in the fourth place otherwise.
  const isTime = (field: string | undefined): boolean => /^\d\d\/\w{3}\/\d{4}:/.test(field ?? '');
  const shift = isTime(fields[3]) ? 0 : isTime(fields[4]) ? 1 : null;
  if (shift === null) throw new RowProblem('The line is not of a common or combined access log');
  const [address, , , time, request, status, bytes, referrer, agent] = fields.slice(shift);
  return {
    host: shift === 1 ? fields[0]!.replace(/:\d+$/, '') : '',
    address: address!.replace(/^\[(.*)\]:\d+$/, '$1').replace(/^::ffff:/, ''),
    time: time!,
    request: request ?? '',
    status: Number(status),
    bytes: Number(bytes) || 0,
    referrer: referrer ?? '',
    agent: agent ?? '',
  };
}

/** As Apache and nginx escape: `\"`, `\\`, and bytes as `\xhh`, which together are UTF-8. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|(.))/g,
    (_, hex: string | undefined, other: string) =>
      hex === undefined ? other : String.fromCharCode(parseInt(hex, 16)),
  );
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
