import type { SignInReason } from '../../stores/session.store.ts';

interface Greeting {
  title: string;
  text: string;
}

const GREETINGS: Record<SignInReason, Greeting> = {
  none: {
    title: 'Sign in to Burrow',
    text: 'Sign in with a link from Burrow or with a personal API key.',
  },
  used: {
    title: 'This link was already used',
    text: 'A sign-in link works once and for 10 minutes. If you did not use it, another user of this computer did. No data was lost.',
  },
  expired: {
    title: 'This link has expired',
    text: 'A sign-in link works for 10 minutes. No data was lost.',
  },
  foreign: {
    title: 'This link is not valid',
    text: 'It was created by another Burrow server or before this server was restarted. No data was lost.',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Burrow was restarted, or you signed out in another window. After signing in, you return to the same page. No data was lost.',
  },
  signed_out: {
    title: 'You are signed out',
    text: 'Burrow continues to receive events. Sign in again with a link or a personal API key.',
  },
};

/** What the sign-in screen says first, by the reason why somebody stands before it. */
export function greetingOf(reason: SignInReason): Greeting {
  return GREETINGS[reason];
}
