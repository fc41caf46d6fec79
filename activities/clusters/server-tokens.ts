/** What an order of a server is called at its vendor. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { ProviderResource } from '../../src/db/operations/provider-resources.ts';

export const SERVER_STEP = 'server_create';

/**
 * Operation ids repeat after a restore, and start from 1 in another installation at the same vendor, but
 * what is adopted and deleted by its name needs a unique one. The random part is the row's, so that an order
 * is found whose intent was lost; older rows have none.
 */
export const newToken = ({ id, run_key }: Operation, generation: number) =>
  `outreach-${id}-${generation}-${run_key ?? randomBytes(5).toString('hex')}`;

/** Not given up: a server of this intent may exist. */
export const isOpen = ({ state }: ProviderResource) => state === 'creating' || state === 'created';
