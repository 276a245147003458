import { serverMessage, type ServerMessage } from './server-messages.ts';
import type { ServerChild } from './server-process.ts';

type Outcome = Extract<ServerMessage, { type: 'sign-in' | 'restored' }>;

/**
 * Resolves with what a command of the server's program comes to: `url` to a console address of the server that runs on the
 * folder, `restore` to a restored backup. Rejects with the sentence that says why not.
 */
export function outcomeOf<Type extends Outcome['type']>(
  child: ServerChild,
  type: Type,
): Promise<Extract<Outcome, { type: Type }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      const { data } = serverMessage.safeParse(message);
      if (data?.type === type) resolve(data as Extract<Outcome, { type: Type }>);
      if (data?.type === 'failed') reject(new Error(data.message.split('\n', 1)[0]));
    });
    child.once('exit', (code) =>
      reject(new Error(`The command ended without a result (exit code ${code}).`)),
    );
  });
}
