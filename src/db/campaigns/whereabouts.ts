/** Where a lead is, as far as it is known; its query has `leads` and `companies`. */
import { sql } from 'kysely';
import type { Whereabouts } from '../../domain/country-zones.ts';

export const whereabouts = sql<Whereabouts>`json_build_object('timezone', leads.timezone,
  'countryCode', companies.country_code, 'state', companies.state)`;
