/** Signs outgoing letters as OpenDKIM does on a real host. */
import DKIM from 'nodemailer/lib/dkim';
import type { HostedDomain } from './machine.ts';

/** The letter with a DKIM-Signature header for the sender's domain on top. */
export async function dkimSign(letter: Buffer, hosted: HostedDomain): Promise<Buffer> {
  const { domain: domainName, selector: keySelector, dkimPrivateKey: privateKey } = hosted;
  const signer = new DKIM({ domainName, keySelector, privateKey });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(letter)) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
