/** Every migration by name, in order; the name is what the database remembers. */
import type { Migration } from 'kysely';

export const migrations: Record<string, Migration> = {};
