/** The look at a name's web server (RFC 8555, 8.3), through the world's DNS and its table of hosts. */
import { get, type IncomingMessage } from 'node:http';
import type { SandboxCore } from '../core.ts';
import { forbidsUs } from './caa.ts';
import type { Proof } from './records.ts';
import { problem, type Problem } from './wire.ts';

const LIMIT_MS = 10_000;
const MAX_BYTES = 1_024;

/** What is wrong, in the words of Let's Encrypt; undefined where the name is proven. */
export async function lookAt(core: SandboxCore, proof: Proof): Promise<Problem | undefined> {
  const { name, token, thumbprint } = proof;
  if (forbidsUs(core.zone, name)) {
    return problem(403, 'caa', `CAA record for ${name} prevents issuance`);
  }
  const [address] = core.hosts.resolve(name);
  if (address === undefined) {
    const found = core.zone.lookup(name, 'A').exists
      ? `no valid A records found for ${name}`
      : `DNS problem: NXDOMAIN looking up A for ${name} - check that a DNS record exists for this domain`;
    return problem(400, 'dns', found);
  }
  const path = `/.well-known/acme-challenge/${token}`;
  const what = `${address}: Fetching http://${name}${path}`;
  const target = core.hosts.dial(name, 80);
  if (proof.fails === true) {
    return problem(400, 'connection', `${what}: Timeout during connect (likely firewall problem)`);
  }
  if (target === undefined) return problem(400, 'connection', `${what}: Connection refused`);
  try {
    const { status, text } = await fetched(core, { ...target, path, name });
    if (status !== 200) {
      const from = `Invalid response from http://${name}${path}: ${status}`;
      return problem(403, 'unauthorized', `${address}: ${from}`);
    }
    const expected = `${token}.${thumbprint}`;
    if (text.trimEnd() === expected) return undefined;
    const differs = 'The key authorization file from the server did not match this challenge';
    return problem(403, 'unauthorized', `${differs}. Expected "${expected}" (got "${text}")`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const said = code === 'ECONNREFUSED' ? 'Connection refused' : `Error getting validation data`;
    return problem(400, 'connection', `${what}: ${said}`);
  }
}

interface Target {
  host: string;
  port: number;
  path: string;
  name: string;
}

/** Redirects are not followed: what is asked here answers by itself. */
async function fetched(core: SandboxCore, { host, port, path, name }: Target) {
  const signal = AbortSignal.any([core.closing, AbortSignal.timeout(LIMIT_MS)]);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: name, 'user-agent': 'sandbox authority' };
    get({ host, port, path, headers, signal, agent: false }, resolve).once('error', reject);
  });
  let text = '';
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > MAX_BYTES) break;
  }
  return { status: answer.statusCode ?? 0, text: text.slice(0, MAX_BYTES) };
}
