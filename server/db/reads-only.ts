/** Whether a statement only reads, by its first word. One that begins with WITH may write. */
export function readsOnly(sql: string): boolean {
  return /^\s*(SELECT|FROM)\b/i.test(sql);
}
