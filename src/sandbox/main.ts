/** The sandbox as a process: `src/sandbox/main.ts --state-dir DIR ...`. */
import { Command, InvalidArgumentError } from 'commander';
import closeWithGrace from 'close-with-grace';
import { startSandbox, type SandboxOptions } from './sandbox.ts';

const port = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) {
    throw new InvalidArgumentError('a port is a whole number from 0 (any) to 65535');
  }
  return value;
};

const pace = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('the pace is a number above 0');
  return value;
};

const options = new Command('sandbox')
  .description('Stand-ins for every vendor, with DNS and a proxy of their own.')
  .requiredOption('--state-dir <dir>', 'where books, keys and logs are kept')
  .option('--host <address>', 'where HTTP, DNS and the proxy listen', '127.0.0.1')
  .option('--url <url>', 'how the product reaches the HTTP server, if not by --host and --port')
  .option('--port <port>', 'HTTP: vendors, checkout page, control API', port, 3900)
  .option('--dns-port <port>', 'DNS, UDP and TCP', port, 3953)
  .option('--socks-port <port>', 'SOCKS5 proxy into the world', port, 3980)
  .option(
    '--webhook-url <url>',
    'where payment webhooks go',
    'http://127.0.0.1:3000/wallet/webhook',
  )
  .requiredOption('--webhook-secret <secret>', 'signs payment webhooks (whsec_...)')
  .option('--pace <n>', 'how many times faster the waiting of the world passes', pace, 1)
  .option('--closed', 'the proxy connects to hosts of the world only: nothing gets out')
  .option('--links-http-port <port>', 'where the links of the product are served', port)
  .option('--links-tls-port <port>', 'the same by TLS', port)
  .option('--links-address <host>', 'on which machine, if not on this one')
  .option('--vps-image <dir>', 'rented servers boot this tree instead of being simulated')
  .parse()
  .opts<SandboxOptions>();

const sandbox = await startSandbox(options);
const { url, dns, socks, caFile } = sandbox;
process.stdout.write(
  `${JSON.stringify({ ready: true, url, dns, socks, caFile, pid: process.pid })}\n`,
);
closeWithGrace({ delay: 5_000, logger: false }, async ({ err }) => {
  if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`);
  await sandbox.close();
});
