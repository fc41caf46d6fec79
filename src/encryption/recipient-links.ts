/** Links in messages: opaque, unforgeable tokens, the same at every attempt. Choice 55. */
import { createCipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { parseKeyRing } from './cipher.ts';
import {
  PREVIEW_TOKEN,
  type RecipientLink,
  type RecipientLinkKind,
  type RecipientLinks,
} from '../domain/sending/recipient-links.ts';
import { parseUrl } from '../domain/url.ts';

/**
 * Layout: tag (16) | encrypted content: kind (1), id of the send (6), id of the entry that it lifts (6, `resubscribe`
 * alone), target of a click or language of the pages, which has none for English. The tag is
 * an HMAC of the content and the nonce of its encryption at once (as in SIV, RFC 5297): equal
 * content gives equal tokens, and nothing of it can be read or changed.
 */
const TAG_BYTES = 16;
const ID_BYTES = 6;
const HEAD_BYTES = 1 + ID_BYTES;

/** A new one comes last: its number is in the tokens. */
const KINDS: readonly RecipientLinkKind[] = ['unsubscribe', 'open', 'click', 'resubscribe'];

/** Mail programs truncate longer links; this limits the target of a click. */
const MAX_TOKEN_LENGTH = 2_048;

/** The installation's own name: its tokens are those of before there were others. */
const OWN = '';

interface LinkKeys {
  tag: Buffer;
  content: Buffer;
  message: Buffer;
}

/**
 * `keys` as in ENCRYPTION_KEYS: the first makes tokens, all of them read, and so do `oldKeys`: messages stay
 * in inboxes for years, and a key that is in neither ends the links that were made with it.
 */
export function createRecipientLinks(options: {
  publicUrl: string;
  keys: string;
  oldKeys?: string | undefined;
}): RecipientLinks {
  const old = parseKeyRing(options.oldKeys ?? '', 'LINK_KEYS');
  const ring = [...parseKeyRing(options.keys).values(), ...old.values()].map(derive);
  const [current] = ring;
  if (!current) throw new Error('ENCRYPTION_KEYS: at least one key is needed');
  const make = (link: RecipientLink, host: string): string => {
    const token = write(current, contentOf(link), host);
    if (token.length > MAX_TOKEN_LENGTH) throw new Error('The target is too long for a link');
    return token;
  };
  const unsubscribe = (sendId: number, language = 'en') =>
    ({ kind: 'unsubscribe', sendId, language }) as const;
  const linksAt = (base: string, host: string): RecipientLinks => ({
    at: (origin) => (origin === undefined ? links : linksAt(origin, new URL(origin).hostname)),
    unsubscribeUrl: (sendId, language) => `${base}/u/${make(unsubscribe(sendId, language), host)}`,
    unsubscribeToken: (sendId, language) => make(unsubscribe(sendId, language), OWN),
    resubscribeToken: (sendId, suppressionId, language = 'en') =>
      make({ kind: 'resubscribe', sendId, suppressionId, language }, OWN),
    openUrl: (sendId) => `${base}/t/${make({ kind: 'open', sendId }, host)}`,
    clickUrl: (sendId, targetUrl) => {
      const target = webAddress(targetUrl);
      if (target === undefined) throw new Error('A link leads to an http or https address');
      return `${base}/t/${make({ kind: 'click', sendId, target }, host)}`;
    },
    messageTag: (sendId) => messageTag(current, sendId),
    isMessageTag: (sendId, tag) =>
      ring.some((keys) => isEqual(Buffer.from(messageTag(keys, sendId)), Buffer.from(tag))),
    read: (token) => read(token, host),
    ownToken: (token, madeFor) => {
      if (token === PREVIEW_TOKEN || read(token, OWN)?.kind === 'resubscribe') return token;
      const link = read(token, madeFor);
      return link && make(link, OWN);
    },
  });
  const read = (token: string, host: string): RecipientLink | undefined => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const sealed = Buffer.from(token, 'base64url');
    // Only the canonical spelling: the last character has unused bits.
    if (sealed.length < TAG_BYTES + HEAD_BYTES || sealed.toString('base64url') !== token) {
      return undefined;
    }
    for (const keys of ring) {
      const content = open(keys, sealed, host);
      if (content) return linkOf(content);
    }
    return undefined;
  };
  const links = linksAt(options.publicUrl.replace(/\/+$/, ''), OWN);
  return links;
}

