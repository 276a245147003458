-- Who turned a link on: it shows at most what that user may see. NULL: it was never on, or nobody knows.
ALTER TABLE sharing_configurations ADD COLUMN enabled_by INTEGER;

UPDATE sharing_configurations SET enabled_by = (
  SELECT arg_max(a.user_id, a.created_at) FROM activity_log a
  WHERE a.activity = 'sharing enabled' AND a.project_id = sharing_configurations.project_id
    AND a.scope = CASE WHEN sharing_configurations.dashboard_id IS NULL THEN 'Insight' ELSE 'Dashboard' END
    AND a.item_id = coalesce(sharing_configurations.dashboard_id, sharing_configurations.insight_id)::VARCHAR
);
