/** Unix microseconds as ISO text with microseconds and `Z`: `2026-11-20T09:10:11.123456Z`. */
export function isoMicros(micros: bigint): string {
  let ms = micros / 1000n;
  let rest = micros % 1000n;
  if (rest < 0n) {
    rest += 1000n;
    ms -= 1n;
  }
  const iso = new Date(Number(ms)).toISOString();
  return `${iso.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
