/** The logger: pino's interface, fields first. Secrets never go into fields. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LogLevel = keyof Log;

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
