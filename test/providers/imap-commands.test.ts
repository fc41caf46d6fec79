/** What is said to an IMAP server for a look into a mailbox: there are dozens of looks a second. Provider: mail-transport. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLoginListener, type LoginListener } from '../support/mail/login-listener.ts';

const HOST = 'mail.own.test';

let world: LoginListener;
beforeAll(async () => {
  world = await startLoginListener([HOST]);
});
afterAll(() => world?.close());

it('lists folders by one command where the server does not tell which are subscribed to', async () => {
  const imap = { host: HOST, port: 993, tls: 'tls' } as const;
  const servers = { username: 'ann', imap, smtp: { ...imap, port: 465 } };
  const access = { host: HOST, email: 'ann@own.test', password: 'pass', servers };
  const session = await world.transport.openImap(access);
  world.heard.splice(0);
  const folders = await session.foldersWithState();
  const said = world.heard.map((line) => line.split(' ')[2]);
  await session.close();
  expect(folders).toEqual([{ path: 'INBOX', role: 'inbox' }]);
  expect(said).toEqual(['LIST']);
});
