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

/** `POST /_sandbox/mail/deliver`, `GET /_sandbox/mail/logins` and `POST /_sandbox/mail/dmarc-reports`. */
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
  control.post('/mail/dmarc-reports', async (_request, response) => {
    response.json({ reports: await reportDmarc() });
  });
  return control;
}
