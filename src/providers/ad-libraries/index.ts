/** Which ad libraries there are, in the order in which they are tried. */
import { apify } from './apify.ts';
import { meta } from './meta.ts';

export const adLibraries = { meta, apify } as const;
