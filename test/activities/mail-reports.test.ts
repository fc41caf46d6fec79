/** `postmaster@` and `abuse@` of a domain: on its host from the beginning, read, and nothing lost. World. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import { mailReportActivities } from '../../activities/mail-reports/index.ts';
import { newMemory, visitMailbox } from '../../activities/inbox/watch-mailbox.ts';
import { mailboxActivities } from '../../activities/mailboxes/mailboxes.ts';
import { serverAccess } from '../../activities/engine/access.ts';
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { insertMailbox, passwordBinding, updateMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { roleMailboxOf } from '../../activities/mail-reports/role-mailboxes.ts';
import { rolePasswordBinding } from '../../src/db/mail-reports/role-mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { RoleName } from '../../src/domain/mail-reports/role-mailboxes.ts';
import type { ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { viewDeliverability } from '../../src/services/domains/deliverability.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import {
  dmarcMessage,
  dmarcXml,
  fileMessage,
  tlsMessage,
} from '../support/mail/report-messages.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { eventsOf } from '../support/webhooks/events.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const DOMAIN = 'acme.com';
const HOST = `mail.${DOMAIN}`;
const NO_TEMPORAL = '127.0.0.1:9';
const PATIENCE_MS = 45_000;
/** All that puts a domain on a host. */
const STEPS: [keyof Activities, object?][] = [
  ['confirmHold'],
  ['registerDomain'],
  ['settleRegistration'],
  ['orderServer'],
  ['settleServerOrder'],
  ['awaitServer'],
  ['publishRecords', { phase: 'host' }],
  ['awaitRecords', { phase: 'host' }],
  ['awaitFirstBoot'],
  ['installMailHost'],
  ['addMailDomain'],
  ['publishRecords', { phase: 'mx' }],
  ['awaitRecords', { phase: 'mx' }],
];

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let clusterId: number;
let domainId: number;
let server: ServerAccess;
let ownAddress: string;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, NO_TEMPORAL);
  context.startOperation = async () => false;
  await fund(context, 'ann', 10_000);
  ({ id: clusterId } = await createCluster(context, 'ann', {
    domain: DOMAIN,
    useExistingVps: false,
  }));
  const cluster = await getCluster(context.db, clusterId);
  domainId = cluster.domain_id;
  const step = { operationId: cluster.operation_id!, clusterId, domainId };
  const activities = createActivities(context);
  for (const [name, more = {}] of STEPS) {
    await untilReady(activities[name] as (input: object) => Promise<unknown>, { ...step, ...more });
  }
  await updateCluster(context.db, clusterId, { status: 'active' });
  const row = await getServer(context.db, (await getCluster(context.db, clusterId)).server_id!);
  server = serverAccess(context, row);
  ownAddress = row.ipv4!;
}, 180_000);

afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

