import { BlockList, isIP } from 'node:net';

/** Addresses that mean no place: this host, private and shared networks, links, groups, reserved ones (RFC 6890). */
const NOWHERE = blockList(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 ' +
    '224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 100::/64 fc00::/7 fe80::/10 ff00::/8',
);
/** Addresses for documentation and measurements (RFC 2544, 3849, 5737, 9637). */
const EXAMPLES = blockList(
  '192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20',
);

const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

function blockList(subnets: string): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(' ')) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Returns the address to look up: IPv4 within IPv6 as plain IPv4. Null for an invalid address and for one without a
 * location: loopback, private, link-local, reserved.
 */
export function publicAddress(text: string): string | null {
  const address = unmapped(text);
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) belongs to link-local addresses.
  if (family === 0 || address.includes('%')) return null;
  return NOWHERE.check(address, family === 4 ? 'ipv4' : 'ipv6') ? null : address;
}

/** Whether an address is of those that documents use as examples; real files know nothing true of them. */
export function isExampleAddress(address: string): boolean {
  return EXAMPLES.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

function unmapped(address: string): string {
  const found = MAPPED.exec(address);
  if (found === null) return address;
  const [, dotted, high, low] = found;
  if (dotted !== undefined) return dotted;
  const [first, second] = [Number.parseInt(high!, 16), Number.parseInt(low!, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
