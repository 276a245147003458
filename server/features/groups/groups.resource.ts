import { defineResource } from '../../http/define-resource.ts';

export const groupResource = defineResource({ noun: 'group', activity: 'Group' });
