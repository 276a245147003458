/** The effect of a reason on the event: not stored, stored after a change, stored while a requested update was refused, or only noted. */
export type ReasonEffect = 'dropped' | 'changed' | 'refused' | 'noted';

export interface ReasonLabels {
  title: string;
  effect: ReasonEffect;
  /** What happened. Code between backticks. */
  text: string;
  /** What to do about it. */
  advice: string;
}

const WORDS: Record<string, ReasonLabels> = {
  missing_event_name: {
    title: 'No event name',
    effect: 'dropped',
    text: 'The event had no name.',
    advice:
      '`capture()` was called without an event name, or with an empty one. Pass a name with each event.',
  },
  missing_distinct_id: {
    title: 'No distinct_id',
    effect: 'dropped',
    text: 'The event had no `distinct_id`.',
    advice:
      'Every event belongs to a user. Pass `distinctId` (Python: `distinct_id`) with each `capture()` in server SDKs.',
  },
  empty_distinct_id: {
    title: 'distinct_id is empty',
    effect: 'dropped',
    text: 'The `distinct_id` of the event was empty.',
    advice:
      'The user ID was not available yet, often because the user loads after the event. Send the event later, or with a random ID.',
  },
  performance_event: {
    title: '$performance_event',
    effect: 'dropped',
    text: 'A legacy event type for page performance.',
    advice: 'PostHog no longer stores this event type either. Newer SDKs do not send it.',
  },
  illegal_distinct_id: {
    title: 'Invalid distinct_id',
    effect: 'dropped',
    text: 'A capture v1 event had a generic ID such as `null`, `undefined` or `anonymous`, which many users would share.',
    advice:
      'An empty variable was converted to text. Send the event once the ID is known, or with a random ID.',
  },
  invalid_properties: {
    title: 'Properties are not an object',
    effect: 'dropped',
    text: 'The properties of a capture v1 event were an array, a string or a number.',
    advice: 'Send properties as an object: `{"plan": "pro"}`.',
  },
  cookieless_disabled: {
    title: 'Cookieless event',
    effect: 'dropped',
    text: 'posthog-js runs in cookieless mode and sends the same distinct_id, `$posthog_cookieless`, for every visitor. Burrow cannot distinguish these visitors yet, so it does not store their events.',
    advice:
      'Remove `cookieless_mode` from `posthog.init()`, or set it to `on_reject` and ask visitors for consent: events of visitors who accept are stored.',
  },
  not_storable: {
    title: 'Could not be stored',
    effect: 'dropped',
    text: 'The event contains a value that cannot be stored.',
    advice: 'A value is out of range, such as a time beyond the supported years. The sample shows the event.',
  },
  paused: {
    title: 'Capture was paused',
    effect: 'dropped',
    text: 'Capture was paused when the event arrived. It was answered as accepted and not stored.',
    advice: 'Resume capture to store events. Events that arrived during the pause cannot be recovered.',
  },
  skipping_event_invalid_process_person_profile: {
    title: 'Identity event sent as anonymous',
    effect: 'dropped',
    text: 'An event that updates a person or a group was sent with `$process_person_profile: false`, which disables person processing.',
    advice:
      'Set `person_profiles` to `identified_only` or `always` in the SDK, or leave `$process_person_profile` out of these calls.',
  },
  event_name_truncated: {
    title: 'Event name truncated',
    effect: 'changed',
    text: 'The name was longer than 200 characters; the event is stored under its first 200.',
    advice: 'Names that contain IDs or messages create a new event each time. Move that part to a property.',
  },
  distinct_id_truncated: {
    title: 'distinct_id truncated',
    effect: 'changed',
    text: 'The ID was longer than 200 characters; the event is stored under its first 200.',
    advice:
      'Two long IDs with the same beginning become one person. Send a short ID, such as the primary key of your users table.',
  },
  event_timestamp_in_future: {
    title: 'Timestamp in the future',
    effect: 'changed',
    text: 'The `timestamp` was later than the time of arrival. The event is stored with the time of arrival.',
    advice:
      'The clock of the sender is ahead, or the time zone is wrong. Send times in UTC, such as `2026-11-19T14:32:08Z`.',
  },
  ignored_invalid_timestamp: {
    title: 'Invalid timestamp',
    effect: 'changed',
    text: 'The `timestamp` could not be parsed. The event is stored with the time of arrival.',
    advice: 'Send ISO 8601, such as `2026-11-19T14:32:08Z`, or leave it out.',
  },
  cannot_merge_already_identified: {
    title: 'Two identified persons not merged',
    effect: 'refused',
    text: 'A merge of two persons was rejected because the person to be merged is already identified. Both persons stay separate; the event is stored.',
    advice:
      'This often happens when two users share a device: call `posthog.reset()` on logout. If both are the same user, send `$merge_dangerously`.',
  },
  cannot_merge_with_illegal_distinct_id: {
    title: 'Merge with an invalid ID',
    effect: 'refused',
    text: 'A merge with a generic ID such as `undefined`, `null` or `0` was rejected, because it would merge unrelated users. The event is stored.',
    advice: '`identify()` was called before the user ID was known. Call it once the ID is available.',
  },
  group_key_too_long: {
    title: 'Group key too long',
    effect: 'refused',
    text: 'The group key has more than 400 characters. The event is stored, the group is not.',
    advice: 'Use a short key, such as the company ID, and send the name as a group property.',
  },
  group_type_limit_reached: {
    title: 'Group type limit reached',
    effect: 'refused',
    text: 'A project can have up to 5 group types. The event is stored without the new group type.',
    advice:
      'Check for duplicate types such as `company` and `Company`. Delete group types that you do not need under Groups.',
  },
  person_properties_size_violation: {
    title: 'Person properties too large',
    effect: 'refused',
    text: 'The properties of a person are limited to about 1 million characters. The event is stored, but its person properties, or those of the merge, are not.',
    advice:
      'Put long texts and lists in event properties. Store only what you filter by in person properties.',
  },
  group_properties_size_violation: {
    title: 'Group properties too large',
    effect: 'refused',
    text: 'The properties of a group are limited to about 1 million characters. The event is stored, but its group properties are not.',
    advice:
      'Put long texts and lists in event properties. Store only what you filter by in group properties.',
  },
  client_ingestion_warning: {
    title: 'SDK warning',
    effect: 'noted',
    text: 'The SDK reported a problem in the page. No events were lost in Burrow.',
    advice: 'The sample contains the message of the SDK.',
  },
};

/** The report of the last hour names some reasons in shorter words than the warnings do. */
const SHORT_NAMES: Record<string, string> = {
  invalid_process_person_profile: 'skipping_event_invalid_process_person_profile',
};

/** A reason of the server in plain words; an unknown one is shown unchanged. */
export function reasonLabelOf(reason: string): ReasonLabels {
  return (
    WORDS[SHORT_NAMES[reason] ?? reason] ?? {
      title: reason.replaceAll('_', ' '),
      effect: 'noted',
      text: '',
      advice: '',
    }
  );
}
