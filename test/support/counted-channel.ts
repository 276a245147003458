import type { ServiceChannel } from '../../server/db/client.ts';

/** A channel to the thread of the database, and how many messages went through it. */
export function countMessages(channel: ServiceChannel): { channel: ServiceChannel; sent(): number } {
  let messages = 0;
  return {
    channel: {
      ...channel,
      post(message) {
        messages++;
        channel.post(message);
      },
    },
    sent: () => messages,
  };
}
