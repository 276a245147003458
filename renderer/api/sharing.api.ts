import type {
  SharingConfigurationJson,
  SharingLinkJson,
  ShareSettings,
} from '../../server/features/sharing/sharing.contract.ts';
import { api } from './client.ts';

/** What a link is for. */
export interface ShareTarget {
  projectId: number;
  kind: 'dashboard' | 'insight';
  id: number;
}

/** A public link, with the settings of its page and its expiry. Times are ISO 8601. */
export type ShareLink = SharingConfigurationJson & SharingLinkJson;

/** The part of the path that names what is shared, and its parameters. */
const partsOf = ({ projectId, kind, id }: ShareTarget) => ({
  path: kind === 'dashboard' ? ('dashboards/:dashboard_id' as const) : ('insights/:insight_id' as const),
  places: { projectId, dashboard_id: id, insight_id: id },
});

/** The link of a dashboard or an insight; a disabled one is created when there is none yet. */
export async function getShareLink(target: ShareTarget): Promise<ShareLink> {
  const { path, places } = partsOf(target);
  const [configuration, link] = await Promise.all([
    api.get(`P/${path}/sharing/`, places),
    api.get(`P/burrow/${path}/sharing_link/`, places),
  ]);
  return { ...configuration, ...link };
}

/** Turns a link on or off, or changes how its page looks. One that is turned on again has another token. */
export async function changeShareLink(
  target: ShareTarget,
  change: { enabled?: boolean; settings?: ShareSettings },
): Promise<void> {
  const { path, places } = partsOf(target);
  await api.patch(`P/${path}/sharing/`, { ...places, body: change });
}

/** Gives a link another token; the old one works for five minutes more. */
export async function refreshShareLink(target: ShareTarget): Promise<void> {
  const { path, places } = partsOf(target);
  await api.post(`P/${path}/sharing/refresh/`, places);
}

/** Ends the previous token immediately. */
export async function endOldShareLink(target: ShareTarget): Promise<void> {
  const { path, places } = partsOf(target);
  await api.delete(`P/burrow/${path}/sharing_link/old/`, places);
}

/** Sets when a link ends by itself; `null`: never. */
export async function setShareExpiry(target: ShareTarget, expiresAt: string | null): Promise<void> {
  const { path, places } = partsOf(target);
  await api.put(`P/burrow/${path}/sharing_expiry/`, { ...places, body: { expires_at: expiresAt } });
}
