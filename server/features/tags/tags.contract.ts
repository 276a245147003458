import { z } from 'zod';

/** Every tag of a project, in order of the alphabet. */
export const tagNames = z.array(z.string());

export const tagsApi = {
  'GET P/tags/': { response: tagNames },
};
