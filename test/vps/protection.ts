/** What protects a host: bans, the limit of each login, upgrades; and the key by which we log in. */
import { expect } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import type { Mailbox } from './correspondence.ts';
import type { LabWorld } from './lab-world.ts';

const SENT = '/var/lib/outreach-mail/limit/sent';

/** `outreach hosts ...` as an operator types it; what it printed, where it ends with 0. */
export async function outreachHosts({ world }: LabWorld, ...argv: string[]): Promise<string> {
  const { databaseUrl, temporalAddress, temporalNamespace } = world.file;
  const environment = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    ENCRYPTION_KEYS: world.own.encryptionKeys,
  };
  const lines: string[] = [];
  const say = (text: string) => void lines.push(text);
  const code = await runCommand(['hosts', ...argv], { out: say, err: say, environment });
  expect([code, lines.join('\n')]).toEqual([0, expect.any(String)]);
  return lines.join('\n');
}

/** Recipients that Postfix has counted for a login within the hour. */
export async function countedOf(lab: LabWorld, serverId: number, login: string): Promise<number> {
  const query = `select coalesce(sum(recipients), 0) from sent where login = '${login}'`;
  return Number((await onCounts(lab, serverId, query)).trim());
}

/** As if the mailbox had written to so many in this moment; 0 forgets all of them. */
export async function pretendSent(
  lab: LabWorld,
  { serverId, mailbox, recipients }: { serverId: number; mailbox: Mailbox; recipients: number },
): Promise<void> {
  const login = mailbox.email;
  await onCounts(lab, serverId, `delete from sent where login = '${login}'`);
  if (recipients === 0) return;
  const row = `'${login}', unixepoch(), ${recipients}`;
  await onCounts(lab, serverId, `insert into sent values (${row})`);
}

async function onCounts(lab: LabWorld, serverId: number, query: string): Promise<string> {
  const program =
    `import sqlite3; db = sqlite3.connect("${SENT}", timeout=10); ` +
    `[print(*row) for row in db.execute("${query}")]; db.commit()`;
  const { exitCode, stdout } = await lab.run(
    serverId,
    `python3 -c '${program.replaceAll("'", `'\\''`)}'`,
  );
  expect(exitCode).toBe(0);
  return stdout;
}
