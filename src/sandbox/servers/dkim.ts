/** Signs outgoing messages as OpenDKIM does on a real host. */
import DKIM from 'nodemailer/lib/dkim';
import type { HostedDomain } from './machine.ts';

/** The setting of our hosts: both fields of RFC 8058 are among them. */
const SIGNED_FIELDS =
  'From:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:' +
  'Content-Transfer-Encoding:In-Reply-To:References:List-Unsubscribe:List-Unsubscribe-Post';

/** The message with a DKIM-Signature header for the sender's domain on top. */
export async function dkimSign(message: Buffer, hosted: HostedDomain): Promise<Buffer> {
  const { domain: domainName, selector: keySelector, dkimPrivateKey: privateKey } = hosted;
  const signer = new DKIM({
    domainName,
    keySelector,
    privateKey,
    headerFieldNames: SIGNED_FIELDS,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(message)) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
