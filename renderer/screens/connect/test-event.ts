import type { CaptureBody } from '../../api/capture.api.ts';

/** An event that says what it is, for somebody who wants to see the door open before any SDK is installed. */
export function testEventBody(apiKey: string, uuid: string): CaptureBody {
  return {
    api_key: apiKey,
    uuid,
    event: 'test event',
    distinct_id: 'burrow-test',
    properties: { sent_from: 'Connect', $lib: 'burrow-console', $process_person_profile: false },
  };
}
