/** undici's client alone: its index also loads fetch, caches and mocks, 8 MB that no crawl uses. */
import { createRequire } from 'node:module';
import type { Client as UndiciClient } from 'undici';

export type Client = UndiciClient;

/** The class that `undici` exports; it has no path of its own to be imported from with types. */
export const Client = createRequire(import.meta.url)(
  'undici/lib/dispatcher/client.js',
) as typeof UndiciClient;
