/** A setting that cannot be used: `message` says which, why, and what to write instead. */
export class ConfigError extends Error {}
