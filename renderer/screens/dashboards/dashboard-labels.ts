/** What a dashboard is called. */
export function nameOfDashboard({ name }: { name: string }): string {
  return name.trim() || 'Untitled dashboard';
}
