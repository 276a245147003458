import type { TestProject } from 'vitest/node';
import { installClickhouse } from '../support/install-clickhouse.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the module `chdb`; null where it cannot be installed. */
    clickhouse: string | null;
  }
}

/** Installs ClickHouse before the workers start, which would do it at the same time. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('clickhouse', await installClickhouse());
}
