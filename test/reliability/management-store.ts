import type { Db } from '../../server/db/db.ts';

/** The reference of a column: every value that is not NULL exists in the other column. */
const REFERENCES: readonly (readonly [from: string, to: string])[] = [
  ['organization_members.organization_id', 'organizations.id'],
  ['organization_members.user_id', 'users.id'],
  ['user_profiles.user_id', 'users.id'],
  ['personal_api_keys.user_id', 'users.id'],
  ['projects.organization_id', 'organizations.id'],
  ['dashboards.project_id', 'projects.id'],
  ['dashboard_texts.project_id', 'projects.id'],
  ['dashboard_tiles.dashboard_id', 'dashboards.id'],
  ['dashboard_tiles.insight_id', 'insights.id'],
  ['dashboard_tiles.text_id', 'dashboard_texts.id'],
  ['insights.project_id', 'projects.id'],
  ['insight_views.insight_id', 'insights.id'],
  ['insight_views.user_id', 'users.id'],
  ['dashboard_templates.project_id', 'projects.id'],
  ['dashboard_collaborators.dashboard_id', 'dashboards.id'],
  ['dashboard_collaborators.user_id', 'users.id'],
  ['sharing_configurations.project_id', 'projects.id'],
  ['sharing_configurations.dashboard_id', 'dashboards.id'],
  ['sharing_configurations.insight_id', 'insights.id'],
  ['access_controls.project_id', 'projects.id'],
  ['access_controls.member_id', 'organization_members.id'],
  ['access_control_management.project_id', 'projects.id'],
  ['access_control_management.member_id', 'organization_members.id'],
  ['activity_log.organization_id', 'organizations.id'],
  ['annotations.project_id', 'projects.id'],
  ['annotations.dashboard_id', 'dashboards.id'],
  ['annotations.insight_id', 'insights.id'],
  ['actions.project_id', 'projects.id'],
  ['insight_variables.project_id', 'projects.id'],
  ['feature_flags.project_id', 'projects.id'],
  ['feature_flags.usage_dashboard', 'dashboards.id'],
  ['flag_calls.project_id', 'projects.id'],
  ['flag_hash_keys.project_id', 'projects.id'],
  ['flag_overrides.project_id', 'projects.id'],
  ['flag_overrides.created_by', 'users.id'],
  ['cohorts.project_id', 'projects.id'],
  ['cohort_people.project_id', 'projects.id'],
  ['cohort_people.cohort_id', 'cohorts.id'],
  ['surveys.project_id', 'projects.id'],
  ['project_secrets.project_id', 'projects.id'],
  ['early_access_features.project_id', 'projects.id'],
  ['early_access_features.feature_flag_id', 'feature_flags.id'],
];

