import { isIP } from 'node:net';

/**
 * A small file in MaxMind's .mmdb format (version 2.0, IPv6 with IPv4 in its first 96 zeros, records of 24 bits): a
 * binary tree over the bits of addresses, then the data, then the description of the file.
 */
export function mmdbFile(
  networks: Readonly<Record<string, unknown>>,
  { databaseType = 'Test-City', buildEpoch = 1_790_000_000 } = {},
): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const tree: Node = [null, null];
  for (const [network, record] of Object.entries(networks)) {
    const encoded = encode(record);
    place(tree, bitsOf(network), dataBytes);
    data.push(encoded);
    dataBytes += encoded.length;
  }
  const nodes = numbered(tree);
  const description = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: buildEpoch,
    database_type: databaseType,
    description: {},
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([
    ...nodes.map((node) => encodeNode(node, nodes)),
    Buffer.alloc(16),
    ...data,
    Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'),
    description,
  ]);
}

/** Left and right: a further node, the place of a record within the data, or nothing. */
type Node = [Branch, Branch];
type Branch = Node | number | null;

/** The bits of a network's prefix within the IPv6 tree. */
function bitsOf(network: string): number[] {
  const [address = '', prefix] = network.split('/');
  const isV4 = isIP(address) === 4;
  const length = Number(prefix) + (isV4 ? 96 : 0);
  const bits = isV4
    ? '0'.repeat(96) +
      address
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('')
    : ipv6Words(address)
        .map((word) => word.toString(2).padStart(16, '0'))
        .join('');
  return Array.from(bits.slice(0, length), Number);
}

function ipv6Words(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => parseInt(word, 16));
  if (tail === undefined) return words(head);
  const gap = 8 - words(head).length - words(tail).length;
  return [...words(head), ...Array<number>(gap).fill(0), ...words(tail)];
}

function place(tree: Node, bits: readonly number[], record: number): void {
  let node = tree;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit as 0 | 1];
    if (Array.isArray(next)) node = next;
    else node = node[bit as 0 | 1] = [null, null];
  }
  node[bits.at(-1)! as 0 | 1] = record;
}

function numbered(tree: Node): Node[] {
  const nodes = [tree];
  for (const node of nodes) nodes.push(...node.filter((branch): branch is Node => Array.isArray(branch)));
  return nodes;
}

function encodeNode(node: Node, nodes: readonly Node[]): Buffer {
  const bytes = Buffer.alloc(6);
  node.forEach((branch, side) => {
    const value =
      branch === null
        ? nodes.length
        : Array.isArray(branch)
          ? nodes.indexOf(branch)
          : nodes.length + 16 + branch;
    bytes.writeUIntBE(value, side * 3, 3);
  });
  return bytes;
}

/** Types of the format: 2 text, 3 double, 6 unsigned integer, 7 map, 11 list. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(3, 8), bytes]);
  }
  const entries = Object.entries(value as Record<string, unknown>);
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, item]) => [encode(key), encode(item)]),
  ]);
}

function control(type: number, size: number): Buffer {
  const first = (type > 7 ? 0 : type) << 5;
  const extended = type > 7 ? [type - 7] : [];
  return Buffer.from(size < 29 ? [first | size, ...extended] : [first | 29, ...extended, size - 29]);
}
