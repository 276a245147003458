import type {
  MachineSharing,
  SharingConfigurationJson,
  SharingLinkJson,
  ShareSettings,
} from '../../server/features/sharing/sharing.contract.ts';
import { request } from './http.ts';

export type { MachineSharing, ShareSettings };
export type SharedThing = MachineSharing['links'][number];

/** What a link is for. */
export interface ShareTarget {
  projectId: number;
  kind: 'dashboard' | 'insight';
  id: number;
}

/** A public link, with the settings of its page and its expiry. Times are ISO 8601. */
export type ShareLink = SharingConfigurationJson & SharingLinkJson;

const pathOf = ({ projectId, kind, id }: ShareTarget, prefix: '' | 'burrow/', rest: string): string =>
  `/api/projects/${projectId}/${prefix}${kind}s/${id}/${rest}/`;

/** The link of a dashboard or an insight; a disabled one is created when there is none yet. */
export async function getShareLink(target: ShareTarget): Promise<ShareLink> {
  const [configuration, link] = await Promise.all([
    request<SharingConfigurationJson>(pathOf(target, '', 'sharing')),
    request<SharingLinkJson>(pathOf(target, 'burrow/', 'sharing_link')),
  ]);
  return { ...configuration, ...link };
}

/** Turns a link on or off, or changes how its page looks. One that is turned on again has another token. */
export function changeShareLink(
  target: ShareTarget,
  change: { enabled?: boolean; settings?: ShareSettings },
): Promise<void> {
  return request(pathOf(target, '', 'sharing'), { method: 'PATCH', body: change });
}

/** Gives a link another token; the old one works for five minutes more. */
export function refreshShareLink(target: ShareTarget): Promise<void> {
  return request(pathOf(target, '', 'sharing/refresh'), { method: 'POST' });
}

/** Ends the previous token immediately. */
export function endOldShareLink(target: ShareTarget): Promise<void> {
  return request(pathOf(target, 'burrow/', 'sharing_link/old'), { method: 'DELETE' });
}

/** Sets when a link ends by itself; `null`: never. */
export function setShareExpiry(target: ShareTarget, expiresAt: string | null): Promise<void> {
  return request(pathOf(target, 'burrow/', 'sharing_expiry'), {
    method: 'PUT',
    body: { expires_at: expiresAt },
  });
}

const MACHINE = '/api/burrow/sharing/';

/** All public links of this machine, the oldest first; for admins. */
export function getMachineSharing(): Promise<MachineSharing> {
  return request(MACHINE);
}

/** Disables every link of this machine permanently, or allows links to be enabled again; for admins. */
export function setMachineSharing(off: boolean): Promise<MachineSharing> {
  return request(MACHINE, { method: 'PUT', body: { off } });
}
