/** Wire shapes of warm-up. Choice 28. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { shownHealth } from '../../domain/warmup/warmup-health.ts';
import { coldAllowance } from '../../domain/warmup/warmup-hold.ts';
import { DEFAULT_WARMUP, WARMUP_STATUSES } from '../../domain/warmup/warmup.ts';
import { timestamp } from '../../http/schemas.ts';
import type { getUserWarmup } from '../../services/warmup/warmup.ts';
import type { getWarmupStats } from '../../services/warmup/warmup-stats.ts';

/**
 * The upper bounds: a mailbox must not send more than 50 messages a day of all kinds.
 * docs/sending-rules.md#one-message-at-a-time.
 */
export const settings = z.object({
  startVolume: z.int().min(1).max(20),
  dailyIncrease: z.int().min(0).max(10),
  maxVolume: z.int().min(1).max(50),
  replyRate: z.int().min(0).max(100),
  weekdaysOnly: z.boolean(),
});

export const warmup = z
  .object({
    mailboxId: z.int(),
    email: z.string(),
    status: z.enum(WARMUP_STATUSES),
    statusReason: z.string().nullable(),
    settings,
    day: z.int(),
    dayVolume: z.int(),
    sentToday: z.int(),
    coldAllowance: z.int(),
    /** `unknown`: no data of the last seven days shows where messages land. */
    health: z.enum(['unknown', 'healthy', 'throttled', 'quarantined']),
    healthScore: z.int().nullable(),
    startedAt: timestamp.nullable(),
    pausedAt: timestamp.nullable(),
  })
  .meta({ id: 'Warmup' });

const counts = z.object({
  sent: z.int(),
  received: z.int(),
  inbox: z.int(),
  spam: z.int(),
  savedFromSpam: z.int(),
  healthScore: z.int().nullable(),
});

export const stats = counts
  .extend({
    from: z.iso.date(),
    to: z.iso.date(),
    days: z.array(counts.extend({ date: z.iso.date() })),
  })
  .meta({ id: 'WarmupStats' }) satisfies z.ZodType<Awaited<ReturnType<typeof getWarmupStats>>>;

type Row = Awaited<ReturnType<typeof getUserWarmup>>;

export function presentWarmup(
  { config }: Pick<Context, 'config'>,
  { mailbox_id, email, daily_limit, warmup: row, sent_today }: Row,
): z.input<typeof warmup> {
  const dailyLimit = daily_limit ?? config.SEND_MAILBOX_DAILY_LIMIT;
  return {
    mailboxId: mailbox_id,
    email,
    status: row?.status ?? 'inactive',
    statusReason: row?.status_reason ?? null,
    settings: row
      ? {
          startVolume: row.start_volume,
          dailyIncrease: row.daily_increase,
          maxVolume: row.max_volume,
          replyRate: row.reply_rate,
          weekdaysOnly: row.weekdays_only,
        }
      : DEFAULT_WARMUP,
    day: row?.day ?? 0,
    dayVolume: row?.day_volume ?? 0,
    sentToday: sent_today,
    coldAllowance: coldAllowance(row ?? undefined, config, dailyLimit).allowance,
    health: shownHealth(row?.status ?? 'inactive', row?.health_score ?? null),
    healthScore: row?.health_score ?? null,
    startedAt: row?.started_at?.toISOString() ?? null,
    pausedAt: row?.paused_at?.toISOString() ?? null,
  };
}
