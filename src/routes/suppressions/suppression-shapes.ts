/** A suppression on the wire. */
import { z } from 'zod';
import { SUPPRESSION_KINDS, SUPPRESSION_REASONS } from '../../domain/suppressions/suppressions.ts';
import { timestamp } from '../../http/schemas.ts';
import type { SuppressionRow } from '../../services/suppressions/suppression-pages.ts';

export const openLeads = z
  .int()
  .nullable()
  .describe(
    'Leads of the domain whose status does not say it yet: those of a large domain get theirs in the background. ' +
      '0: all say it; null: not counted yet. The suppression holds for all of them from the beginning.',
  );

export const suppression = z
  .object({
    id: z.int(),
    kind: z.enum(SUPPRESSION_KINDS),
    value: z.string(),
    reason: z.enum(SUPPRESSION_REASONS),
    note: z.string().nullable(),
    openLeads,
    createdAt: timestamp,
  })
  .meta({ id: 'Suppression' });

/** The row as clients see it. */
export const present = (row: SuppressionRow): z.input<typeof suppression> => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  note: row.note,
  openLeads: row.openLeads,
  createdAt: row.created_at.toISOString(),
});
