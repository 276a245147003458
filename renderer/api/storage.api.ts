import type { StorageJson } from '../../server/features/storage/storage.contract.ts';
import { request } from './http.ts';

export type StorageReport = StorageJson;

/** The file that holds everything: its size in bytes, and what of it is whose. */
export function getStorageReport(): Promise<StorageReport> {
  return request<StorageReport>('/api/burrow/storage/');
}
