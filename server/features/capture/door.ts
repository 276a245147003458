import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from '../../http/send.ts';
import type { ApiError } from '../../errors.ts';
import type { PublicRequest } from '../../http/public-route.ts';
import { readRawBody } from '../../http/read-body.ts';
import type { DoorKind, HeaderClaims } from './capture-messages.ts';
import { originOf, type Capture } from './capture.service.ts';

/** How a door answers what it took, and writes refusals where it has words of its own for them. */
export interface Answers {
  /** `body`: JSON text from the store's thread, or null. */
  taken(request: PublicRequest, body: string | null): void;
  refused?(req: IncomingMessage, res: ServerResponse, error: ApiError): void;
}

/** What the doors of capture have in common: bodies come in, refusals are noted for the Ingestion screen. */
export interface Door {
  /** Reads the body within the limit, hands it to the store's thread, and answers. */
  receive(request: PublicRequest, kind: DoorKind, answers: Answers, claims?: HeaderClaims): void;
  refuse(request: PublicRequest, error: ApiError, answers?: Answers): void;
  /** Notes a browser's preflight. */
  preflighted(req: IncomingMessage, path: string): void;
}

/** Makes the door of all routes through which events arrive; a body is smaller than `maxBodyBytes`. */
export function createDoor(capture: Capture, maxBodyBytes: number): Door {
  const knockOf = (req: IncomingMessage, path: string) => ({
    at: capture.now(),
    method: req.method ?? '',
    path,
    origin: originOf(req),
  });

  function refuse(request: PublicRequest, error: ApiError, answers?: Answers): void {
    capture.knock({
      ...knockOf(request.req, request.path),
      status: error.status,
      outcome: 'refused',
      code: error.body.code,
      detail: error.message,
    });
    (answers?.refused ?? sendError)(request.req, request.res, error);
  }

  return {
    receive(request, kind, answers, claims) {
      readRawBody(request.req, { maxBytes: maxBodyBytes, gate: capture.gate }, (error, body) => {
        if (error !== null) return refuse(request, error, answers);
        capture.submit({ request, kind, claims: claims ?? null }, body, (refusal, text) => {
          if (refusal === null) answers.taken(request, text);
          else (answers.refused ?? sendError)(request.req, request.res, refusal);
        });
      });
    },
    refuse,
    preflighted: (req, path) =>
      capture.knock({ ...knockOf(req, path), status: 200, outcome: 'preflight', code: null, detail: null }),
  };
}
