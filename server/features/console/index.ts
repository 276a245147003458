import type { Feature } from '../../http/define-route.ts';
import { createSessions, type Sessions } from '../../http/session.ts';
import { newSecret } from '../../lib/ids.ts';
import { consoleRoutes } from './console.routes.ts';
import { createConsole, type Console } from './console.service.ts';

export type { ServerInfo } from './console.contract.ts';
export { type Console } from './console.service.ts';

/** `sessions`: signed-in browsers; left out: none yet. */
export function consoleFeature(
  needs: Omit<Parameters<typeof createConsole>[0], 'sessions' | 'newSecret'> &
    Omit<Parameters<typeof consoleRoutes>[0], 'console'> & { sessions?: Sessions },
): Feature & { console: Console } {
  const newToken = () => newSecret('');
  const sessions = needs.sessions ?? createSessions({ clock: needs.clock, newSecret: newToken });
  const console = createConsole({ ...needs, sessions, newSecret: newToken });
  return { name: 'console', console, routes: consoleRoutes({ ...needs, console }) };
}
