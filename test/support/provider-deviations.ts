/** Where a vendor is newer than its saved file, or wrong about itself; each with its source. */
import type { Deviation } from './provider-spec.ts';

export const STRIPE_DEVIATIONS: Deviation[] = [];

export const NAMECOM_DEVIATIONS: Deviation[] = [];

export const APIFY_DEVIATIONS: Deviation[] = [];
