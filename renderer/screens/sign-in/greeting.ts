import type { SignInReason } from '../../stores/session.store.ts';

interface Greeting {
  title: string;
  text: string;
}

const GREETINGS: Record<SignInReason, Greeting> = {
  none: {
    title: 'Sign in to Burrow',
    text: 'This console opens with a link that Burrow makes for you, or with a personal key.',
  },
  used: {
    title: 'This link was already used',
    text: 'A link signs in once, and for 10 minutes. If it was not you, somebody who uses this computer opened it. Nothing is lost.',
  },
  expired: {
    title: 'This link has expired',
    text: 'A link works for 10 minutes after it was made. Nothing is lost.',
  },
  foreign: {
    title: 'This link is not known here',
    text: 'It was made by another Burrow, or before this one was started again: its links end with it. Nothing is lost.',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Burrow was started again, or you signed out in another window. You return to where you were. Nothing is lost.',
  },
  signed_out: {
    title: 'You are signed out',
    text: 'Burrow keeps receiving events. Come back with a link or a personal key.',
  },
};

/** What the sign-in screen says first, by the reason why somebody stands before it. */
export function greetingOf(reason: SignInReason): Greeting {
  return GREETINGS[reason];
}
