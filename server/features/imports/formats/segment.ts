import { isUuid, uuidOf } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import type { ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { agentOf, deviceType, filled, known, object, pageOf, referrerOf, text } from './values.ts';

const CALLS = new Set(['track', 'page', 'screen', 'identify', 'group', 'alias']);

/** Calls of Segment and RudderStack as their storage destinations write them. */
export const segment: ImportFormat = {
  imported: 'located',
  recognizes: ({ rows }) =>
    rows.some(
      ({ value }) =>
        'messageId' in value &&
        CALLS.has(text(value['type'])) &&
        ('anonymousId' in value || 'userId' in value),
    ),
  open: (context) => (row) => {
    const { value } = row;
    const type = text(value['type']);
    if (!CALLS.has(type)) return context.leaveOut(`Call "${type}"`);
    const [userId, anonymousId] = [text(value['userId']), text(value['anonymousId'])];
    const distinctId = userId || anonymousId;
    const timestamp = readTime(
      value['timestamp'] ?? value['originalTimestamp'] ?? value['receivedAt'],
      context.time,
    );
    const messageId = text(value['messageId']);
    const uuid = isUuid(messageId) ? messageId.toLowerCase() : messageId && uuidOf(`segment|${messageId}`);
    const own = object(value['properties']);
    const traits = object(value['traits']);
    const base = { distinctId, timestamp, uuid: uuid || null };
    const properties = filled({ ...contextOf(object(value['context'])), ...own });
    const name = text(value['event']) || text(value['name']);
    switch (type) {
      case 'track':
        return context.emit({ ...base, event: name, properties });
      case 'page':
        return context.emit({
          ...base,
          event: '$pageview',
          properties: filled({ ...properties, name, category: value['category'] }),
        });
      case 'screen':
        return context.emit({
          ...base,
          event: '$screen',
          properties: filled({ ...properties, $screen_name: name, category: value['category'] }),
        });
      case 'identify':
        return context.emit({
          ...base,
          event: '$identify',
          properties: filled({
            ...properties,
            $set: traits,
            $anon_distinct_id: userId !== '' && anonymousId !== userId ? anonymousId : undefined,
          }),
        });
      case 'group': {
        const groupId = text(value['groupId']);
        if (groupId === '') throw new RowProblem('There is no groupId');
        return context.emit({
          ...base,
          event: '$groupidentify',
          properties: filled({
            ...properties,
            $group_type: context.settings.group_type,
            $group_key: groupId,
            $group_set: traits,
          }),
        });
      }
      default: {
        const previousId = text(value['previousId']);
        if (previousId === '') throw new RowProblem('There is no previousId');
        return context.emit({ ...base, event: '$create_alias', properties: { alias: previousId } });
      }
    }
  },
};

function contextOf(context: Record<string, unknown>): Record<string, unknown> {
  const page = object(context['page']);
  const campaign = object(context['campaign']);
  const os = object(context['os']);
  const agent = text(context['userAgent']);
  const url = known(page['url']);
  return filled({
    ...agentOf(agent),
    ...(url !== '' && { ...pageOf(url), ...referrerOf(known(page['referrer'])) }),
    title: page['title'],
    ...(text(os['name']) !== '' && { $os: os['name'], $os_version: os['version'] }),
    ...(object(context['device'])['type'] !== undefined && {
      $device_type: deviceType(text(object(context['device'])['type'])),
    }),
    $ip: known(context['ip']) || undefined,
    $locale: context['locale'],
    $timezone: context['timezone'],
    ...filled({
      $pathname: known(page['path']),
      utm_source: campaign['source'],
      utm_medium: campaign['medium'],
      utm_campaign: campaign['name'],
      utm_term: campaign['term'],
      utm_content: campaign['content'],
    }),
  });
}
