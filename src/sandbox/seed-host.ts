/**
 * The mailboxes of warm-up's seeds: IMAP on 993, an inbox, and spam for the share that the control API
 * sets.
 */
import { Router } from 'express';
import { z } from 'zod';
import { choose } from '../domain/seeded-choice.ts';
import type { SandboxCore } from './core.ts';
import { checked } from './control-api.ts';
import type { AcceptedMessage } from './mail/mail-records.ts';
import { imapServer } from './servers/imap.ts';
import { openListener, tlsFront } from './servers/listener.ts';
import { createLoginRecords } from './servers/logins.ts';
import { createMailStore } from './servers/mail-store.ts';
import { hashPassword } from './servers/passwords.ts';
import { SEED_ADDRESSES, SEED_HOST, SEED_PASSWORD } from './warmup-seeds.ts';
import type { ZoneSource } from './zone.ts';

const HOST_ID = 'seeds';

/** Below the smarthost's address, at the end of the world's range. */
const ADDRESS = '198.19.255.252';

export interface SeedHost {
  control: Router;
  /** Puts a message to a seed into its mailbox; ignores all other messages. */
  deliver(message: AcceptedMessage): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

const junkBody = z.strictObject({ percent: z.int().min(0).max(100) });

export function createSeedHost(core: SandboxCore): SeedHost {
  const mail = createMailStore(core.store);
  const junkPercent = () => core.store.get<{ percent: number }>('seeds', 'junk')?.percent ?? 0;
  core.zone.addSource(zone);
  let close = async (): Promise<void> => {};
  const control = Router();
  control.get('/seeds/junk', (_request, response) => {
    response.json({ percent: junkPercent() });
  });
  control.put('/seeds/junk', (request, response) => {
    const { percent } = checked(junkBody, request.body);
    core.store.put('seeds', 'junk', { percent });
    response.json({ percent });
  });
  return {
    control,
    deliver({ to, raw, messageId }) {
      const mailbox = mail.find(HOST_ID, to);
      if (mailbox === undefined) return;
      const isJunk = choose(`${messageId}/junk`, 100) < junkPercent();
      mail.deliver(mailbox, Buffer.from(raw, 'latin1'), isJunk ? 'Junk' : 'INBOX');
    },
    async start() {
      const missing = SEED_ADDRESSES.filter((email) => mail.find(HOST_ID, email) === undefined);
      for (const email of missing) mail.create(HOST_ID, email, await hashPassword(SEED_PASSWORD));
      const { certificatePem: certificate, privateKeyPem: key } = await core.ca.issue([SEED_HOST]);
      const machine = () => ({ hostName: SEED_HOST, ipv4: ADDRESS });
      const logins = createLoginRecords(core.store);
      const imap = imapServer({ id: HOST_ID, core, mail, logins, machine });
      const named = [{ hostName: SEED_HOST, key, certificate }];
      const listener = await openListener(tlsFront(() => named, imap));
      core.hosts.register(ADDRESS, 993, listener.port);
      close = () => listener.close();
    },
    close: () => close(),
  };
}

const hasName = (name: string) => name === SEED_HOST;
const zone: ZoneSource = {
  hasName,
  records: (name) => (hasName(name) ? [{ name, type: 'A', value: ADDRESS, ttlSeconds: 300 }] : []),
};
