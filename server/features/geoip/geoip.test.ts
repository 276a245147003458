import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mmdbFile } from '../../../test/support/mmdb.ts';
import { GeoipFileError, openGeoipFile, openGeoipFileNow } from './geoip-file.ts';
import { createGeoipLookup } from './geoip-lookup.ts';
import { publicAddress } from './special-addresses.ts';

const COUNTRY_FILE = 'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

const NESTED = {
  continent: { code: 'EU', names: { en: 'Europe', de: 'Europa' } },
  country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
  city: { names: { en: 'London' } },
  postal: { code: 'EC1A' },
  location: { latitude: 51.5142, longitude: -0.0931, accuracy_radius: 10, time_zone: 'Europe/London' },
  subdivisions: [
    { iso_code: 'ENG', names: { en: 'England' } },
    { iso_code: 'LND', names: { en: 'City of London' } },
  ],
};
const FLAT = {
  country_code: 'US',
  city: 'Syracuse',
  state1: 'New York',
  state2: '',
  postcode: '13221',
  latitude: 43.048301696777344,
  longitude: -76.14679718017578,
  timezone: 'America/New_York',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-geoip-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(bytes: Buffer, name = 'test.mmdb'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

describe('a city file', () => {
  test('of the nested shape has names, codes, coordinates and time zone', async () => {
    const file = await openGeoipFile(await fileWith(mmdbFile({ '81.2.69.0/24': NESTED })));
    expect(file).toMatchObject({ databaseType: 'Test-City', builtAt: '2026-09-21T14:13:20.000Z' });
    expect(file.find('81.2.69.142')).toEqual({
      $geoip_country_code: 'GB',
      $geoip_country_name: 'United Kingdom',
      $geoip_continent_code: 'EU',
      $geoip_continent_name: 'Europe',
      $geoip_city_name: 'London',
      $geoip_postal_code: 'EC1A',
      $geoip_latitude: 51.5142,
      $geoip_longitude: -0.0931,
      $geoip_accuracy_radius: 10,
      $geoip_time_zone: 'Europe/London',
      $geoip_subdivision_1_code: 'ENG',
      $geoip_subdivision_1_name: 'England',
      $geoip_subdivision_2_code: 'LND',
      $geoip_subdivision_2_name: 'City of London',
    });
    expect(file.find('81.2.70.1')).toBeNull();
  });
  test('of the flat shape has the same, with country and continent by their names', async () => {
    const file = await openGeoipFile(await fileWith(mmdbFile({ '24.24.0.0/16': FLAT, '2a00::/12': FLAT })));
    const expected = {
      $geoip_country_code: 'US',
      $geoip_country_name: 'United States',
      $geoip_continent_code: 'NA',
      $geoip_continent_name: 'North America',
      $geoip_city_name: 'Syracuse',
      $geoip_postal_code: '13221',
      $geoip_latitude: 43.0483,
      $geoip_longitude: -76.1468,
      $geoip_time_zone: 'America/New_York',
      $geoip_subdivision_1_name: 'New York',
    };
    expect(file.find('24.24.24.24')).toEqual(expected);
    expect(file.find('2a00:1450::1')).toEqual(expected);
  });
  test('with IPv6 networks only is valid', async () => {
    const file = await openGeoipFile(await fileWith(mmdbFile({ '2a00::/12': FLAT })));
    expect(file.find('2a00::1')).toMatchObject({ $geoip_city_name: 'Syracuse' });
  });
  test('opened synchronously is equal', async () => {
    const path = await fileWith(mmdbFile({ '81.2.69.0/24': NESTED }));
    expect(openGeoipFileNow(path).find('81.2.69.1')).toEqual((await openGeoipFile(path)).find('81.2.69.1'));
  });
});

test('the built-in country file has country and continent', async () => {
  const file = await openGeoipFile(COUNTRY_FILE);
  expect(file.find('8.8.8.8')).toEqual({
    $geoip_country_code: 'US',
    $geoip_country_name: 'United States',
    $geoip_continent_code: 'NA',
    $geoip_continent_name: 'North America',
  });
  expect(file.find('2001:4860:4860::8888')).toMatchObject({ $geoip_country_code: 'US' });
});

describe('an unusable file is refused with a message', () => {
  test.each([
    ['a file that does not exist', 'none.mmdb', null, /none\.mmdb does not exist\.$/],
    ['a folder', '.', null, /is not a file\.$/],
    ['another format', 'text.mmdb', Buffer.from('hello'), /not a file in MaxMind's \.mmdb format/],
    ['an empty file', 'empty.mmdb', Buffer.alloc(0), /not a file in MaxMind's \.mmdb format/],
    [
      'the end of a file alone',
      'cut.mmdb',
      mmdbFile({ '81.2.69.0/24': NESTED }).subarray(-200),
      /not a file in MaxMind's \.mmdb format|has no countries or cities/,
    ],
    [
      'a file about networks',
      'asn.mmdb',
      mmdbFile({ '81.2.69.0/24': { autonomous_system_number: 1 } }, { databaseType: 'GeoLite2-ASN' }),
      /\(GeoLite2-ASN\) has no countries or cities\.$/,
    ],
  ])('%s', async (_, name, bytes, message) => {
    const path = bytes === null ? join(folder, name) : await fileWith(bytes, name);
    await expect(openGeoipFile(path)).rejects.toThrow(GeoipFileError);
    await expect(openGeoipFile(path)).rejects.toThrow(message);
    expect(() => openGeoipFileNow(path)).toThrow(message);
  });
});

describe('6.7b private address', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.7',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd12::1',
    '::ffff:192.168.1.7',
    '::ffff:7f00:1',
    'ff02::1',
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '8.8.8.8:80',
    '256.1.1.1',
    '8.8.8.8, 1.1.1.1',
    ' 8.8.8.8',
  ])('%j is not looked up', (ip) => {
    let opened = 0;
    const lookup = createGeoipLookup(() => (opened++, null), false);
    expect(lookup(ip)).toBeNull();
    expect(opened).toBe(0);
  });
  test('IPv4 in IPv6 is looked up as IPv4', () => {
    expect(publicAddress('::ffff:8.8.8.8')).toBe('8.8.8.8');
    expect(publicAddress('::FFFF:0808:0808')).toBe('8.8.8.8');
  });
  test('documentation addresses are not looked up in the built-in file', async () => {
    const file = await openGeoipFile(await fileWith(mmdbFile({ '203.0.113.0/24': NESTED })));
    expect(createGeoipLookup(() => file, true)('203.0.113.7')).toBeNull();
    expect(createGeoipLookup(() => file, false)('203.0.113.7')).toMatchObject({ $geoip_city_name: 'London' });
  });
});

test('a repeated address returns the same object, also after many others', async () => {
  const file = await openGeoipFile(COUNTRY_FILE);
  const lookup = createGeoipLookup(() => file, true);
  const first = lookup('8.8.8.8');
  expect(lookup('1.1.1.1')).not.toBe(first);
  expect(lookup('8.8.8.8')).toBe(first);
  for (let index = 0; index < 5_000; index++) lookup(`9.0.${index >> 8}.${index & 255}`);
  expect(lookup('8.8.8.8')).toEqual(first);
});
