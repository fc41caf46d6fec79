/** The VPS providers that exist. A new one is a file beside this one and a line here. */
import { hetzner } from './hetzner.ts';

export const vpsProviders = { hetzner } as const;
