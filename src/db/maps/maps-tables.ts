/** Row shapes of maps runs, their places and imports. */
import type { ColumnType, Generated } from 'kysely';
import type {
  ImportOptions,
  MapsItemStatus,
  MapsRunStatus,
  MapsSearchOrder,
  PlaceContacts,
} from '../../domain/maps/maps.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;
type Json<T> = ColumnType<T, string, string>;

export interface MapsRunsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /**
   * The order's random part, so that no other row's search ever had the same name at a provider: written with the first
   * note that one is asked. Null before, and where a process of before has asked: its search has none in its name.
   */
  run_key: ColumnType<string | null, undefined, string | null>;
  /** The operation that works on the run now, or worked on it last. */
  operation_id: number | null;
  lead_list_id: number | null;
  provider: string;
  status: Generated<MapsRunStatus>;
  status_message: string;
  search: Json<MapsSearchOrder>;
  scrape_contacts: boolean;
  verify_emails: boolean;
  total_queries: number;
  processed_queries: Generated<number>;
  /** Places delivered by the vendor, counting one once for each search that found it. */
  total_items: Generated<number>;
  saved_items: Generated<number>;
  enriched_items: Generated<number>;
  failed_items: Generated<number>;
  imported_leads: Generated<number>;
  /** Providers that refused this search permanently: they are not asked again. */
  refused: Generated<string[]>;
  /** For the client: deviations from the request. */
  notes: Generated<string[]>;
  cursor: string | null;
  /** The latest time at which a start without an answer can still be in progress. */
  asked_until: Date | null;
  scraped_at: Date | null;
  enrich_wanted: boolean;
  enrich_force: Generated<boolean>;
  /** Counts the enrichments of the run. */
  round: Generated<number>;
  error_code: string | null;
  started_at: Date | null;
  completed_at: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: Date | null;
  /** The schedule that began it. */
  schedule_id: number | null;
  /** Places that its schedule has seen before are not saved. */
  only_new_places: Generated<boolean>;
  /** Of what was found: places that its schedule had seen before. */
  known_items: Generated<number>;
}

export interface MapsItemsTable {
  id: ColumnType<number, never, never>;
  run_id: number;
  place_id: string;
  title: string;
  category: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country_code: string | null;
  website: string | null;
  phone: string | null;
  rating: number | null;
  reviews_count: number | null;
  is_closed: boolean;
  maps_url: string | null;
  search_string: string | null;
  latitude: number | null;
  longitude: number | null;
  status: Generated<MapsItemStatus>;
  reason: string | null;
  /** The enrichment in which the website was visited last; 0 = never. */
  round: Generated<number>;
  /** The attempt that visits it now: results of another attempt are not accepted. */
  claim: string | null;
  contacts: ColumnType<PlaceContacts | null, string | null | undefined, string | null>;
  enriched_at: Date | null;
  /** The result of its last import. */
  import_status: 'imported' | 'skipped' | null;
  import_reason: string | null;
  import_id: number | null;
  imported_at: Date | null;
  lead_ids: ColumnType<number[], string | undefined, string>;
  created_at: CreatedAt;
}

export interface MapsImportsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  run_id: number;
  lead_list_id: number | null;
  options: Json<ImportOptions>;
  status: Generated<'running' | 'completed' | 'failed' | 'cancelled'>;
  /** Items up to this id are done. */
  last_item_id: Generated<number>;
  processed_items: Generated<number>;
  /** New ones; an item whose lead or company was there counts as found. */
  imported_leads: Generated<number>;
  found_leads: Generated<number>;
  differing_leads: Generated<number>;
  imported_companies: Generated<number>;
  found_companies: Generated<number>;
  skipped_items: Generated<number>;
  /** How many items were skipped, by reason. */
  skipped: ColumnType<Record<string, number>, string | undefined, string>;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  completed_at: Date | null;
}

export interface MapsImportedTable {
  import_id: number;
  kind: 'lead' | 'company';
  ref_id: number;
  run_id: number;
  /** The key that identified the company, for the cap on its leads. */
  company_key: string | null;
}

export interface MapsTables {
  maps_runs: MapsRunsTable;
  maps_items: MapsItemsTable;
  maps_imports: MapsImportsTable;
  maps_imported: MapsImportedTable;
}
