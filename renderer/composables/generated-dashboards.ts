/** How dashboards are named that Burrow and PostHog create for a feature flag. */
const GENERATED = 'Generated Dashboard';

/** Whether a dashboard was created for a feature flag, and not by a user. */
export const isGenerated = ({ name }: { name: string }): boolean => name.startsWith(GENERATED);
