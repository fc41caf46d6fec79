/** The mail transport in its own process, which trusts the world's CA like the product. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ProviderError, type ProviderErrorFacts } from '../../../src/domain/errors.ts';
import { compose } from '../../../src/providers/mail-transport/mime.ts';
import type { MailTransport } from '../../../src/providers/mail-transport/port.ts';

export interface TransportSettings {
  caFile: string;
  dnsServers: string[];
  outboundProxy: string | undefined;
  timeoutMs: number;
}

/** The child's answer to one call. */
export type Outcome =
  | { id: number; value: unknown }
  | {
      id: number;
      error: { kind: ProviderError['kind']; message: string; facts: ProviderErrorFacts };
    }
  | { id: number; crash: string };

/** `NODE_EXTRA_CA_CERTS` is read when a process starts, so the world's CA needs one. */
export async function startTransport(
  settings: TransportSettings,
): Promise<{ transport: MailTransport; stop: () => void }> {
  const { caFile, ...rest } = settings;
  const script = fileURLToPath(new URL('./transport-child.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(rest)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
  });
  await once(child, 'message');
  let lastId = 0;
  const call = async (method: keyof MailTransport, parameters: unknown[]) => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Outcome>((resolve) => {
      const listen = (outcome: Outcome) => {
        if (outcome.id !== id) return;
        child.off('message', listen);
        resolve(outcome);
      };
      child.on('message', listen);
    });
    child.send({ id, method, parameters });
    const outcome = await answered;
    if ('value' in outcome) return outcome.value;
    if ('crash' in outcome) throw new Error(outcome.crash);
    const { kind, message, facts } = outcome.error;
    throw new ProviderError(kind, message, facts);
  };
  /** Connections cannot cross over from the child: tests of sessions open them there. */
  const notHere = () => Promise.reject(new Error('sessions stay in the child process'));
  const transport: MailTransport = {
    compose,
    openSubmission: notHere,
    openRelay: notHere,
    openImap: notHere,
    checkTls: notHere,
    checkSubmission: async (mailbox) => void (await call('checkSubmission', [mailbox])),
    checkImap: async (mailbox) => void (await call('checkImap', [mailbox])),
    submit: async (mailbox, message) =>
      (await call('submit', [mailbox, message])) as { reply: string },
  };
  return { transport, stop: () => void child.kill() };
}
