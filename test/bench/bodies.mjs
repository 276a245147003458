// @ts-check
import { openSync, closeSync, readFileSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createGenerator } from './generator.mjs';

const compress = promisify(gzip);
const COMPRESSED_AT_ONCE = 64;

/**
 * @typedef {object} PoolOptions
 * @property {number} batch Events in a request; 1 is a request to `/capture/`, more one to `/batch/`.
 * @property {boolean} gzip With zlib's default level, as SDKs compress.
 * @property {'v7' | 'v4' | 'none'} uuids
 * @property {number} count Bodies in the pool.
 * @property {string} token Project key.
 * @property {number} seed
 * @property {number} now Unix ms.
 * @property {boolean} [wideIds] See `createGenerator`.
 * @property {{ json(): string }} [generator] Makes other events than `createGenerator`.
 */

/**
 * Writes request bodies to a file, each after its length (4 bytes, little endian), so that the load client spends no
 * time on making them and every server of a comparison gets the very same bytes.
 * @param {string} path
 * @param {PoolOptions} options
 */
export async function writePool(path, options) {
  const generator = options.generator ?? createGenerator(options);
  const file = openSync(path, 'w');
  try {
    for (let written = 0; written < options.count;) {
      const some = Math.min(COMPRESSED_AT_ONCE, options.count - written);
      const plain = Array.from({ length: some }, () => makeBody(generator, options));
      const bodies = options.gzip ? await Promise.all(plain.map((body) => compress(body))) : plain;
      for (const body of bodies) writeSync(file, withLength(body));
      written += some;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * @param {string} path
 * @returns {Buffer[]}
 */
export function readPool(path) {
  const bytes = readFileSync(path);
  const bodies = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    bodies.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return bodies;
}

/**
 * Where the uuids of a plain body stand, so that each sending can carry new ones.
 * @param {Buffer} body
 */
export function findUuids(body) {
  return findValues(body, '"uuid":"');
}

/**
 * Where the digits of the wide distinct ids of a plain body stand.
 * @param {Buffer} body
 */
export function findDistinctIds(body) {
  return findValues(body, '"distinct_id":"p-');
}

/** @param {Buffer} body @param {string} key */
function findValues(body, key) {
  const offsets = [];
  for (let at = body.indexOf(key); at >= 0; at = body.indexOf(key, at + 1)) offsets.push(at + key.length);
  return offsets;
}

/**
 * @param {{ json(): string }} generator
 * @param {PoolOptions} options
 */
function makeBody(generator, { batch, token, now }) {
  const key = `{"api_key":${JSON.stringify(token)},`;
  if (batch === 1) return Buffer.from(key + generator.json().slice(1));
  const events = Array.from({ length: batch }, () => generator.json()).join(',');
  return Buffer.from(`${key}"batch":[${events}],"sent_at":"${new Date(now).toISOString()}"}`);
}

/** @param {Buffer} body */
function withLength(body) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}
