/** What a reason did to the event: not stored, stored after a change, stored while a part of what it asked for was refused, or only noted. */
export type ReasonEffect = 'dropped' | 'changed' | 'refused' | 'noted';

export interface ReasonWords {
  title: string;
  effect: ReasonEffect;
  /** What happened. Code between backticks. */
  text: string;
  /** What to do about it. */
  advice: string;
}

const WORDS: Record<string, ReasonWords> = {
  missing_event_name: {
    title: 'No event name',
    effect: 'dropped',
    text: 'An event came without a name, so there was nothing to count it as.',
    advice: '`capture()` was called without a name, or with an empty one. Give each event a name.',
  },
  missing_distinct_id: {
    title: 'No distinct_id',
    effect: 'dropped',
    text: 'An event came without saying whom it happened to.',
    advice:
      'An event needs somebody it happened to. Server SDKs take `distinctId` (Python: `distinct_id`) with each `capture()`.',
  },
  empty_distinct_id: {
    title: 'distinct_id is empty',
    effect: 'dropped',
    text: 'An event named somebody, but the name was empty.',
    advice:
      'Somebody’s id was not known yet: often a user that is loaded after the event. Send it later, or with a random id.',
  },
  performance_event: {
    title: '$performance_event',
    effect: 'dropped',
    text: 'An old kind of event about the speed of pages.',
    advice: 'An old kind of event that PostHog no longer keeps either. Newer SDKs do not send it.',
  },
  illegal_distinct_id: {
    title: 'distinct_id names nobody',
    effect: 'dropped',
    text: 'An event of capture v1 came with an id such as `null`, `undefined` or `anonymous`, which many senders share.',
    advice:
      'A variable was empty when it became text. Send the event once the id is known, or with a random id.',
  },
  invalid_properties: {
    title: 'Properties are no object',
    effect: 'dropped',
    text: 'The properties of an event of capture v1 were a list, a text or a number.',
    advice: 'Send properties as an object: `{"plan": "pro"}`.',
  },
  cookieless_disabled: {
    title: 'Cookieless event',
    effect: 'dropped',
    text: 'posthog-js runs in cookieless mode and sends the same distinct_id, `$posthog_cookieless`, for every visitor. Burrow cannot tell these visitors apart yet, so it does not store their events.',
    advice:
      'Remove `cookieless_mode` from `posthog.init()`, or set it to `on_reject` and ask visitors for consent: events of visitors who accept are stored.',
  },
  not_storable: {
    title: 'Could not be stored',
    effect: 'dropped',
    text: 'Something in the event fits no stored event.',
    advice: 'A value in it fits no event, such as a time beyond the calendar. The sample names the event.',
  },
  skipping_event_invalid_process_person_profile: {
    title: 'Identity event sent as anonymous',
    effect: 'dropped',
    text: 'An event that changes a person or a group came with `$process_person_profile: false`, which says that no person may be touched.',
    advice:
      'Set `person_profiles` to `identified_only` or `always` in the SDK, or leave `$process_person_profile` out of these calls.',
  },
  event_name_truncated: {
    title: 'Event name cut',
    effect: 'changed',
    text: 'The name was longer than 200 characters; the event is stored under its first 200.',
    advice: 'Names that carry ids or messages make a new event each time. Put that part into a property.',
  },
  distinct_id_truncated: {
    title: 'distinct_id cut',
    effect: 'changed',
    text: 'The id was longer than 200 characters; the event is stored under its first 200.',
    advice:
      'Two ids that begin alike would become one person. Send a short id, such as the key of your users’ table.',
  },
  event_timestamp_in_future: {
    title: 'Time in the future',
    effect: 'changed',
    text: 'The event said that it happens later than it arrived; it is stored with the time of its arrival.',
    advice:
      'The sender’s clock is ahead, or a time was sent in the wrong zone. Send times in UTC, such as `2026-11-19T14:32:08Z`.',
  },
  ignored_invalid_timestamp: {
    title: 'Time not understood',
    effect: 'changed',
    text: 'The `timestamp` is none that can be read; the event is stored with the time of its arrival.',
    advice: 'Send ISO 8601, such as `2026-11-19T14:32:08Z`, or leave it out.',
  },
  cannot_merge_already_identified: {
    title: 'Two identified persons not merged',
    effect: 'refused',
    text: 'An event wanted to join two persons, but the one that would disappear is identified already. They stay two; the event is stored.',
    advice:
      'Often two people share a device: call `posthog.reset()` when somebody signs out. If they truly are one person, send `$merge_dangerously`.',
  },
  cannot_merge_with_illegal_distinct_id: {
    title: 'Merge with an id that names nobody',
    effect: 'refused',
    text: 'An event wanted to join a person with an id such as `undefined`, `null` or `0`, which would make one person of everybody who was sent so. The event is stored.',
    advice: '`identify()` was called before the id of the user was known. Wait for it.',
  },
  group_key_too_long: {
    title: 'Group key too long',
    effect: 'refused',
    text: 'A group’s key has more than 400 characters. The event is stored, the group is not.',
    advice: 'Use a short key, such as the id of the company, and send its name as a property of the group.',
  },
  group_type_limit_reached: {
    title: 'Sixth group type',
    effect: 'refused',
    text: 'A project has five group types at most. The event is stored without this one.',
    advice:
      'See whether two of the types mean the same, such as `company` and `Company`. A type that is not needed can be deleted under Groups.',
  },
  person_properties_size_violation: {
    title: 'Too much about one person',
    effect: 'refused',
    text: 'The properties of one person take about a million characters at most. The event is stored; what it sets, or what a merge would have added, is not.',
    advice: 'Keep long texts and lists in events, and with the person only what you filter by.',
  },
  group_properties_size_violation: {
    title: 'Too much about one group',
    effect: 'refused',
    text: 'The properties of one group take about a million characters at most. The event is stored; what it sets is not.',
    advice: 'Keep long texts and lists in events, and with the group only what you filter by.',
  },
  client_ingestion_warning: {
    title: 'Warning of an SDK',
    effect: 'noted',
    text: 'The SDK itself met a problem in the page and reported it; nothing was lost here.',
    advice: 'The sample holds the words of the SDK.',
  },
};

/** The report of the last hour names some reasons in shorter words than the warnings do. */
const SHORT_NAMES: Record<string, string> = {
  invalid_process_person_profile: 'skipping_event_invalid_process_person_profile',
};

/** A reason of the server in plain words; one that this console does not know yet is named as it is. */
export function reasonWordsOf(reason: string): ReasonWords {
  return (
    WORDS[SHORT_NAMES[reason] ?? reason] ?? {
      title: reason.replaceAll('_', ' '),
      effect: 'noted',
      text: '',
      advice: '',
    }
  );
}
