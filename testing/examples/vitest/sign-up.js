/** The code under test: it takes the client of posthog-node as an argument. */
export async function signUp(posthog, { email, plan }) {
  posthog.capture({ distinctId: email, event: 'signup', properties: { plan, $set: { email } } });
  const flags = await posthog.evaluateFlags(email);
  if (flags.isEnabled('invitations')) posthog.capture({ distinctId: email, event: 'invitation shown' });
}
