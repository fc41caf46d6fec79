/** Wire shape of a run's places: what was found about each, and what an import made of it. Choice 31. */
import { z } from 'zod';
import { bestContact } from '../../domain/discovery/best-contact.ts';
import { MAPS_ITEM_STATUSES } from '../../domain/maps/maps.ts';
import { timestamp } from '../../http/schemas.ts';
import type { listRunItems } from '../../services/maps/maps-runs.ts';
import { skipMessage } from './maps-presenters.ts';

const foundEmail = z.object({
  email: z.string(),
  kind: z.enum(['generic', 'personal']),
  name: z.string().nullable(),
  /** The page where it was found, and how it is written there. */
  page: z.string(),
  form: z.string(),
  validationScore: z.number().nullable(),
  validationStatus: z.string().nullable(),
  validationReason: z.string().nullable(),
});
const foundPhone = z.object({
  phone: z.string(),
  isFax: z.boolean(),
  page: z.string(),
  form: z.string(),
});
const foundProfile = z.object({ network: z.string(), url: z.string(), page: z.string() });

export const mapsItem = z
  .object({
    id: z.int(),
    runId: z.int(),
    placeId: z.string(),
    title: z.string(),
    category: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postalCode: z.string().nullable(),
    countryCode: z.string().nullable(),
    website: z.string().nullable(),
    phone: z.string().nullable(),
    rating: z.number().nullable(),
    reviewsCount: z.int().nullable(),
    isClosed: z.boolean(),
    mapsUrl: z.string().nullable(),
    searchString: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    status: z.enum(MAPS_ITEM_STATUSES),
    /** Why the visit to its website found nothing. */
    reason: z.string().nullable(),
    emails: z.array(foundEmail),
    phones: z.array(foundPhone),
    profiles: z.array(foundProfile),
    contactPages: z.array(z.string()),
    visitedPages: z.array(z.string()),
    bestContact: z
      .object({ type: z.enum(['email', 'phone', 'profile']), value: z.string(), why: z.string() })
      .nullable(),
    enrichedAt: timestamp.nullable(),
    /** The result of the last import; null = not imported yet. */
    import: z
      .object({
        status: z.enum(['imported', 'skipped']),
        reason: z.string().nullable(),
        message: z.string().nullable(),
        importId: z.int(),
        leadIds: z.array(z.int()),
        at: timestamp,
      })
      .nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'MapsItem' });

type ItemRow = Awaited<ReturnType<typeof listRunItems>>['rows'][number];

export function presentItem(row: ItemRow): z.input<typeof mapsItem> {
  return {
    id: row.id,
    runId: row.run_id,
    placeId: row.place_id,
    title: row.title,
    category: row.category,
    address: row.address,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
    countryCode: row.country_code,
    website: row.website,
    phone: row.phone,
    rating: row.rating,
    reviewsCount: row.reviews_count,
    isClosed: row.is_closed,
    mapsUrl: row.maps_url,
    searchString: row.search_string,
    latitude: row.latitude,
    longitude: row.longitude,
    status: row.status,
    reason: row.reason,
    ...presentContacts(row),
    enrichedAt: row.enriched_at?.toISOString() ?? null,
    import: presentImport(row),
    createdAt: row.created_at.toISOString(),
  };
}

function presentContacts({ contacts, website }: ItemRow) {
  return {
    emails: (contacts?.emails ?? []).map(({ email, kind, name, page, form }) => {
      const check = contacts?.checks[email];
      return {
        email,
        kind,
        name: name ?? null,
        page,
        form,
        validationScore: check?.score ?? null,
        validationStatus: check?.status ?? null,
        validationReason: check?.reason ?? null,
      };
    }),
    phones: (contacts?.phones ?? []).map(({ phone, isFax, page, form }) => ({
      phone,
      isFax,
      page,
      form,
    })),
    profiles: (contacts?.profiles ?? []).map(({ network, url, page }) => ({ network, url, page })),
    contactPages: contacts?.contactPages ?? [],
    visitedPages: contacts?.pages ?? [],
    bestContact: contacts && bestContact(contacts, website ?? ''),
  };
}

function presentImport(row: ItemRow): z.input<typeof mapsItem>['import'] {
  const { import_status: status, import_id: importId, imported_at: at, import_reason } = row;
  if (status === null || importId === null || at === null) return null;
  const message = import_reason === null ? null : skipMessage(import_reason);
  return {
    status,
    reason: import_reason,
    message,
    importId,
    leadIds: row.lead_ids,
    at: at.toISOString(),
  };
}
