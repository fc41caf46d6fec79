/**
 * Checks a mail host's TLS without logging in: whether it answers, and when its certificate expires.
 */
import { connect, type TLSSocket } from 'node:tls';
import { ProviderError } from '../../domain/errors.ts';
import { dial, firstAddress } from '../network.ts';
import { PROVIDER } from './failures.ts';
import type { TransportTools } from './port.ts';

/** Port: `MailTransport.checkTls`. */
export async function checkTls(
  tools: TransportTools,
  { host, port, ipv4: own }: { host: string; port: number; ipv4: string },
): Promise<{ expiresAt: Date }> {
  const ipv4 = firstAddress(PROVIDER, { addresses: [own], reach: tools.reach }, host);
  const { outboundProxy: proxy, timeoutMs } = tools;
  const socket = await dial({ provider: PROVIDER, ipv4, port, proxy, timeoutMs });
  const secured = connect({ socket, servername: host, ca: tools.ca });
  try {
    await handshake(secured, timeoutMs);
    return { expiresAt: new Date(secured.getPeerCertificate().valid_to) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const facts = { provider: PROVIDER, providerCode: code ?? 'tls' };
    throw new ProviderError('unavailable', `${host}:${port} speaks no TLS: ${message}`, facts);
  } finally {
    secured.destroy();
  }
}

function handshake(socket: TLSSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('timed out')), timeoutMs);
    const done = (end: () => void) => {
      clearTimeout(limit);
      end();
    };
    socket.once('secureConnect', () => done(resolve));
    socket.once('error', (error) => done(() => reject(error)));
    socket.once('close', () => done(() => reject(new Error('the connection was closed'))));
  });
}
