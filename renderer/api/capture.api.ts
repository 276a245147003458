import { request } from './http.ts';

export interface CaptureBody {
  api_key: string;
  uuid: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

/** Sends an event through the same door as every SDK. */
export function captureEvent(body: CaptureBody): Promise<unknown> {
  return request('/capture/', { method: 'POST', body, hasOwnCredential: true });
}
