/** The VPS providers that exist. A new one is a file beside this one and a line here. */
import { hetzner } from './hetzner.ts';
import { vultr } from './vultr.ts';

export const vpsProviders = { hetzner, vultr } as const;
