/** Filters, pages and cursors of the inbox in query strings. Choices 34, 47. */
import { z } from 'zod';
import { MESSAGE_KINDS } from '../../domain/inbox/inbox.ts';
import { INTERESTS } from '../../domain/inbox/interest/interest.ts';
import { pagination } from '../../http/envelope.ts';
import { pageQuery, pathId, shortText } from '../../http/schemas.ts';
import { MAX_COUNTED } from '../../services/inbox/inbox.ts';
import type { inboxPagination } from './inbox-shapes.ts';

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

/** A position in a list ordered by time: the time's digits and an id. */
export interface Place {
  at: string;
  id: number;
}

const placeContent = z.tuple([z.string().regex(/^-?\d{1,17}$/), z.int().min(0)]);

export const cursorFor = ({ at, id }: Place): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

function readCursor(text: string): Place | undefined {
  try {
    const { data } = placeContent.safeParse(
      JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown,
    );
    return data && { at: data[0], id: data[1] };
  } catch {
    return undefined;
  }
}

export const inboxPageQuery = pageQuery.extend({
  cursor: z
    .string()
    .max(200)
    .refine((text) => readCursor(text) !== undefined, 'must be the nextCursor of an answer')
    .transform((text) => readCursor(text)!)
    .meta({ type: 'string', description: '`pagination.nextCursor` of the page before' })
    .optional(),
});

export const threadFilters = {
  mailboxId: pathId.optional(),
  campaignId: pathId.optional(),
  leadId: pathId.optional(),
  isRead: flag.optional(),
  interest: z.enum(INTERESTS).optional().describe('What an answer means.'),
};

export const messageFilters = {
  view: z.enum(['inbox', 'archived', 'snoozed', 'scheduled', 'all']).default('inbox'),
  ...threadFilters,
  threadId: pathId.optional(),
  direction: z.enum(['inbound', 'outbound']).optional(),
  kind: z.enum(MESSAGE_KINDS).optional(),
  label: shortText.optional(),
  from: shortText.optional().describe('An address, or a domain as `@acme.com`.'),
  to: shortText.optional().describe('The same for recipients.'),
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .meta({ type: 'string', format: 'date-time', description: 'Arrived at or after.' })
    .optional(),
  search: shortText
    .optional()
    .describe('Words in subject, text and addresses; quotes, `or` and `-without` work.'),
};

/** `data.pagination`. `found` is null for pages by cursor. */
export function paginationOf(
  query: { page: number; limit: number },
  total: number | null,
  end: Place | null,
): z.input<typeof inboxPagination> {
  const nextCursor = end && cursorFor(end);
  if (total === null) return { limit: query.limit, hasNext: end !== null, nextCursor };
  return { ...pagination(query, total), hasNext: end !== null, nextCursor };
}

/** Sets `totalIsCapped` where a filtered total has reached its bound. */
export const cappedIf = (total: number | null) =>
  total === MAX_COUNTED ? { totalIsCapped: true } : {};
