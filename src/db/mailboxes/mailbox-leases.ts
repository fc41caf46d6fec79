/**
 * Leases on a mailbox or domain at its host: an attempt that was taken for dead must not change it after the
 * next one.
 */
import type { Kysely } from 'kysely';
import { ProviderError } from '../../domain/errors.ts';
import { domainOnHost, mailboxOnHost, withLease } from '../leases.ts';
import { getMailbox, type Mailbox } from './mailboxes.ts';
import type { Database } from '../tables.ts';

/** How long a workflow waits within one attempt; the next attempt waits again. */
const LEASE_WAIT_MS = 10_000;

/**
 * Runs `work`, which takes seconds, with the mailbox's row as read under its lease. No row is locked and no
 * connection held meanwhile: sending continues. `assertMine` is to be called right before the host is
 * changed. Throws `not_ready` while another process holds the lease for long.
 */
export const withMailboxLease = (
  db: Kysely<Database>,
  mailboxId: number,
  work: (mailbox: Mailbox, assertMine: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const request = { name: mailboxOnHost(mailboxId), waitMs: LEASE_WAIT_MS, busy };
  return withLease(db, request, async (assertMine) => {
    await work(await getMailbox(db, mailboxId), assertMine);
  });
};

/** The same for a domain that a mail host serves. */
export const withDomainLease = (
  db: Kysely<Database>,
  domainId: number,
  work: (assertMine: () => Promise<void>) => Promise<void>,
): Promise<void> =>
  withLease(db, { name: domainOnHost(domainId), waitMs: LEASE_WAIT_MS, busy }, work);

const busy = () =>
  new ProviderError('not_ready', 'It is being changed on its host', {
    provider: 'mail-host',
  });