async function untilReady(activity: (input: object) => Promise<unknown>, input: object) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await activityEnvironment().run(activity, input);
    } catch (error) {
      if ((error as { type?: string }).type !== 'NotReadyYet' || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

const deliver = async (to: string, raw: string) => {
  const { status } = await sandbox.control('POST', '/mail/deliver', { to, raw });
  return status;
};
const readAll = (over: Partial<Context> = {}) =>
  mailReportActivities({ ...context, ...over }).readMailReports({ afterId: 0 });
const view = (kind: 'dmarc' | 'tls' = 'dmarc') =>
  viewDeliverability(context, 'ann', { id: domainId, kind, days: 30, limit: 20, offset: 0 });

/** A client's mailbox, active and on the host. */
async function clientMailbox(name: string): Promise<{ id: number; password: string }> {
  const email = `${name}@${DOMAIN}`;
  const password = `secret of ${name}`;
  const { db, cipher } = context;
  const { id } = (await db
    .transaction()
    .execute((trx) => insertMailbox(trx, { userId: 'ann', clusterId, email })))!;
  const sealed = cipher.seal(password, passwordBinding(id));
  await updateMailbox(db, id, { password: sealed });
  await mailboxActivities(context).createMailboxOnHost({ operationId: 0, mailboxId: id });
  await updateMailbox(db, id, { status: 'active' });
  return { id, password };
}

/** The subjects in the INBOX of an address. */
async function subjects(email: string, password: string): Promise<string[]> {
  const session = await context.mailTransport.openImap({ host: HOST, email, password });
  const found: string[] = [];
  await session.open('INBOX');
  const range = { afterUid: 0, maxBytes: 1_000_000, batch: 100 };
  for await (const batch of session.fetchNew('INBOX', range)) {
    found.push(...batch.map(({ source }) => /^Subject: (.*?)\r?$/m.exec(source.toString())![1]!));
  }
  await session.close();
  return found;
}

const left = async (name: RoleName): Promise<string[]> => {
  const key = { clusterId, name };
  const { password } = await roleMailboxOf(context, key);
  const opened = context.cipher.open(password, rolePasswordBinding(key));
  return subjects(`${name}@${DOMAIN}`, opened);
};

const message = (to: string, subject: string) =>
  rawMessage({ to, subject, id: `${subject.replaceAll(' ', '-')}@there.example` });

describe('the role addresses of a domain', () => {
  it('take mail as soon as the domain is on its host, and are no mailboxes of the client', async () => {
    const { mailboxes } = await context.mailHost.status(server);
    expect(mailboxes.toSorted()).toEqual([`abuse@${DOMAIN}`, `postmaster@${DOMAIN}`]);
    expect(await context.db.selectFrom('mailboxes').selectAll().execute()).toEqual([]);
  });

  it('keep a person’s message until there is a mailbox that it can move to', async () => {
    expect(await deliver(`abuse@${DOMAIN}`, message(`abuse@${DOMAIN}`, 'stop it'))).toBe(202);
    await readAll();
    expect(await left('abuse')).toEqual(['stop it']);
  });
});

describe('a DMARC report that comes to postmaster@', () => {
  const report = { domain: DOMAIN, organization: 'big.example', reportId: 'r1' };
  const rows = () => [
    { source: ownAddress, messages: 12, result: 'pass' as const },
    { source: '203.0.113.9', messages: 3, result: 'fail' as const },
  ];

  it('is kept, shown, and removed from the host', async () => {
    await deliver(`postmaster@${DOMAIN}`, dmarcMessage({ ...report, rows: rows() }));
    expect(await readAll()).toEqual({ nextId: null, found: 1 });
    const seen = await view();
    expect(seen.lines).toMatchObject([
      { source: ownAddress, isOwnServer: true, result: 'pass', disposition: 'none', messages: 12 },
      { source: '203.0.113.9', isOwnServer: false, result: 'fail', messages: 3 },
    ]);
    expect(seen.lines[0]!.reporters).toEqual(['big.example']);
    expect(seen.alignment).toMatchObject({ state: 'ok', messages: 12, failed: 0 });
    expect(seen.addresses[0]).toMatchObject({
      address: `postmaster@${DOMAIN}`,
      readAt: expect.any(Date),
      failingSince: null,
    });
    expect(await left('postmaster')).toEqual([]);
  });

  it('counts once, however often it is sent or read', async () => {
    await deliver(`postmaster@${DOMAIN}`, dmarcMessage({ ...report, rows: rows() }));
    // The process dies after the report was kept.
    const dying: Context['mailTransport'] = {
      ...context.mailTransport,
      openImap: async (login) => ({
        ...(await context.mailTransport.openImap(login)),
        remove: () => Promise.reject(new Error('killed')),
      }),
    };
    await expect(readAll({ mailTransport: dying })).rejects.toThrow('killed');
    expect(await left('postmaster')).toHaveLength(1);
    expect(await readAll()).toMatchObject({ found: 0 });
    expect((await view()).lines.map(({ messages }) => messages)).toEqual([12, 3]);
    expect(await left('postmaster')).toEqual([]);
  });

  it('does not count where it is about another domain, or a day that is to come', async () => {
    const other = fileMessage(`postmaster@${DOMAIN}`, {
      subject: 'Report',
      type: 'text/xml',
      filename: 'r.xml',
      content: Buffer.from(dmarcXml({ domain: 'other.com', rows: rows() })),
    });
    await deliver(`postmaster@${DOMAIN}`, other);
    const begins = new Date(Date.now() + 5 * 86_400_000);
    await deliver(
      `postmaster@${DOMAIN}`,
      dmarcMessage({ domain: DOMAIN, reportId: 'future', begins, rows: rows() }),
    );
    expect(await readAll()).toMatchObject({ found: 0 });
    expect((await view()).total).toBe(2);
    expect(await left('postmaster')).toEqual([]);
  });
});

describe('bounds of what is kept of a domain', () => {
  const count = async (table: 'mail_reports' | 'mail_report_rows') =>
    (await context.db.selectFrom(table).selectAll().execute()).length;

  it('are 200 lines of a report: those of our own server, then the largest', async () => {
    const before = await count('mail_report_rows');
    const others = Array.from({ length: 300 }, (_, at) => ({
      source: `203.0.113.${at % 250}`,
      messages: 5 + at,
      result: at < 250 ? ('pass' as const) : ('fail' as const),
    }));
    const rows = [...others, { source: ownAddress, messages: 1, result: 'pass' as const }];
    await deliver(
      `postmaster@${DOMAIN}`,
      dmarcMessage({ domain: DOMAIN, organization: 'large.example', rows }),
    );
    await readAll();
    expect(await count('mail_report_rows')).toBe(before + 200);
    const kept = await context.db
      .selectFrom('mail_report_rows')
      .innerJoin('mail_reports', 'mail_reports.id', 'mail_report_rows.report_id')
      .where('organization', '=', 'large.example')
      .where((eb) => eb.or([eb('source', '=', ownAddress), eb('messages', '<', 106)]))
      .select(['source', 'messages'])
      .execute();
    expect(kept).toEqual([{ source: ownAddress, messages: 1 }]);
    await context.db
      .deleteFrom('mail_reports')
      .where('organization', '=', 'large.example')
      .execute();
  });

  it('are 300 reports within a day', async () => {
    const rest = 300 - (await count('mail_reports'));
    const at = new Date();
    await context.db
      .insertInto('mail_reports')
      .values(
        Array.from({ length: rest }, (_, n) => ({
          user_id: 'ann',
          domain_id: domainId,
          kind: 'dmarc' as const,
          organization: 'flood.example',
          report_id: String(n),
          begins_at: at,
          ends_at: at,
          received_at: at,
        })),
      )
      .execute();
    const rows = [{ source: '203.0.113.9', messages: 1, result: 'pass' as const }];
    const late = dmarcMessage({ domain: DOMAIN, organization: 'late.example', rows });
    await deliver(`postmaster@${DOMAIN}`, late);
    expect(await readAll()).toMatchObject({ found: 0 });
    expect(await count('mail_reports')).toBe(300);
    expect(await left('postmaster')).toEqual([]);
    await context.db
      .deleteFrom('mail_reports')
      .where('organization', '=', 'flood.example')
      .execute();
  });
});

describe('a TLS report', () => {
  it('is shown by day, server and result', async () => {
    await deliver(`postmaster@${DOMAIN}`, tlsMessage(DOMAIN));
    expect(await readAll()).toMatchObject({ found: 1 });
    expect((await view('tls')).lines).toMatchObject([
      { source: 'sts', result: 'success', messages: 9, disposition: null, isOwnServer: false },
      { source: HOST, result: 'certificate-expired', messages: 2, isOwnServer: true },
    ]);
  });
});

describe('reports that messages of our own server fail', () => {
  const failing = (organization: string, messages: number) =>
    deliver(
      `postmaster@${DOMAIN}`,
      dmarcMessage({
        domain: DOMAIN,
        organization,
        reportId: `${organization}-${messages}`,
        rows: [{ source: ownAddress, messages, result: 'fail' }],
      }),
    );
  const told = async () =>
    (await eventsOf(context.db, `domain/${domainId}`)).filter(
      ({ type }) => type === 'domain.alignment_failing',
    );

  it('are a warning from one reporter, and an event, told once, from two', async () => {
    await failing('one.example', 4);
    await readAll();
    expect((await view()).alignment).toMatchObject({ state: 'warning', failed: 4, reporters: 1 });
    expect(await told()).toEqual([]);
    await failing('two.example', 2);
    await readAll();
    await readAll();
    expect((await view()).alignment).toMatchObject({
      state: 'failing',
      failingSince: expect.any(Date),
    });
    expect(await told()).toMatchObject([
      {
        payload: {
          domainId,
          domain: DOMAIN,
          sources: [ownAddress],
          messages: 18,
          failed: 6,
          reporters: 2,
        },
      },
    ]);
  });

  it('stop nothing, and end when they are a week old', async () => {
    const { status } = await getCluster(context.db, clusterId);
    expect(status).toBe('active');
    const clock = { now: () => new Date(Date.now() + 8 * 86_400_000) };
    await readAll({ clock });
    expect((await view()).alignment.failingSince).toBeNull();
  });
});

describe('mail for people at a role address', () => {
  it('moves to a mailbox of the client once, also when the process dies before it is removed', async () => {
    const sales = await clientMailbox('sales');
    await deliver(`postmaster@${DOMAIN}`, message(`postmaster@${DOMAIN}`, 'your server is slow'));
    const dying: Context['mailTransport'] = {
      ...context.mailTransport,
      openImap: async (login) => ({
        ...(await context.mailTransport.openImap(login)),
        remove: () => Promise.reject(new Error('killed')),
      }),
    };
    await expect(readAll({ mailTransport: dying })).rejects.toThrow('killed');
    await readAll();
    await readAll();
    const moved = await subjects(`sales@${DOMAIN}`, sales.password);
    expect(moved.toSorted()).toEqual(['stop it', 'your server is slow']);
    expect([...(await left('postmaster')), ...(await left('abuse'))]).toEqual([]);
  });

  it('stays, and holds up no report, while the mailbox that it is for cannot be reached', async () => {
    await deliver(`postmaster@${DOMAIN}`, message(`postmaster@${DOMAIN}`, 'patience'));
    const rows = [{ source: '203.0.113.9', messages: 1, result: 'pass' as const }];
    await deliver(
      `postmaster@${DOMAIN}`,
      dmarcMessage({ domain: DOMAIN, reportId: 'behind it', rows }),
    );
    const out: Context['mailTransport'] = {
      ...context.mailTransport,
      openImap: (login) =>
        login.email.startsWith('sales@')
          ? Promise.reject(new ProviderError('unavailable', 'gone', { provider: 'mail' }))
          : context.mailTransport.openImap(login),
    };
    expect(await readAll({ mailTransport: out })).toMatchObject({ found: 1 });
    expect(await left('postmaster')).toEqual(['patience']);
    await readAll();
    expect(await left('postmaster')).toEqual([]);
  });

  it('is then in the inbox of the client, a complaint as one that a person has to review', async () => {
    const complaint = [
      'From: fbl@big.example',
      `To: abuse@${DOMAIN}`,
      'Subject: Complaint',
      'Message-ID: <fbl-1@big.example>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary="f"',
      '',
      '--f',
      'Content-Type: text/plain',
      '',
      'This is an abuse report.',
      '--f',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'User-Agent: fbl/1',
      'Version: 1',
      '',
      '--f',
      'Content-Type: text/rfc822-headers',
      '',
      `From: sales@${DOMAIN}`,
      'Subject: Hello',
      '',
      '--f--',
      '',
    ].join('\r\n');
    await deliver(`abuse@${DOMAIN}`, complaint);
    await readAll();
    const { mailboxes } = await readSyncSnapshot(context.db, clusterId);
    const { signal } = new AbortController();
    const visit = { ownAddresses: new Set<string>(), signal, memory: newMemory() };
    await visitMailbox(context, mailboxes[0]!, visit);
    const shown = await context.db.selectFrom('messages').select(['subject', 'kind']).execute();
    expect(shown.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual([
      { subject: 'Complaint', kind: 'needs_review' },
      { subject: 'patience', kind: 'message' },
      { subject: 'stop it', kind: 'unsubscribe_request' },
      { subject: 'your server is slow', kind: 'message' },
    ]);
  });

  it('is moved where it holds an archive that is no report', async () => {
    await deliver(
      `abuse@${DOMAIN}`,
      fileMessage(`abuse@${DOMAIN}`, {
        subject: 'evidence',
        type: 'application/zip',
        filename: 'logs.zip',
        content: Buffer.from('PK\u0003\u0004 locked'),
      }),
    );
    await readAll();
    expect(await subjects(`sales@${DOMAIN}`, 'secret of sales')).toContain('evidence');
  });
});

describe('an exchanger outside', () => {
  it('reports by `rua` of our policy on what we sent, and finds it aligned', async () => {
    const messageId = `<sent@${DOMAIN}>`;
    const message = { to: 'jane@recipients.test', subject: 'Hello', text: 'Hello', messageId };
    const sales = { host: HOST, email: `sales@${DOMAIN}`, password: 'secret of sales' };
    await context.mailTransport.submit(sales, message);
    await vi.waitFor(async () => {
      const { mail } = (await sandbox.control('GET', '/books')).body;
      expect(mail.accepted).toHaveLength(1);
    }, PATIENCE_MS);
    const sent = await sandbox.control('POST', '/mail/dmarc-reports');
    expect(sent.body.reports).toEqual([
      { domain: DOMAIN, to: `postmaster@${DOMAIN}`, messages: 1 },
    ]);
    await vi.waitFor(async () => expect((await readAll()).found).toBe(1), PATIENCE_MS);
    const line = (await view()).lines.find(({ reporters }) =>
      reporters.includes('mx.exchangers.test'),
    );
    expect(line).toMatchObject({ isOwnServer: true, dkim: 'pass', spf: 'pass', messages: 1 });
    expect((await sandbox.control('POST', '/mail/dmarc-reports')).body.reports).toEqual([]);
  });
});

describe('a mailbox that the client makes at a role address', () => {
  it('is theirs: reports are read where they are, and nothing is moved or removed', async () => {
    const { id, password } = await clientMailbox('postmaster');
    await deliver(`postmaster@${DOMAIN}`, message(`postmaster@${DOMAIN}`, 'for the owner'));
    const rows = [{ source: ownAddress, messages: 1, result: 'pass' as const }];
    await deliver(
      `postmaster@${DOMAIN}`,
      dmarcMessage({ domain: DOMAIN, reportId: 'in theirs', rows }),
    );
    expect(await readAll()).toMatchObject({ found: 1 });
    expect(await readAll()).toMatchObject({ found: 0 });
    expect(await subjects(`postmaster@${DOMAIN}`, password)).toHaveLength(2);
    // It is deleted: the address takes mail again.
    await updateMailbox(context.db, id, { status: 'deleting' });
    await mailboxActivities(context).removeMailboxFromHost({
      operationId: 0,
      mailboxId: id,
    });
    await updateMailbox(context.db, id, { status: 'deleted', password: null });
    await readAll();
    expect(await left('postmaster')).toEqual([]);
    expect((await context.mailHost.status(server)).mailboxes).toContain(`postmaster@${DOMAIN}`);
  });

  it('is put on the host again where the host has lost it', async () => {
    await context.mailHost.removeMailbox(server, `abuse@${DOMAIN}`);
    await readAll();
    expect((await view()).addresses[1]).toMatchObject({ failingSince: expect.any(Date) });
    await readAll();
    expect((await view()).addresses[1]).toMatchObject({ failingSince: null });
    expect((await context.mailHost.status(server)).mailboxes).toContain(`abuse@${DOMAIN}`);
  });
});

describe('a cluster that is being deleted', () => {
  it('is read a last time: what is for people comes to the inbox before all goes', async () => {
    await deliver(`abuse@${DOMAIN}`, message(`abuse@${DOMAIN}`, 'the last one'));
    await context.db.updateTable('mailboxes').set({ status: 'deleting' }).execute();
    const activities = createActivities(context);
    const step = { operationId: 0, clusterId };
    await activityEnvironment().run(
      (given: typeof step) => activities.readLeavingMailboxes(given),
      step,
    );
    const shown = await context.db.selectFrom('messages').select('subject').execute();
    expect(shown).toContainEqual({ subject: 'the last one' });
  });
});

describe('old reports', () => {
  it('are deleted with their lines', async () => {
    const clock = { now: () => new Date(Date.now() + 400 * 86_400_000) };
    const { deleted } = await mailReportActivities({ ...context, clock }).pruneMailReports();
    expect(deleted).toBeGreaterThan(3);
    expect(await context.db.selectFrom('mail_report_rows').selectAll().execute()).toEqual([]);
  });
});
