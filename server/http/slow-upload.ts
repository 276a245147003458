import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An upload of which nothing arrives for so long is cut off. */
const SILENCE_MS = 120_000;

const uploading = new WeakSet<Duplex>();

/** Lets a body take as long as it needs while it arrives: silence ends it, and not the limit of a whole request. */
export function allowSlowUpload(req: IncomingMessage, silenceMs = SILENCE_MS): void {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  const cutOff = (): void => void socket.destroy();
  uploading.add(socket);
  socket.setTimeout(silenceMs, cutOff);
  req.once('end', () => {
    uploading.delete(socket);
    socket.setTimeout(0, cutOff);
  });
}

/** Whether a body arrives on the connection that may take longer than other requests. */
export function isSlowUpload(socket: Duplex): boolean {
  return uploading.has(socket);
}
