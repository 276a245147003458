/** An SDK and its version as they are shown, or the words for a sender that named neither. */
export function senderOf({ lib, lib_version }: { lib: string; lib_version: string }): string {
  return `${lib || 'unknown sender'} ${lib_version}`.trim();
}
