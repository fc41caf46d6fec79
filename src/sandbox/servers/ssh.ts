/** The SSH server of a simulated host: root by public key, commands by exec, nothing else. */
import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { AuthContext, Connection, ServerChannel } from 'ssh2';
import type { HostContext } from './host-context.ts';
import { runCommand } from './host-commands.ts';
import type { CommandInput } from './host-verbs.ts';
import { mishapAt } from './protocol-faults.ts';

/** Answers connections to port 22; the server is created at the first one. */
export function sshServer(host: HostContext): (socket: Socket) => void {
  let server: ssh2.Server | undefined;
  return (socket) => {
    void mishapAt(host.core, 'ssh', 'CONNECT').then((mishap) => {
      if (mishap?.startsWith('timeout')) return;
      if (mishap !== undefined) return void socket.resetAndDestroy();
      server ??= new ssh2.Server({ hostKeys: [host.machine().hostKey] }, (connection) =>
        serve(host, connection, socket),
      );
      server.injectSocket(socket);
    });
  };
}

function serve(host: HostContext, connection: Connection, socket: Socket): void {
  connection.on('error', () => socket.destroy());
  connection.on('authentication', (context) => void authenticate(host, context));
  connection.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, { command }) => {
      void execute(host, command, acceptExec()).catch(() => socket.destroy());
    });
  });
}

async function authenticate(host: HostContext, context: AuthContext): Promise<void> {
  const mishap = await mishapAt(host.core, 'ssh', 'AUTH');
  if (mishap !== undefined || context.username !== 'root' || context.method !== 'publickey') {
    return context.reject(['publickey']);
  }
  const { key, blob, signature, hashAlgo } = context;
  const known = host
    .machine()
    .authorizedKeys.map((line) => ssh2.utils.parseKey(line))
    .find((each) => !(each instanceof Error) && each.getPublicSSH().equals(key.data));
  if (known === undefined || known instanceof Error) return context.reject(['publickey']);
  // Without a signature the client only asks whether it may try this key.
  if (signature === undefined || blob === undefined) return context.accept();
  if (known.verify(blob, signature, hashAlgo)) context.accept();
  else context.reject(['publickey']);
}

async function execute(host: HostContext, command: string, channel: ServerChannel): Promise<void> {
  channel.on('error', () => channel.destroy());
  const verb =
    /^bash -c '[^']*' ([a-z-]+)/.exec(command)?.[1] ??
    /outreach-mail['"]?\s+['"]?([a-z-]+)/.exec(command)?.[1];
  const mishap = await mishapAt(host.core, 'ssh', verb === undefined ? 'EXEC' : `EXEC /${verb}`);
  if (mishap === 'timeout_before_effect') return;
  if (mishap !== undefined && mishap !== 'timeout_after_effect') {
    if (mishap === 'reset') return void channel.destroy();
    return finish(channel, { code: 1, stderr: `simulated fault: ${mishap}\n` });
  }
  const result = await runCommand(host, command, inputOf(channel));
  if (mishap === undefined) finish(channel, result);
}

function finish(
  channel: ServerChannel,
  result: { code: number; stdout?: string; stderr?: string },
): void {
  if (result.stderr) channel.stderr.write(result.stderr);
  if (result.stdout) channel.write(result.stdout);
  channel.exit(result.code);
  channel.end();
}

const inputOf = (channel: ServerChannel): CommandInput => ({
  all: () => read(channel, () => false),
  line: async () => (await read(channel, (text) => text.includes('\n'))).split(/\r?\n/)[0]!,
});

async function read(channel: ServerChannel, enough: (text: string) => boolean): Promise<string> {
  const chunks: Buffer[] = [];
  const text = (): string => Buffer.concat(chunks).toString('utf8');
  return new Promise((resolve) => {
    channel.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (enough(text())) resolve(text());
    });
    channel.on('end', () => resolve(text()));
    channel.on('close', () => resolve(text()));
  });
}
