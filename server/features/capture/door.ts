import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from '../../http/send.ts';
import type { ApiError } from '../../errors.ts';
import type { PublicRequest } from '../../http/public-route.ts';
import { readRawBody } from '../../http/read-body.ts';
import type { DoorKind, HeaderClaims } from './capture-messages.ts';
import { originOf, type Capture } from './capture.service.ts';

/** How an endpoint responds to accepted requests, and to rejected ones if their errors have a format of their own. */
export interface Answers {
  /** `body`: JSON text from the store's thread, or null. */
  taken(request: PublicRequest, body: string | null): void;
  refused?(req: IncomingMessage, res: ServerResponse, error: ApiError): void;
}

/** Shared by all capture endpoints: receives bodies and records rejected requests for the Ingestion screen. */
export interface Door {
  /** Reads the body within the limit, submits it to the store thread and responds. */
  receive(request: PublicRequest, kind: DoorKind, answers: Answers, claims?: HeaderClaims): void;
  refuse(request: PublicRequest, error: ApiError, answers?: Answers): void;
  /** Records a browser's preflight. */
  preflighted(req: IncomingMessage, path: string): void;
}

/** `maxBodyBytes`: exclusive limit of a body. */
export function createDoor(capture: Capture, maxBodyBytes: number): Door {
  const requestFields = (req: IncomingMessage, path: string) => ({
    at: capture.now(),
    method: req.method ?? '',
    path,
    origin: originOf(req),
  });

  function refuse(request: PublicRequest, error: ApiError, answers?: Answers): void {
    capture.recordRejectedRequest({
      ...requestFields(request.req, request.path),
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
      capture.recordRejectedRequest({
        ...requestFields(req, path),
        status: 200,
        outcome: 'preflight',
        code: null,
        detail: null,
      }),
  };
}
