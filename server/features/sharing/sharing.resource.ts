import { defineResource } from '../../http/define-resource.ts';

export const sharingResource = defineResource({
  noun: 'sharing_configuration',
  activity: 'SharingConfiguration',
});
