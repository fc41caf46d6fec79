/** The map searches that exist, in the order in which they are tried. */
import { apify } from './apify.ts';
import { places } from './places.ts';

export const mapsProviders = { apify, places } as const;
