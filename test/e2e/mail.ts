/** Mailboxes made by the API and used as mail programs do, with the certificate checked. */
import { randomBytes } from 'node:crypto';
import { submit, subjects } from '../support/mail/mail-clients.ts';
import type { Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

export interface Mailbox {
  email: string;
  password: string;
  host: string;
}

/** With an Idempotency-Key, so that the answer with its password is stored, too. */
export async function createMailbox(
  world: SharedWorld,
  account: Account,
  cluster: { id: number; domain: string; mailServer: { host: string } | null },
  local: string,
): Promise<Mailbox> {
  const email = `${local}@${cluster.domain}`;
  const password = `e2e-${randomBytes(12).toString('base64url')}`;
  world.secrets.add(password);
  const asked = { clusterId: cluster.id, body: { email, password } };
  const options = { idempotencyKey: `make-${email}` };
  const made = await account.api.mailboxes.create(asked, options);
  if (!made.isActive) throw new Error(`${email} is not active: ${JSON.stringify(made)}`);
  return { email, password, host: cluster.mailServer!.host };
}

export async function sendMessage(
  world: SharedWorld,
  message: { from: Mailbox; to: Mailbox; subject: string },
): Promise<void> {
  const { from, to, subject } = message;
  const { host, password } = from;
  await submit(mailControl(world), { host, from: from.email, to: to.email, subject, password });
}

export async function readSubjects(world: SharedWorld, mailbox: Mailbox): Promise<string[]> {
  const { host, email: user, password } = mailbox;
  const found = await subjects(mailControl(world), { host, user, password });
  return found.map(({ subject }) => subject);
}

const mailControl = (world: SharedWorld) => ({
  control: async (method: string, path: string) => ({
    status: 200,
    body: await world.control(method, path),
  }),
  sandbox: () => ({ caFile: world.file.caFile }),
});
