/** Names without `$` that SDKs set by themselves: ids, and the parameters of campaigns in an address. */
export const CORE_PROPERTY_NAMES: readonly string[] = [
  'token', 'distinct_id', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'gad_source',
  'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'twclid', 'li_fat_id', 'mc_cid', 'igshid', 'ttclid',
  'rdt_cid', 'epik', 'qclid', 'sccid', 'irclid', '_kx',
]; // prettier-ignore
