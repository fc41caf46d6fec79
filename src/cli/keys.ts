/** `outreach keys`: encrypts what is at rest with the first of ENCRYPTION_KEYS, and says which key may go. */
import { Command } from 'commander';
import { readEncryptionKeys } from '../config.ts';
import { createCipher, parseKeyRing } from '../encryption/cipher.ts';
import { readKeyUse, rotateKeys, type KeyUse } from '../services/operations/key-use.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  productSettings,
  withOperatorConnections,
  withConnectionOptions,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & { dryRun?: boolean };

export const keysCommand = (io: Io): Command =>
  new Command('keys')
    .description('Looks after the keys of what is encrypted.')
    .addHelpText('after', '\nExample:\n  $ outreach keys rotate --dry-run')
    .addCommand(
      withConnectionOptions(new Command('rotate'))
        .description('Encrypts what is at rest with the first of ENCRYPTION_KEYS.')
        .option('--dry-run', 'only count what is under which key')
        .addHelpText(
          'after',
          `
It reads ENCRYPTION_KEYS: put the new key first, leave the old ones in, and restart API and workers before
you begin. It works in small batches, may be interrupted at any moment and run again, and says at the end
what still needs an old key. docs/deployment.md#replacing-a-key has the whole way.
${EXIT_CODES}

Examples:
  $ outreach keys rotate --dry-run
  $ outreach keys rotate
  $ outreach keys rotate --json | jq '.old[] | select(.mayGo) | .keyId'`,
        )
        .action((options: Options) => rotate(io, options)),
    );

async function rotate(io: Io, options: Options): Promise<void> {
  const keys = readEncryptionKeys(productSettings(io, options));
  const [keyId = '', ...oldIds] = [...parseKeyRing(keys).keys()];
  const use = await withOperatorConnections(io, options, async ({ db, temporal }) => {
    if (!options.dryRun) {
      await rotateKeys({ db, cipher: createCipher(keys) }, keyId, (column, done) => {
        if (options.json || done.resealed + done.unreadable === 0) return;
        const unread = done.unreadable > 0 ? `, ${done.unreadable} unreadable` : '';
        io.out(`${column.table}.${column.column}: ${done.resealed} encrypted anew${unread}`);
      });
    }
    return readKeyUse({ db, temporal }, keyId);
  });
  const old = oldKeys(use, oldIds);
  if (options.json) printJson(io, { first: use.first, atRest: use.atRest, old });
  else print(io, use, old);
  const rest = old.reduce((sum, { atRest }) => sum + atRest, 0);
  if (rest === 0 || options.dryRun) return;
  throw new CommandEnd(
    EXIT.attention,
    `${rest} values could not be encrypted anew: their key is not in ENCRYPTION_KEYS, or they were locked.`,
  );
}

interface OldKey {
  keyId: string;
  isConfigured: boolean;
  atRest: number;
  /** Nothing that can be looked at needs it; null: Temporal was not asked or does not say. */
  mayGo: boolean | null;
}

/** Keys besides the first: configured ones, and those of values that nothing can open. */
function oldKeys({ first, atRest, olderRuns }: KeyUse, configured: readonly string[]): OldKey[] {
  const ids = new Set([...configured, ...atRest.map(({ keyId }) => keyId)]);
  ids.delete(first.keyId);
  return [...ids].map((keyId) => {
    const count = atRest
      .filter((one) => one.keyId === keyId)
      .reduce((sum, one) => sum + one.count, 0);
    const isFree = olderRuns === null ? null : olderRuns === 0;
    return {
      keyId,
      isConfigured: configured.includes(keyId),
      atRest: count,
      mayGo: count > 0 ? false : isFree,
    };
  });
}

function print(io: Io, { first, atRest, olderRuns }: KeyUse, old: readonly OldKey[]): void {
  printTable(
    io,
    ['COLUMN', 'KEY', 'VALUES'],
    atRest.map(({ table, column, keyId, count }) => [`${table}.${column}`, keyId, count]),
    'Nothing is encrypted at rest.',
  );
  const since = first.since?.toISOString() ?? 'not yet: run it without --dry-run';
  io.out(`\nFirst key: ${first.keyId} (since ${since})`);
  for (const { keyId, isConfigured, atRest: count, mayGo } of old) {
    const where = isConfigured ? '' : ' (not in ENCRYPTION_KEYS: put it back)';
    if (count > 0) io.out(`${keyId}: ${count} values at rest need it${where}`);
    else if (mayGo) io.out(`${keyId}: may go; nothing at rest and no run of Temporal needs it`);
    else if (mayGo === null) io.out(`${keyId}: nothing at rest needs it; Temporal was not asked`);
    else {
      io.out(`${keyId}: nothing at rest needs it, but ${olderRuns} runs that Temporal keeps may`);
    }
  }
  if (first.since === null || old.length === 0) return;
  io.out(
    `Before a key goes: dumps from before ${since} need it as long as they are kept, and links in messages\n` +
      'that were sent before then answer only while it is in ENCRYPTION_KEYS or LINK_KEYS.',
  );
}
