/** What keeps one mailbox from sending cold messages, beside its limits: as claims of campaigns read it. */
import { sql, type Kysely } from 'kysely';
import {
  coldAllowance,
  type ColdSettings,
  type WarmupStanding,
} from '../../domain/warmup/warmup-hold.ts';
import type { Database } from '../tables.ts';
import { coversMailbox } from './rejections.ts';

export interface MailboxStanding {
  /** Null for a connected mailbox, whose domain has no limit of ours. */
  domainId: number | null;
  dailyLimit: number | null;
  warmup: WarmupStanding | null;
  /** In words for its owner; null: nothing does. */
  hold: string | null;
}

interface Row {
  domain_id: number | null;
  daily_limit: number | null;
  warmup: WarmupStanding | null;
  failing_reason: string | null;
  paused_until: Date | null;
}

/** Undefined where it is not active. */
export async function readMailboxStanding(
  db: Kysely<Database>,
  mailboxId: number,
  now: Date,
): Promise<MailboxStanding | undefined> {
  const { rows } = await sql<Row>`
    select host.domain_id, mailboxes.daily_limit,
      coalesce(mailboxes.failing_reason, host.sending_hold) as failing_reason,
      case when warmups.mailbox_id is not null then json_build_object('status', warmups.status,
        'day', warmups.day, 'cold_day', warmups.cold_day) end as warmup,
      (select max(pause.until) from sending_pauses as pause
        where pause.user_id = mailboxes.user_id and pause.until > ${now}
          and ${coversMailbox('pause')}) as paused_until
    from mailboxes
    join mailbox_hosts as host on host.mailbox_id = mailboxes.id
    left join warmups on warmups.mailbox_id = mailboxes.id
    where mailboxes.id = ${mailboxId} and mailboxes.status = 'active'`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { domain_id: domainId, daily_limit: dailyLimit, warmup } = row;
  return { domainId, dailyLimit, warmup, hold: holdOf(row) };
}

function holdOf({ failing_reason: reason, paused_until: until, warmup }: Row): string | null {
  if (reason !== null) return 'it, or its server, is failing';
  if (until) return `refusals as spam have paused it until ${until.toISOString()}`;
  return warmup?.status === 'quarantined' ? 'its warm-up has quarantined it' : null;
}

/** Cold messages a day that warm-up allows. */
export function coldAllowanceOf(
  { warmup, dailyLimit }: MailboxStanding,
  settings: ColdSettings & { SEND_MAILBOX_DAILY_LIMIT: number },
): number {
  const limit = dailyLimit ?? settings.SEND_MAILBOX_DAILY_LIMIT;
  return coldAllowance(warmup ?? undefined, settings, limit).allowance;
}
