/** An option that Burrow cannot take; `message` is a sentence that names it. The process ends with exit code 2. */
export class ConfigError extends Error {}
