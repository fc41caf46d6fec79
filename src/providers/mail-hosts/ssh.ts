/** One command on one server over SSH: our key, its pinned host key, bounded in time and output. */
import { Readable, type Writable } from 'node:stream';
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import type { ByteStream } from '../../domain/cipher.ts';
import { ProviderError } from '../../domain/errors.ts';
import { traced, type SpanOptions } from '../../tracing/spans.ts';
import { dial } from '../network.ts';
import type { ProviderTools } from '../vendor.ts';
import type { ServerAccess } from './port.ts';

const PROVIDER = 'mail-host';
const SSH_PORT = 22;

/** The longest output that is kept; `status` of a host with 1,000 mailboxes is about 40 kB. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface Command {
  line: string;
  /** Written to the command's standard input, which is then closed. A stream that fails ends the command. */
  stdin?: string | ByteStream;
  /** Takes the output as it comes, instead of the result, and is not ended. */
  stdoutTo?: Writable;
  /** For the command itself; connecting has the time-out of the tools. */
  limitMs: number;
  signal?: AbortSignal | undefined;
}

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command as root. Throws `unavailable` when the server is not reached or does not finish in
 * time, `auth` when it shows another host key or refuses our key. The caller judges the exit code.
 */
export const runCommand = (
  server: ServerAccess,
  command: Command,
  tools: ProviderTools,
): Promise<CommandResult> =>
  traced(`SSH ${verbOf(command.line)}`, spanOf(server), async (span) => {
    const result = await connectAndRun(server, command, tools);
    span.set({ 'process.exit.code': result.exitCode });
    return result;
  });

const spanOf = ({ ipv4 }: ServerAccess): SpanOptions => ({
  kind: 'CLIENT',
  attributes: { 'server.address': ipv4, 'server.port': SSH_PORT },
});

/** `/usr/local/sbin/program verb address` -> `program verb`: what follows may name a mailbox. */
function verbOf(line: string): string {
  const [program = '', verb = ''] = line.split(/\s+/, 2);
  const words = [program.slice(program.lastIndexOf('/') + 1), verb];
  return words.filter((word) => /^[a-z][a-z-]{0,30}$/.test(word)).join(' ');
}

async function connectAndRun(
  server: ServerAccess,
  command: Command,
  tools: ProviderTools,
): Promise<CommandResult> {
  const { signal } = command;
  const target = { provider: PROVIDER, ipv4: server.ipv4, port: SSH_PORT };
  const limits = { proxy: tools.outboundProxy, timeoutMs: tools.timeoutMs, signal };
  const sock = await dial({ ...target, ...limits });
  const client = new ssh2.Client();
  const stop = () => client.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  const limit = setTimeout(stop, tools.timeoutMs + command.limitMs);
  try {
    await logIn(client, { ...loginOf(server, tools), sock }, server);
    return await execute(client, command);
  } catch (error) {
    throw error instanceof ProviderError ? error : failed(server, error);
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener('abort', stop);
    client.end();
  }
}

function loginOf(server: ServerAccess, tools: ProviderTools): ConnectConfig {
  return {
    username: 'root',
    privateKey: server.sshPrivateKey,
    readyTimeout: tools.timeoutMs,
    // The pinned key is ed25519: a host that offers no such key is not ours.
    algorithms: { serverHostKey: ['ssh-ed25519'] },
  };
}

function logIn(client: Client, config: ConnectConfig, server: ServerAccess): Promise<void> {
  const pinned = hostKeyBlob(server.hostPublicKey);
  let isOurs: boolean | undefined;
  return new Promise((resolve, reject) => {
    client.once('ready', resolve);
    client.once('close', () => reject(new Error('the connection was closed')));
    client.on('error', (error: Error & { level?: string }) => {
      const stranger = isOurs === false || /no matching host key/i.test(error.message);
      if (stranger) reject(wrongHost(server));
      else if (error.level === 'client-authentication') reject(keyRefused(server));
      else reject(error);
    });
    const hostVerifier = (key: Buffer) => (isOurs = key.equals(pinned));
    client.connect({ ...config, hostVerifier });
  });
}

function execute(client: Client, command: Command): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    client.once('close', () => reject(new Error('the connection was closed before the end')));
    client.on('error', reject);
    client.exec(command.line, (error, channel) => {
      if (error) {
        reject(error);
        return;
      }
      const output = {
        stdout: command.stdoutTo ? passOn(channel, command.stdoutTo) : collect(channel, channel),
        stderr: collect(channel, channel.stderr),
      };
      channel.once('close', (code: number | null) => {
        // No exit code: the command was killed, or the connection broke.
        if (typeof code !== 'number') reject(new Error('the command did not finish'));
        else resolve({ exitCode: code, stdout: output.stdout(), stderr: output.stderr() });
      });
      write(channel, command.stdin ?? '', reject);
    });
  });
}

/** Writes all of it and closes the command's input; a command that ends before has its own exit code. */
function write(
  channel: ClientChannel,
  stdin: string | ByteStream,
  failed: (error: unknown) => void,
): void {
  if (typeof stdin === 'string') return void channel.end(stdin);
  const source = Readable.from(stdin, { objectMode: false });
  source.once('error', (error) => {
    failed(error);
    channel.destroy();
  });
  channel.once('close', () => source.destroy());
  source.pipe(channel);
}

function passOn(channel: ClientChannel, sink: Writable): () => string {
  channel.pipe(sink, { end: false });
  return () => '';
}

/** Collects a stream; too much output ends the command. */
function collect(channel: ClientChannel, stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) channel.destroy();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function hostKeyBlob(publicKey: string): Buffer {
  const parsed = ssh2.utils.parseKey(publicKey);
  if (parsed instanceof Error) throw new TypeError('the pinned host key is not an OpenSSH key');
  return parsed.getPublicSSH();
}

function failed(server: ServerAccess, error: unknown): ProviderError {
  const why = error instanceof Error ? error.message : 'unknown';
  return new ProviderError('unavailable', `${PROVIDER}: SSH to ${server.ipv4} failed (${why})`, {
    provider: PROVIDER,
    providerCode: 'ssh',
  });
}

const wrongHost = (server: ServerAccess) =>
  new ProviderError('auth', `${PROVIDER}: ${server.ipv4} shows a host key that is not its own`, {
    provider: PROVIDER,
    providerCode: 'host_key_mismatch',
    operatorHint:
      'Another machine answers at this address, or the server was reinstalled: do not go on ' +
      'before it is known which. Nothing was sent to it.',
  });

const keyRefused = (server: ServerAccess) =>
  new ProviderError('auth', `${PROVIDER}: ${server.ipv4} does not accept our SSH key`, {
    provider: PROVIDER,
    providerCode: 'key_refused',
    operatorHint: 'Put the key of this server back into /root/.ssh/authorized_keys there.',
  });
