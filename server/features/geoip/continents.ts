/** Continents with their countries by ISO 3166-1 alpha-2 code, as MaxMind's and GeoNames' tables assign them. */
const CONTINENTS: readonly { code: string; name: string; countries: string }[] = [
  {
    code: 'AF',
    name: 'Africa',
    countries:
      'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA ' +
      'NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  },
  { code: 'AN', name: 'Antarctica', countries: 'AQ BV GS HM TF' },
  {
    code: 'AS',
    name: 'Asia',
    countries:
      'AE AF AM AZ BD BH BN BT CC CN GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH ' +
      'PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE',
  },
  {
    code: 'EU',
    name: 'Europe',
    countries:
      'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK ' +
      'MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  },
  {
    code: 'NA',
    name: 'North America',
    countries:
      'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT ' +
      'US VC VG VI',
  },
  {
    code: 'OC',
    name: 'Oceania',
    countries: 'AS AU CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS',
  },
  { code: 'SA', name: 'South America', countries: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE' },
];

export interface Continent {
  readonly code: string;
  readonly name: string;
}

const BY_COUNTRY: ReadonlyMap<string, Continent> = new Map(
  CONTINENTS.flatMap(({ code, name, countries }) =>
    countries.split(' ').map((country) => [country, { code, name }] as const),
  ),
);

/** The continent of a country (ISO 3166-1 alpha-2, upper case), or null for a code that names no country. */
export function continentOf(countryCode: string): Continent | null {
  return BY_COUNTRY.get(countryCode) ?? null;
}

/** The name of a continent by its two letters, or null. */
export function continentName(code: string): string | null {
  return CONTINENTS.find((continent) => continent.code === code)?.name ?? null;
}
