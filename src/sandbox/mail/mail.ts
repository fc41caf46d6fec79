/** Mail of the world as stand-ins: the hosts' own servers and the exchangers outside. */
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from '../core.ts';
import { checked, DoorRefusal } from '../door.ts';
import { createMailExchangers, type OutsideDomains } from './mail-exchangers.ts';
import { createSeedHost } from '../seed-host.ts';
import type { Hosts } from '../servers/hosts.ts';

const deliverBody = z.strictObject({
  to: z.email(),
  /** The whole letter, headers first. */
  raw: z.string().min(1),
});

/** `outside` knows which domains besides `.test` have their mail at the world's exchangers. */
export function createMail(core: SandboxCore, hosts: Hosts, outside: OutsideDomains): StandIn {
  const seeds = createSeedHost(core);
  const exchangers = createMailExchangers(core, hosts.queue, {
    receivesMail: (domain) => outside.receivesMail(domain),
    deliver: (letter) => seeds.deliver(letter),
  });
  return {
    name: 'mail',
    books: (question) => exchangers.books.shown(question),
    door: mailDoor(hosts).use(seeds.door),
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

/** `POST /_sandbox/mail/deliver` and `GET /_sandbox/mail/logins`. */
function mailDoor(hosts: Hosts): Router {
  const door = Router();
  door.post('/mail/deliver', (request, response) => {
    const { to, raw } = checked(deliverBody, request.body);
    const letter = Buffer.from(raw.replace(/\r?\n/g, '\r\n'));
    if (!hosts.deliver(to, letter)) throw new DoorRefusal(404, `no mailbox ${to} in this world`);
    response.status(202).json({ delivered: true });
  });
  door.get('/mail/logins', (_request, response) => {
    response.json({ logins: hosts.logins.list() });
  });
  return door;
}
