// @ts-check

/**
 * Reads the responses of one keep-alive connection: only status and end of each. Supports Content-Length, chunked bodies
 * and responses without a body, which is all that the servers under test send.
 * @param {(status: number) => void} onResponse
 * @returns {(chunk: Buffer) => void}
 */
export function createResponseReader(onResponse) {
  /** @type {Buffer | null} */
  let kept = null;
  return (chunk) => {
    let bytes = kept === null ? chunk : Buffer.concat([kept, chunk]);
    kept = null;
    while (bytes.length > 0) {
      const response = readResponse(bytes);
      if (response === null) {
        kept = bytes;
        return;
      }
      bytes = bytes.subarray(response.end);
      onResponse(response.status);
    }
  };
}

/**
 * @param {Buffer} bytes
 * @returns {{ status: number, end: number } | null} null while the answer is incomplete
 */
function readResponse(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const bodyAt = headEnd + 4;
  const end = bodyEnd(bytes, head, status, bodyAt);
  return end === null || end > bytes.length ? null : { status, end };
}

/**
 * @param {Buffer} bytes
 * @param {string} head
 * @param {number} status
 * @param {number} bodyAt
 * @returns {number | null}
 */
function bodyEnd(bytes, head, status, bodyAt) {
  if (status === 204 || status === 304) return bodyAt;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length !== null) return bodyAt + Number(length[1]);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return bodyAt;
  const last = bytes.indexOf('0\r\n\r\n', bodyAt);
  return last < 0 ? null : last + 5;
}
