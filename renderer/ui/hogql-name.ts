/** A name as a query writes it: in backticks unless it is a plain identifier. */
export function hogqlName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}
