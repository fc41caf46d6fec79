/** Settings for development only: short days, stand-ins, publicly known secrets. */
import { DAY_SECONDS } from '../domain/day.ts';
import { parseRelay } from '../domain/clusters/smarthost.ts';
import { parseUrl } from '../domain/url.ts';
import { isExample, isExamplePassword, isWeakKey, isWeakSecret } from '../domain/weak-secret.ts';
import { vendors } from '../providers/vendors.ts';
import type { Settings } from './environment.ts';

/** Settings that a production process refuses, with the reason. */
export function developmentSettings(settings: Settings, environment: NodeJS.ProcessEnv): string[] {
  const found: string[] = [];
  if (settings.DAY_SECONDS !== DAY_SECONDS)
    found.push('DAY_SECONDS: a short day is for development');
  if (settings.RETRY_PACE !== 1) found.push('RETRY_PACE: a quick pace is for development');
  const registrars = Object.values(vendors.registrars);
  const sellsDomains = registrars.some((one) => one.configure(environment).state !== 'off');
  for (const name of ['DOMAIN_DIRECT_PRICE_CENTS', 'DOMAIN_RENEWAL_PRICE_CENTS'] as const) {
    if (!sellsDomains || settings[name] > 0 || settings.MAX_FREE_DOMAIN_ORDERS !== undefined)
      continue;
    found.push(`${name}: free domains are for development; set a price, or MAX_FREE_DOMAIN_ORDERS`);
  }
  if (settings.CRAWLER_ALLOW_BENCHMARK_RANGE) {
    found.push('CRAWLER_ALLOW_BENCHMARK_RANGE: stand-ins of websites are for development');
  }
  for (const name of ['ACME_DIRECTORY_URL', 'LINKS_ACME_DIRECTORY_URL'] as const) {
    if (!settings[name]?.startsWith('http:')) continue;
    found.push(`${name}: a stand-in's address is for development`);
  }
  if (!isPublic(settings.PUBLIC_URL)) {
    found.push('PUBLIC_URL: it has to be the https address of the API that recipients reach');
  }
  if (settings.JWT_SECRET.some(isWeakSecret)) {
    found.push('JWT_SECRET: this is a development or example secret');
  }
  if (settings.CODEC_TOKEN !== undefined && isWeakSecret(settings.CODEC_TOKEN)) {
    found.push('CODEC_TOKEN: this is a development or example secret');
  }
  if (settings.ENCRYPTION_KEYS.split(',').some(isDevelopmentKey)) {
    found.push('ENCRYPTION_KEYS: this is a development or example key');
  }
  if (settings.LINK_KEYS?.split(',').some(isDevelopmentKey)) {
    found.push('LINK_KEYS: this is a development or example key');
  }
  if (isExamplePassword(passwordOf(settings.DATABASE_URL))) {
    found.push('DATABASE_URL: its password is an example');
  }
  for (const name of ['SMARTHOST_URL', 'NOTIFY_SMTP_URL'] as const) {
    const password = parseRelay(settings[name] ?? '')?.password ?? '';
    if (isExamplePassword(password) || isExample(password)) {
      found.push(`${name}: its password is an example`);
    }
  }
  if (settings.WARMUP_SEED_MAILBOXES.some(({ host }) => NOBODYS_HOST.test(host))) {
    found.push("WARMUP_SEED_MAILBOXES: a stand-in's address is for development");
  }
  for (const vendor of Object.values(vendors).flatMap((port) => Object.values(port))) {
    for (const name of vendor.developmentSettings(environment)) {
      found.push(`${name}: a stand-in's address is for development`);
    }
    for (const name of vendor.variables) {
      if (!CREDENTIAL.test(name) || !isExample(environment[name] ?? '')) continue;
      found.push(`${name}: this is a stand-in's credential or an example`);
    }
  }
  return found;
}

/** Reserved hosts of examples and tests (RFC 2606), and the local machine. */
const NOBODYS_HOST = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)$/;
const OWN_ADDRESS = /^(0\.0\.0\.0|127\.[\d.]+|\[::1?\]|\[::ffff:7f[\da-f:]+\])$/;

/** Whether links in messages can resolve there, above all the unsubscribe link (RFC 8058). */
function isPublic(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/\.$/, '');
  return protocol === 'https:' && !NOBODYS_HOST.test(host) && !OWN_ADDRESS.test(host);
}

/** Variables of vendors that hold secrets. */
const CREDENTIAL = /_(TOKEN|KEY|SECRET)$/;

/** `entry` is `id:base64`, as the world in a box makes it or as copied from there. */
function isDevelopmentKey(entry: string): boolean {
  const [id = '', key = ''] = entry.trim().split(':');
  return id.startsWith('development') || (key !== '' && isWeakKey(key));
}

const passwordOf = (url: string): string => parseUrl(url)?.password ?? '';
