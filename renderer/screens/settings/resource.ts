import { KeyRound, UserPlus } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';

/** As many as are looked through: the server has no search for members. */
const MOST_MEMBERS = 1000;

export const accessControlResource = {
  noun: 'access_control',
  activity: 'AccessControl',
  one: 'access rule',
  many: 'access rules',
  order: 110,
  filter: 'Access and sharing',
  scope: { read: 'view access rules', write: 'edit them' },
} satisfies ConsoleResource;

export const sharingConfigurationResource = {
  noun: 'sharing_configuration',
  activity: 'SharingConfiguration',
  one: 'shared link',
  many: 'shared links',
  order: 111,
  filter: 'Access and sharing',
  scope: { read: 'view shared links', write: 'share, and turn off sharing' },
} satisfies ConsoleResource;

export const projectResource = {
  noun: 'project',
  activity: 'Project',
  one: 'project',
  many: 'projects',
  order: 130,
  filter: 'Projects',
  scope: { read: 'view them and their settings', write: 'create, edit, delete' },
} satisfies ConsoleResource;

export const personalApiKeyResource = {
  noun: 'personal_api_key',
  activity: 'PersonalAPIKey',
  one: 'API key',
  many: 'API keys',
  icon: KeyRound,
  order: 135,
  filter: 'API keys',
  create: [
    {
      label: 'New personal API key',
      to: { name: 'settings', params: { page: 'keys' }, query: { new: '' } },
    },
  ],
} satisfies ConsoleResource;

export const memberResource = {
  noun: 'organization_member',
  activity: 'OrganizationMembership',
  one: 'member',
  many: 'members',
  icon: UserPlus,
  order: 140,
  filter: 'Members',
  scope: { read: 'view its members', write: 'add, edit, remove' },
  create: [{ to: { name: 'settings', params: { page: 'members' }, query: { new: '' } }, isForAdmins: true }],
  list: 'settings',
  /** By name or email address. */
  async find(projectId, search, limit) {
    const { results } = await api.get('/api/organizations/:organization_id/members/', {
      organization_id: '@current',
      query: { order: 'joined_at', limit: MOST_MEMBERS },
    });
    const wanted = search.toLowerCase();
    const objects = results
      .map(({ id, user }) => ({
        id,
        label: `${user.first_name} ${user.last_name}`.trim() || user.email,
        hint: user.email,
        to: { name: 'settings', params: { projectId, page: 'members' } },
        inList: { page: 'members' },
      }))
      .filter(({ label, hint }) => `${label} ${hint}`.toLowerCase().includes(wanted));
    return { objects: objects.slice(0, limit), count: objects.length };
  },
} satisfies ConsoleResource;

export const userResource = {
  noun: 'user',
  activity: 'User',
  one: 'profile',
  many: 'profiles',
  order: 141,
  filter: 'Members',
  scope: { label: 'You', read: 'view your profile', write: 'edit your profile' },
} satisfies ConsoleResource;

export const organizationResource = {
  noun: 'organization',
  activity: 'Organization',
  one: 'organization',
  many: 'organizations',
  order: 142,
  filter: 'Members',
  scope: { label: 'Organization', read: 'view its name and projects', write: 'edit it' },
} satisfies ConsoleResource;
