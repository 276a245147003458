import type { Reader, Response } from 'mmdb-lib';

/** Networks looked at in each family; a file has data sooner, or it has none. */
const NETWORKS = 100_000;

/**
 * The records of a file in order of their networks, IPv4 first, some of them more than once. The reader looks up single
 * addresses only, but returns the size of the network around each.
 */
export function* recordsOf(reader: Reader<Response>): Generator<unknown> {
  yield* recordsOfFamily(reader, 32);
  if (reader.metadata.ipVersion === 6) yield* recordsOfFamily(reader, 128);
}

function* recordsOfFamily(reader: Reader<Response>, bits: 32 | 128): Generator<unknown> {
  let address = 0n;
  for (let count = 0; count < NETWORKS && address < 1n << BigInt(bits); count++) {
    const [record, prefix] = reader.getWithPrefixLength(bits === 32 ? ipv4(address) : ipv6(address));
    if (record !== null) yield record;
    // A tree whose IPv4 part is one network has a prefix of 0.
    address += 1n << BigInt(bits - prefix);
  }
}

function ipv4(address: bigint): string {
  const value = Number(address);
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
}

function ipv6(address: bigint): string {
  const digits = address.toString(16).padStart(32, '0');
  return digits.match(/.{4}/g)!.join(':');
}
