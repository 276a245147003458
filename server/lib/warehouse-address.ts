/** Where a warehouse is, as `clickhouse://user:password@host:8123/database?cluster=name` says. */
export interface WarehouseAddress {
  /** `http://host:8123`, without what signs in. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Tables are spread over this cluster; null: they are on one server. */
  readonly cluster: string | null;
}

/** Reads the address of a warehouse; a sentence without its password where it cannot be one: "must be …". */
export function readWarehouseAddress(text: string): WarehouseAddress | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'clickhouse:' || url.hostname === '')
    return 'must be clickhouse://user@host:8123/database';
  const [database, user, password] = [url.pathname.slice(1), url.username, url.password].map(decoded);
  if (database === undefined || !/^\w{1,64}$/.test(database))
    return 'must end in the name of a database, of letters, digits and _: clickhouse://user@host:8123/burrow';
  const cluster = url.searchParams.get('cluster');
  if (cluster !== null && !/^[\w-]{1,64}$/.test(cluster))
    return 'must name a cluster of letters, digits, - and _';
  const isSecure = url.searchParams.has('secure');
  return {
    url: `${isSecure ? 'https' : 'http'}://${url.hostname}:${url.port || (isSecure ? '8443' : '8123')}`,
    user: user || 'default',
    password: password ?? '',
    database,
    cluster,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
