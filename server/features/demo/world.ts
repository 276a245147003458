/** Where the visitors of a demo product live, what they use, and what they are called. */

export interface Place {
  readonly weight: number;
  readonly code: string;
  readonly country: string;
  readonly continent: readonly [code: string, name: string];
  readonly cities: readonly string[];
  /** Hours ahead of UTC. */
  readonly offset: number;
}

const EUROPE = ['EU', 'Europe'] as const;
const NORTH_AMERICA = ['NA', 'North America'] as const;
const ASIA = ['AS', 'Asia'] as const;

export const PLACES: readonly Place[] = [
  { weight: 34, code: 'US', country: 'United States', continent: NORTH_AMERICA, cities: ['New York', 'Chicago', 'Austin', 'Seattle', 'Denver'], offset: -6 }, // prettier-ignore
  { weight: 16, code: 'DE', country: 'Germany', continent: EUROPE, cities: ['Berlin', 'Hamburg', 'Munich', 'Leipzig'], offset: 1 }, // prettier-ignore
  { weight: 13, code: 'GB', country: 'United Kingdom', continent: EUROPE, cities: ['London', 'Leeds', 'Bristol'], offset: 0 }, // prettier-ignore
  { weight: 8, code: 'FR', country: 'France', continent: EUROPE, cities: ['Paris', 'Lyon', 'Nantes'], offset: 1 }, // prettier-ignore
  { weight: 7, code: 'CA', country: 'Canada', continent: NORTH_AMERICA, cities: ['Toronto', 'Montreal'], offset: -5 }, // prettier-ignore
  { weight: 6, code: 'NL', country: 'Netherlands', continent: EUROPE, cities: ['Amsterdam', 'Utrecht'], offset: 1 }, // prettier-ignore
  { weight: 5, code: 'IN', country: 'India', continent: ASIA, cities: ['Bengaluru', 'Pune'], offset: 5.5 }, // prettier-ignore
  { weight: 4, code: 'AU', country: 'Australia', continent: ['OC', 'Oceania'], cities: ['Sydney', 'Melbourne'], offset: 10 }, // prettier-ignore
  { weight: 4, code: 'BR', country: 'Brazil', continent: ['SA', 'South America'], cities: ['São Paulo', 'Recife'], offset: -3 }, // prettier-ignore
  { weight: 3, code: 'JP', country: 'Japan', continent: ASIA, cities: ['Tokyo', 'Osaka'], offset: 9 }, // prettier-ignore
];

export interface Device {
  readonly weight: number;
  readonly $browser: string;
  readonly $os: string;
  readonly $device_type: 'Desktop' | 'Mobile' | 'Tablet';
  readonly screens: readonly (readonly [width: number, height: number])[];
}

const LAPTOPS = [[1440, 900], [1920, 1080], [1536, 864]] as const; // prettier-ignore
const PHONES = [[390, 844], [412, 915], [360, 800]] as const; // prettier-ignore

/** Shares of browsers, roughly as public counters have them. */
export const DESKTOPS: readonly Device[] = [
  { weight: 44, $browser: 'Chrome', $os: 'Windows', $device_type: 'Desktop', screens: LAPTOPS },
  { weight: 22, $browser: 'Chrome', $os: 'Mac OS X', $device_type: 'Desktop', screens: LAPTOPS },
  { weight: 12, $browser: 'Microsoft Edge', $os: 'Windows', $device_type: 'Desktop', screens: LAPTOPS },
  { weight: 11, $browser: 'Safari', $os: 'Mac OS X', $device_type: 'Desktop', screens: LAPTOPS },
  { weight: 8, $browser: 'Firefox', $os: 'Windows', $device_type: 'Desktop', screens: LAPTOPS },
  { weight: 3, $browser: 'Firefox', $os: 'Linux', $device_type: 'Desktop', screens: LAPTOPS },
];

export const MOBILES: readonly Device[] = [
  { weight: 55, $browser: 'Chrome', $os: 'Android', $device_type: 'Mobile', screens: PHONES },
  { weight: 36, $browser: 'Mobile Safari', $os: 'iOS', $device_type: 'Mobile', screens: PHONES },
  { weight: 4, $browser: 'Samsung Internet', $os: 'Android', $device_type: 'Mobile', screens: PHONES },
  { weight: 5, $browser: 'Mobile Safari', $os: 'iPadOS', $device_type: 'Tablet', screens: [[820, 1180]] },
];

/** Where a visit comes from. */
export interface Source {
  readonly weight: number;
  /** Empty: typed by hand. */
  readonly referrer: string;
  readonly utm?: { readonly source: string; readonly medium: string; readonly campaign: string };
  /** How likely its visitors are to sign up or to buy, compared to others. */
  readonly quality: number;
}

export const GOOGLE = 'https://www.google.com/';
export const SOURCES: readonly Source[] = [
  { weight: 36, referrer: GOOGLE, quality: 1.1 },
  { weight: 26, referrer: '', quality: 1.2 },
  { weight: 8, referrer: 'https://duckduckgo.com/', quality: 1.1 },
  { weight: 7, referrer: 'https://www.bing.com/', quality: 0.9 },
  { weight: 6, referrer: 'https://www.reddit.com/', quality: 0.6 },
  { weight: 4, referrer: 'https://github.com/', quality: 1 },
  { weight: 8, referrer: GOOGLE, quality: 0.9, utm: { source: 'google', medium: 'cpc', campaign: 'brand' } },
  { weight: 5, referrer: 'https://www.youtube.com/', quality: 0.7 },
];

const GIVEN = 'Ada Amir Ana Ben Carla Chen Dara Elif Emil Fatou Greta Hana Ida Ivan Jonas Kofi Lena Leo Lucía Maja Marco Mei Mila Noah Nora Omar Paul Priya Rosa Sam Sofia Tariq Tom Uma Vera Yuki Zoe'.split(' '); // prettier-ignore
const FAMILY = 'Abel Berg Costa Dahl Evans Fischer García Haas Ito Jansen Keller Lopes Maier Nakamura Okafor Patel Quinn Rossi Silva Tanaka Urban Vogel Weber Young Zhang'.split(' '); // prettier-ignore

export function nameOf(random: { pick<T>(list: readonly T[]): T }): string {
  return `${random.pick(GIVEN)} ${random.pick(FAMILY)}`;
}

const FIRST = 'Amber Birch Cedar Copper Fjord Harbor Juniper Larch Maple Nimbus Orchard Pebble Quarry River Sable Tidal Umber Velvet Willow Zephyr'.split(' '); // prettier-ignore
const SECOND = ['Studio', 'Works', 'Labs', 'Partners', 'Collective', 'Design', 'Consulting', 'Media'];

export function companyOf(random: { pick<T>(list: readonly T[]): T }): string {
  return `${random.pick(FIRST)} ${random.pick(SECOND)}`;
}

/** A name as a part of an address: lower case letters without accents, and dots. */
export function addressPart(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z]+/g, '.');
}
