interface About<T> {
  readonly aggregation_group_type_index?: T | null | undefined;
}

/**
 * The index of the type of groups that a condition of a flag is about; null: persons. A condition that says null is about
 * persons also in a flag about groups; one that says nothing is about what its flag is about (F-7).
 */
export function groupTypeOfCondition<T>(condition: About<T>, filters: About<T>): T | null {
  const own = condition.aggregation_group_type_index;
  return (own === undefined ? filters.aggregation_group_type_index : own) ?? null;
}
