/** Clients' own names for the links in their messages: a workflow keeps each. Choice 131. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { lookNowSignal } from '../../../workflows/contracts/tend-tracking-domain.ts';
import type { Context } from '../../context.ts';
import { lockUser } from '../../db/accounts/api-keys.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  beginTrackingRun,
  countTrackingDomains,
  deleteTrackingDomain,
  findUserTrackingDomain,
  forgiveRefusal,
  insertTrackingDomain,
  listCampaignsOnDomain,
  listTrackingDomains,
  lockUserTrackingDomain,
  type TrackingDomain,
} from '../../db/domains/tracking-domains.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import { tendTrackingDomainFlow } from '../../domain/domains/flows.ts';
import { LEAST_REFUSED_MS, MAX_TRACKING_DOMAINS } from '../../domain/domains/tracking-domains.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { signalWorkflow } from '../operations/workflow-signals.ts';

export type { TrackingDomain } from '../../db/domains/tracking-domains.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

/** The host that records of tracking domains point to; 400 TRACKING_DOMAINS_OFF where the installation has none. */
export function linksHostOf({ config }: Pick<Context, 'config'>): string {
  const { LINKS_HOST: host } = config;
  if (host !== undefined) return host;
  const message =
    'This installation serves no links on other domains: its operator sets LINKS_HOST';
  throw invalid('TRACKING_DOMAINS_OFF', message);
}

/** 400 TRACKING_DOMAINS_OFF, TRACKING_DOMAIN_EXISTS, TOO_MANY_TRACKING_DOMAINS. */
export async function createTrackingDomain(
  context: Needs,
  userId: string,
  name: string,
): Promise<TrackingDomain> {
  const host = linksHostOf(context);
  const own = new URL(context.config.PUBLIC_URL).hostname;
  if (name === host || name.endsWith(`.${host}`) || name === own) {
    throw validationError([{ field: 'name', message: 'name is one of the installation itself' }]);
  }
  const { made, operation } = await commitOnce(context.db, async (trx) => {
    await lockUser(trx, userId);
    if ((await countTrackingDomains(trx, userId)) >= MAX_TRACKING_DOMAINS) {
      const message = `An account has at most ${MAX_TRACKING_DOMAINS} tracking domains, deleted ones of the last day included`;
      throw invalid('TOO_MANY_TRACKING_DOMAINS', message);
    }
    const dnsToken = randomBytes(10).toString('hex');
    const made = await insertTrackingDomain(trx, { userId, name, dnsToken });
    if (!made) throw invalid('TRACKING_DOMAIN_EXISTS', `The account has ${name} already`);
    noteChange({ resourceId: made.id, after: told(AUDITED_FIELDS.trackingDomain, made) });
    return { made, operation: await begin(context, trx, made, made.run) };
  });
  await context.startOperation(operation);
  return made;
}

const begin = (
  context: Pick<Context, 'config'>,
  trx: Transaction<Database>,
  { id: trackingDomainId, name, user_id: userId }: TrackingDomain,
  run: number,
): Promise<Operation> =>
  insertOperation(
    trx,
    tendTrackingDomainFlow,
    { trackingDomainId, name, pace: paceOf(context) },
    {
      userId,
      run,
      summary: `Keep ${name} for links in messages`,
      requested: { actor: ACTOR.user(userId), reason: 'created' },
    },
  );

export async function listUserTrackingDomains(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: TrackingDomain[]; total: number }> {
  const all = await listTrackingDomains(db, userId);
  return { rows: all.slice(offset, offset + limit), total: all.length };
}

/** Throws 404 TRACKING_DOMAIN_NOT_FOUND, for foreign ones too. */
export async function getUserTrackingDomain(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<TrackingDomain> {
  const found = await findUserTrackingDomain(db, userId, id);
  if (!found) throw notFound('tracking domain');
  return found;
}

/** Its workflow looks now; one that has ended is started again. */
export async function checkTrackingDomain(
  context: Needs,
  userId: string,
  id: number,
): Promise<TrackingDomain> {
  linksHostOf(context);
  const started = await commitOnce(context.db, async (trx) => {
    const row = await lockUserTrackingDomain(trx, userId, id);
    if (!row) throw notFound('tracking domain');
    noteChange({ after: { asked: 'check' } });
    await forgiveRefusal(trx, id, new Date(Date.now() - LEAST_REFUSED_MS));
    const operation = await findLatestOperation(trx, 'tracking_domain', id);
    if (operation && operation.finished_at === null) {
      await signalWorkflow(context, operation, (handle) => handle.signal(lookNowSignal));
      return undefined;
    }
    return begin(context, trx, row, await beginTrackingRun(trx, id));
  });
  if (started) await context.startOperation(started);
  return getUserTrackingDomain(context, userId, id);
}

/** 400 TRACKING_DOMAIN_IN_USE while a campaign that is active has it. Links of sent messages work on. */
export const removeTrackingDomain = (
  context: Pick<Context, 'db' | 'temporal'>,
  userId: string,
  id: number,
): Promise<{ id: number }> =>
  commitOnce(context.db, async (trx) => {
    const row = await lockUserTrackingDomain(trx, userId, id);
    if (!row) throw notFound('tracking domain');
    const campaigns = await listCampaignsOnDomain(trx, id);
    if (campaigns.length > 0) {
      const message = `Campaigns that are active have ${row.name}: ${campaigns.join(', ')}`;
      throw invalid('TRACKING_DOMAIN_IN_USE', message);
    }
    noteChange({ before: told(AUDITED_FIELDS.trackingDomain, row) });
    await deleteTrackingDomain(trx, id);
    const operation = await findLatestOperation(trx, 'tracking_domain', id);
    if (operation && operation.finished_at === null) {
      await tellJob(context, trx, operation, 'cancel');
    }
    return { id };
  });