/** Separate keys for each purpose: a token is not valid elsewhere, nor is any other ciphertext valid here. */
function derive(key: Buffer): LinkKeys {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `outreach recipient links: ${purpose}`, 32));
  return { tag: keyFor('tag'), content: keyFor('content'), message: keyFor('letter') };
}

/** 40 bits: each guess costs an attacker a message. Lower case, since addresses are case-folded. */
function messageTag(keys: LinkKeys, sendId: number): string {
  const bytes = createHmac('sha256', keys.message).update(String(sendId)).digest().subarray(0, 5);
  return bytes.readUIntBE(0, 5).toString(32).padStart(8, '0');
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function write(keys: LinkKeys, content: Buffer, host: string): string {
  const tag = tagOf(keys, content, host);
  return Buffer.concat([tag, encrypted(keys, tag, content)]).toString('base64url');
}

function open(keys: LinkKeys, sealed: Buffer, host: string): Buffer | undefined {
  const tag = sealed.subarray(0, TAG_BYTES);
  const content = encrypted(keys, tag, sealed.subarray(TAG_BYTES));
  return timingSafeEqual(tagOf(keys, content, host), tag) ? content : undefined;
}

/** A token is good on the host that it was made for. */
const tagOf = (keys: LinkKeys, content: Buffer, host: string): Buffer =>
  createHmac('sha256', keys.tag)
    .update(host === OWN ? '' : createHash('sha256').update(host).digest())
    .update(content)
    .digest()
    .subarray(0, TAG_BYTES);

/** Its own inverse. */
const encrypted = (keys: LinkKeys, nonce: Buffer, text: Buffer): Buffer =>
  createCipheriv('aes-256-ctr', keys.content, nonce).update(text);

function contentOf(link: RecipientLink): Buffer {
  const { kind, sendId, suppressionId, target = '', language = 'en' } = link;
  const head = Buffer.alloc(suppressionId === undefined ? HEAD_BYTES : HEAD_BYTES + ID_BYTES);
  head.writeUInt8(KINDS.indexOf(kind));
  head.writeUIntBE(sendId, 1, ID_BYTES);
  if (suppressionId !== undefined) head.writeUIntBE(suppressionId, HEAD_BYTES, ID_BYTES);
  return Buffer.concat([head, Buffer.from(target || (language === 'en' ? '' : language))]);
}

function linkOf(content: Buffer): RecipientLink | undefined {
  const kind = KINDS[content.readUInt8()];
  const sendId = content.readUIntBE(1, ID_BYTES);
  if (kind === undefined) return undefined;
  if (kind === 'resubscribe') return resubscriptionOf(content, sendId);
  const target = content.toString('utf8', HEAD_BYTES);
  if (kind === 'click') return { kind, sendId, target };
  return { kind, sendId, ...(target !== '' && { language: target }) };
}

function resubscriptionOf(content: Buffer, sendId: number): RecipientLink | undefined {
  if (content.length < HEAD_BYTES + ID_BYTES) return undefined;
  const suppressionId = content.readUIntBE(HEAD_BYTES, ID_BYTES);
  const language = content.toString('utf8', HEAD_BYTES + ID_BYTES);
  return { kind: 'resubscribe', sendId, suppressionId, ...(language !== '' && { language }) };
}

/** As sent in `Location`: ASCII only, never `javascript:` or another scheme. */
function webAddress(text: string): string | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
