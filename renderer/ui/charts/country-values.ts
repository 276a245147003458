/** A number of a country, which is known by two letters or by its English name. */
export interface CountryNumber {
  id: string;
  code: string;
  value: number;
}

export interface CountryValue extends CountryNumber {
  name: string;
  /** How dark it is, from 1 to 4; 0 for nothing. */
  level: number;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The English name of a country; an unknown code is its own name. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code;
}

/** Values by country code, with their levels. Levels are by square root, so that small values are distinguishable too. */
export function countryValues(
  numbers: readonly CountryNumber[],
  codes: readonly string[],
): Map<string, CountryValue> {
  const byName = new Map(codes.map((code) => [countryName(code).toLowerCase(), code]));
  const most = Math.max(0, ...numbers.map(({ value }) => value));
  return new Map(
    numbers.map((number) => {
      const upper = number.code.toUpperCase();
      const code = codes.includes(upper) ? upper : (byName.get(number.code.toLowerCase()) ?? upper);
      const share = most > 0 && number.value > 0 ? Math.sqrt(number.value / most) : 0;
      return [code, { ...number, code, name: countryName(code), level: Math.ceil(share * 4) }];
    }),
  );
}
