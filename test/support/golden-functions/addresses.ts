import type { GoldenTable } from './golden-table.ts';

const V6 = '2001:db8::8a2e:370:7334';
const DIGITS = '20010DB8000000000000000000000001';

/** Addresses of both versions, their numbers and ranges. */
const addresses: GoldenTable = {
  title: 'IP addresses',
  rows: [
    [`IPv4StringToNum('66.249.84.5')`, 1123636229],
    [`IPv4StringToNum('0.0.0.255')`, 255],
    [`IPv4StringToNumOrDefault('nope')`, 0],
    [`IPv4StringToNumOrDefault('1.2.3.4')`, 16909060],
    [`IPv4StringToNumOrNull('nope')`, null],
    [`IPv4StringToNumOrNull('1.2.3.4')`, 16909060],
    [`IPv4NumToString(IPv4StringToNum('66.249.84.5'))`, '66.249.84.5'],
    [`IPv4NumToString(0)`, '0.0.0.0'],
    [`IPv4NumToStringClassC(16909060)`, '1.2.3.xxx'],
    [`IPv4NumToStringClassC(0)`, '0.0.0.xxx'],
    [`IPv4ToIPv6(16909060)`, '00000000000000000000FFFF01020304'],
    [`IPv4ToIPv6(IPv4StringToNum('0.0.0.0'))`, '00000000000000000000FFFF00000000'],
    [`IPv6StringToNum('2001:db8::1')`, DIGITS],
    [`IPv6StringToNum('::')`, '0'.repeat(32)],
    [`IPv6StringToNumOrDefault('nope')`, '0'.repeat(32)],
    [`IPv6StringToNumOrDefault('2001:db8::1')`, DIGITS],
    [`IPv6StringToNumOrNull('1:2:3')`, null],
    [`IPv6StringToNumOrNull('2001:db8::1')`, DIGITS],
    [`IPv6NumToString(IPv6StringToNum('2001:db8::1'))`, '2001:db8::1'],
    [`IPv6NumToString(IPv6StringToNum('1:0:0:2:0:0:0:3'))`, '1:0:0:2::3'],
    [`hex(IPv6StringToNum('2001:db8::1'))`, DIGITS],
    [`IPv6NumToString(IPv4ToIPv6(IPv4StringToNum('1.2.3.4')))`, '::ffff:1.2.3.4'],
    [`toIPv4('1.2.3.4')`, '1.2.3.4'],
    [`toIPv4('255.255.255.255')`, '255.255.255.255'],
    [`toIPv4OrDefault('nope')`, '0.0.0.0'],
    [`toIPv4OrDefault('1.2.3.4')`, '1.2.3.4'],
    [`toIPv4OrZero('nope')`, '0.0.0.0'],
    [`toIPv4OrZero('1.2.3.4')`, '1.2.3.4'],
    [`toIPv4OrNull('nope')`, null],
    [`toIPv4OrNull('1.2.3.4')`, '1.2.3.4'],
    [`toIPv6('2001:DB8:0:0:0:0:0:1')`, '2001:db8::1'],
    [`toIPv6('1.2.3.4')`, '::ffff:1.2.3.4'],
    [`toIPv6OrDefault('nope')`, '::'],
    [`toIPv6OrDefault('::1')`, '::1'],
    [`toIPv6OrZero('nope')`, '::'],
    [`toIPv6OrZero('fe80::')`, 'fe80::'],
    [`toIPv6OrNull('nope')`, null],
    [`toIPv6OrNull('::ffff:1.2.3.4')`, '::ffff:1.2.3.4'],
    [`isIPv4String('1.2.3.4')`, 1],
    [`isIPv4String('::1')`, 0],
    [`isIPv6String('::1')`, 1],
    [`isIPv6String('1:2:3')`, 0],
    [`isIPAddressInRange('66.249.84.5', '66.249.80.0/20')`, 1],
    [`isIPAddressInRange('66.249.96.5', '66.249.80.0/20')`, 0],
    [`isIPAddressInRange('2001:db8::1', '2001:db8::/32')`, 1],
    [`isIPAddressInRange('2001:db9::1', '2001:db8::/32')`, 0],
    [`isIPAddressInRange('1.2.3.4', '::/0')`, 0],
    [`toString(IPv4CIDRToRange(toIPv4('192.168.5.2'), 16).1)`, '192.168.0.0'],
    [`IPv4CIDRToRange(toIPv4('192.168.5.2'), 16)`, ['192.168.0.0', '192.168.255.255']],
    [`IPv4CIDRToRange(toIPv4('192.168.5.2'), 32)`, ['192.168.5.2', '192.168.5.2']],
    [`IPv6CIDRToRange(toIPv6('${V6}'), 32)`, ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff']],
    [`IPv6CIDRToRange(toIPv6('${V6}'), 127)`, ['2001:db8::8a2e:370:7334', '2001:db8::8a2e:370:7335']],
    [`cutIPv6(toIPv6('${V6}'), 2, 0)`, '2001:db8::8a2e:370:0'],
    [`cutIPv6(toIPv6('1.2.3.4'), 2, 1)`, '::ffff:1.2.3.0'],
  ],
};

/** Bytes taken for other types. */
const bytes: GoldenTable = {
  title: 'bytes as numbers of 128 bits, texts, days and moments',
  rows: [
    [`reinterpretAsUInt128('abc')`, 6513249],
    [`reinterpretAsUInt128(5)`, 5],
    [`reinterpretAsInt128('abc')`, 6513249],
    [`reinterpretAsInt128('a')`, 97],
    [`reinterpretAsString(25185)`, 'ab'],
    [`reinterpretAsString(97)`, 'a'],
    [`reinterpretAsDate(3)`, '1970-01-04'],
    [`reinterpretAsDate(65)`, '1970-03-07'],
    [`reinterpretAsDateTime(3)`, '1970-01-01T00:00:03Z'],
    [`reinterpretAsDateTime(3600)`, '1970-01-01T01:00:00Z'],
  ],
};

export const addressTables: readonly GoldenTable[] = [addresses, bytes];
