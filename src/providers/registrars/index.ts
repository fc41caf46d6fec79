/** The registrars that exist, by name. */
export * as registrars from './registry.ts';
