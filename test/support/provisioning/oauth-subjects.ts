/** The flows of mailboxes that are used by OAuth: at Google with the first pair of vendors, at Microsoft with the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getMailbox } from '../../../src/db/mailboxes/mailboxes.ts';
import { listGrants } from '../../../src/db/mailboxes/oauth-grants.ts';
import type { OauthProvider } from '../../../src/domain/mailboxes/oauth.ts';
import { deleteMailbox } from '../../../src/services/mailboxes/mailbox-changes.ts';
import { allowingAt, consentTo } from '../vendors/oauth.ts';
import type { FaultKind } from './fault-injector.ts';
import type { Flow } from './flow-subjects.ts';
import { patiently } from './matrix-scope.ts';
import type { ProvisioningWorld } from './provisioning-world.ts';
import { VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';

const FUNDS_CENTS = 100;
const PROOF_LIMIT_MS = 120_000;
const POLL_MS = 300;

const providerOf = (vendors: VendorPair): OauthProvider =>
  vendors === VENDOR_PAIRS[0] ? 'google' : 'microsoft';

const addressAt = (name: string, provider: OauthProvider) => `${name}@${provider}-matrix.test`;

/** Faults after which the step has been done in the end. */
const HEALS: ReadonlySet<FaultKind> = new Set([
  'fails_twice',
  'rate_limited',
  'slow',
  'cancelled',
  'dies_before_call',
  'dies_before_record',
  'dies_after_effect',
  'all_twice',
]);

export function connectByOauthFlow(world: ProvisioningWorld): Flow {
  const { db } = world.context;
  return {
    isTeardown: false,
    waits: ['mailbox_read'],
    async prepare(name, vendors) {
      const provider = providerOf(vendors);
      const address = addressAt(name, provider);
      const userId = await world.fundedUser(FUNDS_CENTS);
      return {
        summary: `Connect ${address}`,
        ask: () => consentTo(world.at(vendors), userId, { provider, address }),
        async check({ state }) {
          const row = await db
            .selectFrom('mailboxes')
            .innerJoin('connected_mailboxes as own', 'own.mailbox_id', 'mailboxes.id')
            .select(['mailboxes.id', 'status', 'password', 'own.servers', 'own.proof_id'])
            .select('own.proven_at')
            .where('email', '=', address)
            .executeTakeFirstOrThrow();
          const wanted = state === 'succeeded' ? 'active' : 'failed';
          const grants = await listGrants(db, row.id);
          const isItsOwn = grants.length === 1 && grants[0]!.id === row.servers.oauth?.grantId;
          return [
            ...(row.status === wanted ? [] : [`the mailbox is ${row.status}`]),
            ...((row.proven_at !== null) === (wanted === 'active') ? [] : ['proven or not']),
            ...(row.proof_id === null ? [] : ['a proof is still under way']),
            ...(row.password === null ? [] : ['it has a password']),
            ...(isItsOwn ? [] : [`it has ${grants.length} consents`]),
            ...((await allowingAt(world.sandbox, provider)).includes(address)
              ? []
              : ['its consent is gone at the vendor']),
          ];
        },
      };
    },
  };
}

export function deleteConnectedFlow(world: ProvisioningWorld): Flow {
  const { db } = world.context;

  async function connected(userId: string, vendors: VendorPair, name: string): Promise<number> {
    const provider = providerOf(vendors);
    const address = addressAt(name, provider);
    const { outcome } = await consentTo(world.at(vendors), userId, { provider, address });
    const { mailboxId: id } = outcome!.done as { mailboxId: number };
    const deadline = Date.now() + PROOF_LIMIT_MS;
    for (;;) {
      const { status } = await patiently(() => getMailbox(db, id), deadline);
      if (status === 'active') return id;
      if (status === 'failed' || Date.now() > deadline) throw new Error(`${address} is ${status}`);
      await sleep(POLL_MS);
    }
  }

  return {
    isTeardown: true,
    givenUp: ['consent_revoke'],
    async prepare(name, vendors) {
      const provider = providerOf(vendors);
      const address = addressAt(name, provider);
      const userId = await world.fundedUser(FUNDS_CENTS);
      const id = await connected(userId, vendors, name);
      return {
        summary: `Delete ${address}`,
        ask: () => deleteMailbox(world.at(vendors), { userId, id }),
        async check({ kind, at, operationId }) {
          const { status } = await getMailbox(db, id);
          const grants = await listGrants(db, id);
          const holds = (await allowingAt(world.sandbox, provider)).includes(address);
          const told = await db
            .selectFrom('operation_events')
            .select('id')
            .where('operation_id', '=', operationId)
            .where('kind', '=', 'consent_left')
            .execute();
          const isGivenUp = at === 'consent_revoke' && !HEALS.has(kind);
          const wanted = Number(provider === 'microsoft' || isGivenUp);
          return [
            ...(status === 'deleted' ? [] : [`the mailbox is ${status}`]),
            ...(grants.length === 0 ? [] : ['its tokens are still there']),
            ...(told.length === wanted
              ? []
              : [`${told.length} lines tell of a consent that stays`]),
            ...(holds && wanted === 0 ? ['its consent holds at the vendor'] : []),
            ...(!holds && provider === 'microsoft' ? ['its consent is gone at the vendor'] : []),
          ];
        },
      };
    },
  };
}
