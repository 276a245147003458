import { KeyRound, UserPlus } from '@lucide/vue';
import type { ConsoleResource } from '../../composables/resources.ts';

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
