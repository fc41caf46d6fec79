/** The world's mail as stand-ins: the hosts' own servers and the exchangers outside. */
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from '../core.ts';
import { checked, ControlRefusal } from '../control-api.ts';
import {
  createMailExchangers,
  type MailExchangers,
  type OutsideDomains,
} from './mail-exchangers.ts';
import { createSeedHost } from '../seed-host.ts';
import type { Hosts } from '../servers/hosts.ts';

const deliverBody = z.strictObject({
  to: z.email(),
  /** The whole message, headers first. */
  raw: z.string().min(1),
});

/** What `status` of a simulated host tells from then on; what is not named is well. */
const signsBody = z.strictObject({
  queued: z.int().optional(),
  diskUsedPercent: z.int().optional(),
  stoppedServices: z.array(z.string()).optional(),
  closedPorts: z.array(z.int()).optional(),
  needsReboot: z.boolean().optional(),
});

/** Somebody else's mail host. */
const elsewhereBody = z.strictObject({
  domain: z.string().min(3),
  mailboxes: z
    .array(z.strictObject({ address: z.email(), password: z.string().min(1) }))
    .max(5_000),
});

/** `outside` tells which domains besides `.test` have their mail at the world's exchangers. */
export function createMail(core: SandboxCore, hosts: Hosts, outside: OutsideDomains): StandIn {
  const seeds = createSeedHost(core);
  const exchangers = createMailExchangers(core, hosts.queue, {
    receivesMail: (domain) => outside.receivesMail(domain),
    deliver: (message) => seeds.deliver(message),
  });
  return {
    name: 'mail',
    vendorRecords: (question) => exchangers.mailRecords.shown(question),
    control: mailControl(hosts, exchangers).use(seeds.control),
    async start() {
      await seeds.start();
      await exchangers.start();
      await hosts.start();
    },
    async close() {
      await Promise.all([seeds.close(), exchangers.close(), hosts.close()]);
    },
  };
}

/** The calls under `/_sandbox/mail`. */
function mailControl(hosts: Hosts, { reportDmarc }: Pick<MailExchangers, 'reportDmarc'>): Router {
  const control = Router();
  control.post('/mail/deliver', (request, response) => {
    const { to, raw } = checked(deliverBody, request.body);
    const message = Buffer.from(raw.replace(/\r?\n/g, '\r\n'));
    if (!hosts.deliver(to, message))
      throw new ControlRefusal(404, `no mailbox ${to} in this world`);
    response.status(202).json({ delivered: true });
  });
  control.get('/mail/logins', (_request, response) => {
    response.json({ logins: hosts.logins.list() });
  });
  control.put('/mail/hosts/:ipv4', (request, response) => {
    const signs = checked(signsBody, request.body);
    if (!hosts.ail?.(request.params['ipv4'], signs))
      throw new ControlRefusal(404, `no simulated host has this address`);
    response.json({ signs });
  });
  control.put('/mail/elsewhere/:host', async (request, response) => {
    const order = checked(elsewhereBody, request.body);
    if (!hosts.elsewhere) throw new ControlRefusal(404, 'hosts of this world are real ones');
    await hosts.elsewhere({ ...order, hostName: request.params['host'] });
    response.json({ mailboxes: order.mailboxes.length });
  });
  control.post('/mail/dmarc-reports', async (_request, response) => {
    response.json({ reports: await reportDmarc() });
  });
  return control;
}
