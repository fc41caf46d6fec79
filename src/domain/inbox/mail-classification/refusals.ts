/** Bounces without a report: texts for people in which a mail host reports a failed delivery. */
import { blameOf } from './blame.ts';
import { firstMessageId, originalMessage } from './fields.ts';
import type { MessageFacts, MessageView } from './message.ts';

/** Senders of such bounces. */
const DAEMON =
  /^(?:mailer-?daemon|postmaster|mail-?daemon|mdaemon|mail\.?delivery|maildelivery|bounces?|microsoftexchange[0-9a-f]+|delivery|mmdf|no-?reply-?(?:mailer|delivery))$/i;
const DAEMON_NAME =
  /mail(?:er)?[ -]?(?:delivery|daemon)|delivery (?:subsystem|system|status|service)|mail administrator|postmaster/i;

/** Their subjects. */
const SUBJECTS = [
  /undeliver(?:ed|able)|unzustellbar|nicht zustellbar|non remis|non distribué|no se (?:ha )?(?:pudo|podido) entregar|no (?:ha sido |fue )?entregado|no se puede entregar|mancata consegna|impossibile recapitare|não (?:foi )?entregue|onbestelbaar|kunde inte levereras|går inte att leverera|kan ikke leveres|niet (?:worden )?(?:afgeleverd|bezorgd)|niedostarczon|nie dostarczono|nie można dostarczyć/iu,
  /deliver(?:y|ing).{0,20}(?:fail|problem|error|status|delay|notification|impossible)|(?:failure|failed|error|problem).{0,20}deliver|returned (?:mail|to sender)|mail (?:delivery )?fail|could not (?:be )?(?:send|sent|deliver)|failure notice|permanent (?:fatal )?error|message not (?:sent|delivered)|rejected:/i,
  /zustell(?:ung|fehler|problem)|échec (?:de (?:la )?|d['’])?(?:remise|envoi|distribution|livraison)|error (?:de|en la) entrega|fallo (?:de|en la) entrega|falha na entrega|fout bij (?:het )?(?:afleveren|bezorgen)|błąd dostarcz/iu,
  /недоставлен|не (?:было |был |была |удалось |может быть )?доставлен|не удалось доставить|ошибка доставки|возврат (?:письма|почты)|не доставлено|не вдалося доставити|недоставлен|помилка доставки|退信|[无無]法(?:送[达達]|投[递遞]|[传傳]送)|未(?:能)?(?:送[达達]|投[递遞])|投[递遞]失[败敗]|未傳遞|系统退信|配信不能|配達不能|送信(?:エラー|できません|失敗)|配信(?:エラー|できません|失敗)|未配信|エラーメール|kézbesíthetetlen|nem (?:kézbesíthető|sikerült kézbesíteni)|sikertelen kézbesítés|nelivrat|nu (?:a putut|poate) fi (?:livrat|trimis)|imposibil de livrat|livrare eșuată|αδυναμία παράδοσης|μη παραδοτέο|δεν παραδόθηκε|αποτυχία παράδοσης|לא ניתן למסור|לא נמסר|כשל (?:ב)?מסירה|تعذر (?:ال)?تسليم|لم يتم تسليم|غير قابل للتسليم|فشل (?:ال)?تسليم|teslim edilemedi|iletilemedi|gönderilemedi|teslim(?:at)? (?:hatası|başarısız)/iu,
  /nicht zugestellt|n['’]a pas pu être (?:remis|distribué|délivré)|no (?:pudo|ha podido) (?:ser )?entreg|non (?:è stato|può essere) (?:recapitat|consegnat)|kon niet worden (?:bezorgd|afgeleverd)|nie (?:została|mogła zostać) dostarczon|não pôde ser entregue/iu,
  /warning: (?:could not send|message)|delayed|verzögert|retard|retrasad|ritardat|atrasad|vertraagd|opóźnion/iu,
];

/** Their texts. */
const FAILED =
  /(?:could not|couldn['’]t|cannot|can['’]t|was not|wasn['’]t|unable to)(?: be)? ?(?:deliver|send|sent|find|reach)|(?:address|user|recipient|mailbox|account)\b.{0,40}(?:not found|unknown|rejected|does ?n[o']t exist|unavailable|disabled|is full|full|over quota|inactive|suspended)|no such (?:user|mailbox|recipient|person)|undeliverable|delivery.{0,30}failed|permanent (?:fatal )?error|this is a permanent error|unroutable|relay(?:ing)? (?:access )?denied|konnte nicht zugestellt|nicht zugestellt werden|n['’]a pas pu être (?:remis|distribué|livré)|no (?:se )?(?:pudo|ha podido)(?: ser)? entrega|no (?:ha sido|fue) entregado|non è stato possibile (?:recapitare|consegnare)|não pôde ser entregue|não foi (?:possível entregar|entregue)|kon niet worden (?:afgeleverd|bezorgd)|nie (?:mogła|mógł|może|można).{0,30}dostarcz|nie zosta(?:ła|ł) dostarczon|не (?:было |был |может быть |удалось )?доставлен|не удалось доставить|не вдалося доставити|не доставлен|无法(?:送达|投递)|退回|退信|無法(?:傳遞|送達)|配信(?:できません|されません)|配達できません|送信できません|nem (?:kézbesíthető|sikerült kézbesíteni)|nu (?:a putut|poate) fi (?:livrat|trimis)|δεν (?:ήταν δυνατή η παράδοση|παραδόθηκε)|לא ניתן היה למסור|לא נמסרה|تعذر تسليم|لم يتم تسليم|teslim edilemedi|iletilemedi|(?:has been|was) (?:rejected|refused|blocked)|a été (?:refusé|rejeté|bloqué)|wurde (?:abgelehnt|zurückgewiesen|abgewiesen)|(?:ha|fue) (?:sido )?rechazado|è stat[oa] (?:rifiutat|respint)|foi (?:rejeitad|recusad)|geweigerd|został[ao]? odrzucon|отклонен[оа]?|відхилен[оа]?/iu;
const DELAYED =
  /(?:has been|was|is|been|still) delayed|delay(?:ed)? (?:mail|notification)|\(delay\)|warning message only|do(?:es)? not need to resend|will (?:keep|continue|be retr|retry)|still (?:being retried|trying)|not yet been delivered|wird weiter(?:hin)? versucht|verzögert|sera (?:re)?tenté|retardée?|se seguirá intentando|retrasad[oa]|continuer[àa] a tentare|ritardo|continuará tentando|atraso|blijven proberen|vertraagd|opóźnion|będzie ponawian/iu;

const ENHANCED = /\b([45])\.\d{1,3}\.\d{1,3}\b/;
/** `550 No such user`, `SMTP error 550`, `said: 450-4.2.1`. */
const SMTP_REPLY = /(?:^|[\s:;("'<[])([45])\d\d(?=[\s:;,.)"'\]-])(?=[\s-]+\D|[:;,.)"'\]]|\s*$)/m;

const MAX_CHARS = 8_000;

/** Undefined for what is no bounce. */
export function readRefusal(message: MessageView): MessageFacts | undefined {
  const { headers, subject } = message;
  const failed = addressesIn(headers.get('x-failed-recipients') ?? '');
  if (failed.length === 0 && !isFromDaemon(message) && !isHostsWords(message)) return undefined;
  const text = message.text.slice(0, MAX_CHARS);
  const says = SUBJECTS.some((pattern) => pattern.test(subject));
  if (failed.length === 0 && !says && !FAILED.test(text) && !DELAYED.test(text)) return undefined;
  const head = aboveOriginal(text);
  const isDelayed = DELAYED.test(subject) || (DELAYED.test(head) && !isForGood(head));
  const status = statusIn(head);
  const recipient = failed[0] ?? addressesIn(head).find((each) => !isOurs(each, message));
  const originalMessageId = originalId(message, text) ?? ownId(message, text);
  const isPermanent = !isDelayed && status?.startsWith('4') !== true;
  return {
    action: isDelayed ? 'delayed' : 'failed',
    isPermanent,
    ...(isPermanent && blameOf(status, head)),
    ...(status !== undefined && { status }),
    ...(recipient !== undefined && { recipient }),
    ...(originalMessageId !== undefined && { originalMessageId }),
  };
}

/** A person may be called postmaster: then the text decides. */
function isFromDaemon({ fromAddress, fromName, headers }: MessageView): boolean {
  const local = fromAddress.slice(0, fromAddress.indexOf('@'));
  if (fromAddress === '' || DAEMON.test(local)) return true;
  if (DAEMON_NAME.test(fromName)) return true;
  // RFC 5321, 4.5.5: reports have the null sender; so have some automatic answers.
  const returnPath = headers.get('return-path')?.trim();
  return returnPath === '<>' && /^(?:no-?reply|system|admin|mail|server)/i.test(local);
}

/**
 * Another sender name on a text that only hosts write: a refusal with its codes, which answers no message.
 */
const isHostsWords = ({ headers, subject, text }: MessageView): boolean =>
  !headers.has('in-reply-to') &&
  !/^\s*(?:re|aw|fwd?|wg|tr|sv)\s*:/i.test(subject) &&
  SUBJECTS.slice(0, -1).some((pattern) => pattern.test(subject)) &&
  FAILED.test(text.slice(0, MAX_CHARS)) &&
  statusIn(text.slice(0, MAX_CHARS)) !== undefined;

const isForGood = (text: string): boolean =>
  /permanent|giving up|given up|endgültig|définitive|definitiv|trwał|no longer be retried/iu.test(
    text,
  );

const ORIGINAL = /original|copy of|returned message|body of|ursprüng|message d'origine/iu;
const COPY = /below this line is a copy/i;

/** The host's own words, above the message that it returns. */
function aboveOriginal(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => {
    const dashes = line.indexOf('--');
    return (dashes >= 0 && ORIGINAL.test(line.slice(dashes + 2))) || COPY.test(line);
  });
  return at < 0 ? text : lines.slice(0, at).join('\n');
}

function statusIn(text: string): string | undefined {
  const enhanced = ENHANCED.exec(text)?.[0];
  const smtp = SMTP_REPLY.exec(text)?.[1];
  return enhanced ?? (smtp && `${smtp}.0.0`);
}

/** From the first of such characters on: begun at each of them, a long word without @ takes n² steps. */
const ADDRESS = /(?<![\w.!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/gu;

const addressesIn = (text: string): string[] =>
  [...text.matchAll(ADDRESS)].map(([address]) => address.replace(/^mailto:/i, '').toLowerCase());

const isOurs = (address: string, { ownAddresses, fromAddress }: MessageView): boolean =>
  ownAddresses.has(address) ||
  ownAddresses.has(address.replace(/\+[^@]*@/, '@')) ||
  address === fromAddress ||
  DAEMON.test(address.slice(0, address.indexOf('@')));

/** `Identifiant : <...>`: a Message-ID of ours has the domain of one of our addresses. */
const ownId = ({ ownAddresses }: MessageView, text: string): string | undefined => {
  const domains = new Set(Array.from(ownAddresses, (own) => own.slice(own.indexOf('@') + 1)));
  const found = [...text.matchAll(/<([^<>\s@]+@([^<>\s@]+))>/g)].find(
    ([, address, domain]) =>
      domains.has(domain!.toLowerCase()) && !ownAddresses.has(address!.toLowerCase()),
  );
  return found?.[0];
};

function originalId({ parts, headers }: MessageView, text: string): string | undefined {
  const quoted = /^[> \t|]*message-id:\s*(<[^<>\s]+>)/im.exec(text)?.[1];
  return (
    firstMessageId(originalMessage(parts).get('message-id')) ??
    quoted ??
    firstMessageId(headers.get('in-reply-to')) ??
    firstMessageId(headers.get('references'))
  );
}
