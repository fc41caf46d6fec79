/** Whether a login shows that mail to the address really comes to it. Choice 156. */
import { mailProviderOf } from '../email-validation/mail-providers.ts';
import { MAIL_PRESETS, type MailPresetName, type MailServers } from './mail-servers.ts';

export interface MailExchanger {
  exchange: string;
  priority: number;
}

/** Who runs the exchangers of domains whose mailboxes are at these vendors, as `mailProviderOf` says it. */
const EXCHANGERS_OF: Record<MailPresetName, string> = {
  google: 'google',
  microsoft: 'microsoft',
  yahoo: 'yahoo',
  icloud: 'apple',
  zoho: 'zoho',
  fastmail: 'messagingengine.com',
};

/**
 * Servers that a stranger names take and show whatever the stranger likes. Two kinds of IMAP host are no stranger's:
 * one that is an exchanger of the domain by its name, which the domain's owner has published, and that of a vendor that
 * runs the exchangers. There a login under the address is only its own. A host that is merely at the same domain as an
 * exchanger says nothing: hosters give their customers such names.
 */
export function provesAddress(
  { email, servers }: { email: string; servers: MailServers },
  exchangers: readonly MailExchanger[],
): boolean {
  if (servers.username.toLowerCase() !== email) return false;
  const best = Math.min(...exchangers.map(({ priority }) => priority));
  const preferred = exchangers
    .filter(({ priority }) => priority === best)
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  if (preferred.length === 0) return false;
  const { host } = servers.imap;
  if (preferred.includes(host)) return true;
  const vendor = VENDORS.find((name) => MAIL_PRESETS[name].imap.host === host);
  if (vendor === undefined) return false;
  return preferred.every((exchange) => mailProviderOf(exchange) === EXCHANGERS_OF[vendor]);
}

const VENDORS = Object.keys(EXCHANGERS_OF) as MailPresetName[];