/** Statements that count rows which must not be there, by what they would mean. */
const NEVER: Readonly<Record<string, string>> = {
  'tiles that show nothing, or two things': `SELECT count(*) FROM dashboard_tiles WHERE (insight_id IS NULL) = (text_id IS NULL)`,
  'live tiles of deleted dashboards': `SELECT count(*) FROM dashboard_tiles t JOIN dashboards d ON d.id = t.dashboard_id
    WHERE d.deleted AND NOT t.deleted`,
  'insights that stand on a dashboard twice': `SELECT count(*) FROM (SELECT 1 FROM dashboard_tiles
    WHERE insight_id IS NOT NULL AND NOT deleted GROUP BY dashboard_id, insight_id HAVING count(*) > 1)`,
  'tiles whose insight is of another project': `SELECT count(*) FROM dashboard_tiles t JOIN dashboards d ON d.id = t.dashboard_id
    JOIN insights i ON i.id = t.insight_id WHERE i.project_id <> d.project_id`,
  'collaborators that are one twice': `SELECT count(*) FROM (SELECT 1 FROM dashboard_collaborators
    GROUP BY dashboard_id, user_id HAVING count(*) > 1)`,
  'objects with two links': `SELECT count(*) FROM (SELECT 1 FROM sharing_configurations
    GROUP BY dashboard_id, insight_id HAVING count(*) > 1)`,
  'short ids that are used twice': `SELECT count(*) FROM (SELECT 1 FROM insights GROUP BY short_id HAVING count(*) > 1)`,
  'names of actions that are used twice': `SELECT count(*) FROM (SELECT 1 FROM actions WHERE NOT deleted
    GROUP BY project_id, name HAVING count(*) > 1)`,
  'keys of flags that are used twice': `SELECT count(*) FROM (SELECT 1 FROM feature_flags WHERE NOT deleted
    GROUP BY project_id, key HAVING count(*) > 1)`,
  'active flags that depend on one that is not': `SELECT count(*) FROM (SELECT project_id,
      unnest(from_json(depends_on, '["INTEGER"]')) AS needed FROM feature_flags WHERE active AND NOT deleted) a
    WHERE NOT EXISTS (SELECT 1 FROM feature_flags f
      WHERE f.id = a.needed AND f.project_id = a.project_id AND f.active AND NOT f.deleted)`,
  'live flags that ask for a cohort that is not there': `SELECT count(*) FROM (SELECT project_id,
      unnest(json_extract(filters, '$.groups[*].properties[*]')) AS property FROM feature_flags WHERE NOT deleted) a
    WHERE property->>'$.type' = 'cohort' AND NOT EXISTS (SELECT 1 FROM cohorts c
      WHERE c.id = try_cast(property->>'$.value' AS INTEGER) AND c.project_id = a.project_id AND NOT c.deleted)`,
  'answers that are forced twice': `SELECT count(*) FROM (SELECT 1 FROM flag_overrides
    GROUP BY project_id, flag_key, distinct_id HAVING count(*) > 1)`,
  'members of cohorts that are none, or follow a rule': `SELECT count(*) FROM cohort_people m
    JOIN cohorts c ON c.id = m.cohort_id LEFT JOIN person_overrides o ON o.old_person_id = m.person_id
    WHERE NOT c.is_static OR c.project_id <> m.project_id OR NOT EXISTS (SELECT 1 FROM persons p
      WHERE p.id = coalesce(o.person_id, m.person_id) AND p.project_id = m.project_id)`,
  'surveys with a flag of another project': `SELECT count(*) FROM surveys s
    JOIN feature_flags f ON f.id IN (s.linked_flag_id, s.targeting_flag_id, s.internal_targeting_flag_id)
    WHERE f.project_id <> s.project_id`,
  'names of surveys that are used twice': `SELECT count(*) FROM (SELECT 1 FROM surveys
    GROUP BY project_id, name HAVING count(*) > 1)`,
  'early access features whose flag is deleted, or is of another': `SELECT count(*) FROM early_access_features e
    JOIN feature_flags f ON f.id = e.feature_flag_id WHERE f.deleted OR f.project_id <> e.project_id OR EXISTS (
      SELECT 1 FROM early_access_features o WHERE o.feature_flag_id = e.feature_flag_id AND o.id <> e.id)`,
  'levels of restriction that do not exist': `SELECT count(*) FROM dashboards WHERE restriction_level NOT IN (21, 37)`,
  'organizations without an owner': `SELECT count(*) FROM organizations o WHERE NOT EXISTS (SELECT 1 FROM organization_members m
    WHERE m.organization_id = o.id AND m.level = 15)`,
};

/** Tables in which a refused request leaves no trace; those that are written beside requests are left out. */
const KEPT: readonly string[] = [...new Set(REFERENCES.flat().map((column) => column.split('.')[0]!))].filter(
  (table) => !['personal_api_keys', 'insight_views', 'flag_calls', 'flag_hash_keys'].includes(table),
);

/** What is wrong with the rows of the management tables, each as a sentence; none when they fit together. */
export async function contradictionsIn(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const [from, to] of REFERENCES) {
    const [table, column] = from.split('.') as [string, string];
    const [other, key] = to.split('.') as [string, string];
    const sql = `SELECT count(*) AS lost FROM ${table} a WHERE a.${column} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${other} b WHERE b.${key} = a.${column})`;
    const lost = Number((await db.first<{ lost: number }>(sql))!.lost);
    if (lost > 0)
      found.push(`${lost} rows of ${table} name a row of ${other} that is not there (${column}).`);
  }
  for (const [meaning, sql] of Object.entries(NEVER)) {
    const count = Number(Object.values((await db.first(sql))!)[0]);
    if (count > 0) found.push(`There are ${count} ${meaning}.`);
  }
  return found;
}

/** One value for all that the management tables hold; it changes with any row. */
export async function fingerprintOf(db: Db): Promise<string> {
  // One sum over all tables: a value for each would take three times as long to plan as it takes to compute.
  const rows = KEPT.map((table) => `SELECT hash('${table}', t)::HUGEINT AS row_hash FROM ${table} t`);
  return String(
    Object.values((await db.first(`SELECT sum(row_hash)::VARCHAR FROM (${rows.join(' UNION ALL ')})`))!)[0],
  );
}
