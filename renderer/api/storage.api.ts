import type { CompactedJson, StorageJson } from '../../server/features/storage/storage.contract.ts';
import { request } from './http.ts';

export type StorageReport = StorageJson;
export type Compacted = CompactedJson;

/** The file that holds everything: its size in bytes, and what of it is whose. */
export function getStorageReport(): Promise<StorageReport> {
  return request<StorageReport>('/api/burrow/storage/');
}

/** Runs pending maintenance immediately, and returns the freed space. */
export function compactStorage(): Promise<Compacted> {
  return request<Compacted>('/api/burrow/storage/compact/', { method: 'POST' });
}
