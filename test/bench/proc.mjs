// @ts-check
import { readFileSync } from 'node:fs';

/** Ticks of /proc/<pid>/stat per second: USER_HZ, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Memory of a process in MB (10^6 bytes), of all its threads: resident now, and the most it ever was.
 * @param {number} pid
 */
export function readMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (/** @type {string} */ field) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/**
 * Seconds of processor time that a process has used, of all its threads, user and system.
 * @param {number} pid
 */
export function readCpuSeconds(pid) {
  // The second field is the name in parentheses and may hold spaces; utime and stime are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
