import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApp } from '../support/test-app.ts';
import { createTerraform } from './terraform-client.ts';

const COHORTS = '/api/projects/1/cohorts/';

/** What the provider decodes of a cohort. */
const cohort = z.object({
  id: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  filters: z.record(z.string(), z.unknown()).nullish(),
  is_static: z.boolean().nullish(),
  deleted: z.boolean().nullish(),
});

const rule = (value: string[]) => ({
  properties: {
    type: 'OR',
    values: [
      { type: 'AND', values: [{ key: 'plan', type: 'person', operator: 'exact', value, negation: false }] },
    ],
  },
});

test('M9.2 Terraform creates a cohort, reads it, plans without a change, updates and deletes it, and detects the deletion', async () => {
  const terraform = createTerraform(await openTestApp());
  const wanted = { name: 'Pro users', description: 'They pay', filters: rule(['pro']) };
  const made = await terraform.write('POST', COHORTS, wanted, cohort);
  const path = `${COHORTS}${made.id}/`;
  // A second plan finds nothing to do: the rule comes back as it was written.
  expect(await terraform.read(path, cohort)).toEqual({
    id: made.id,
    is_static: false,
    deleted: false,
    ...wanted,
  });
  const changed = { name: 'Payers', description: '', filters: rule(['pro', 'team']), is_static: false };
  expect(await terraform.write('PATCH', path, changed, cohort)).toMatchObject(changed);
  expect(await terraform.read(path, cohort)).toMatchObject(changed);
  const deleted = await terraform.write('PATCH', path, { deleted: true }, cohort);
  expect(deleted).toMatchObject({ id: made.id, deleted: true });
  // The provider treats a cohort that is marked so as deleted.
  expect(await terraform.read(path, cohort)).toMatchObject({ deleted: true });
  expect(await terraform.readAll(COHORTS, cohort)).toEqual([]);
});

test('M9.2 Terraform creates a static cohort', async () => {
  const terraform = createTerraform(await openTestApp());
  const made = await terraform.write('POST', COHORTS, { name: 'Beta', is_static: true }, cohort);
  expect(await terraform.read(`${COHORTS}${made.id}/`, cohort)).toMatchObject({
    name: 'Beta',
    is_static: true,
  });
});
