import type { DashboardTemplateJson } from './dashboard-templates.contract.ts';
import { defaultAppTemplate } from './default-app-template.ts';
import type { BuiltInTemplate } from './template-grid.ts';
import { websiteTrafficTemplate } from './website-traffic-template.ts';

export const BUILT_IN_TEMPLATES: readonly BuiltInTemplate[] = [defaultAppTemplate, websiteTrafficTemplate];

/** The creation time that lists show for built-in templates. */
const CREATED_AT = '2026-11-20T00:00:00.000000Z';

/** A template of the program as one that was stored. */
export function builtInJson({ key: _key, tags, ...template }: BuiltInTemplate): DashboardTemplateJson {
  return {
    ...template,
    tags: [...tags],
    variables: [],
    deleted: false,
    created_at: CREATED_AT,
    created_by: null,
    image_url: null,
    team_id: null,
    scope: 'global',
  };
}
