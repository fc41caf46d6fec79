/** A suppression on the wire. */
import { z } from 'zod';
import { SUPPRESSION_KINDS, SUPPRESSION_REASONS } from '../../domain/suppressions/suppressions.ts';
import { timestamp } from '../../http/schemas.ts';
import type { SuppressionRow } from '../../services/suppressions/suppressions.ts';

export const suppression = z
  .object({
    id: z.int(),
    kind: z.enum(SUPPRESSION_KINDS),
    value: z.string(),
    reason: z.enum(SUPPRESSION_REASONS),
    note: z.string().nullable(),
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
  createdAt: row.created_at.toISOString(),
});
