/**
 * What the large providers say when they refuse, each with where it is published, and whom it speaks of: the same in
 * the talk and in a report. docs/sending-rules.md#which-refusals-suppress.
 */
import { describe, expect, it } from 'vitest';
import { blameOf } from '../../src/domain/inbox/mail-classification/blame.ts';
import { refusalOf, type Refusal } from '../../src/domain/sending/smtp-refusals.ts';

const GOOGLE = 'support.google.com/a/answer/3726730';
const MICROSOFT =
  'learn.microsoft.com/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online';
const YAHOO = 'senders.yahooinc.com/smtp-error-codes';
const MIMECAST = 'mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691';
const BARRACUDA = 'smtp.codes/barracuda';
const PROOFPOINT = 'smtp.codes/proofpoint';
const APPLE = 'support.apple.com/102322';
const GMX = 'postmaster.gmx.net/en/error-messages';
const YANDEX = 'yandex.com/support/mail/bounces';
const MAIL_RU = 'mailout.ru/2015/09';
const QQ = 'smtp.codes/qq';
const NETEASE = 'mail.163.com: codes of returned mail';
const FRENCH = 'Orange and La Poste: codes of one mail system, behind OFR and LPN';
const HOSTS = 'Courier, Exim, qmail: texts in use';

const SAID: Partial<Record<Refusal, [source: string, reply: string][]>> = {
  later: [
    [
      GOOGLE,
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550-5.2.1 prevents additional messages from being delivered. For more information, please\n550 5.2.1 visit https://support.google.com/mail/?p=ReceivingRatePerm - gsmtp',
    ],
    [
      GOOGLE,
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
    ],
    [GOOGLE, '550 5.2.1 The user you are trying to contact is receiving mail too quickly.'],
    [
      'Gmail as of 2008: the sentence goes over its lines',
      '550-5.2.1 The Gmail user you are trying to contact is receiving\n550-5.2.1 mail at a rate that prevents additional messages from\n550 5.2.1 being delivered.',
    ],
    [HOSTS, '554 Cannot process this message, please try again later'],
    [
      GOOGLE,
      'smtp; 552-5.2.2 The email account that you tried to reach is over quota and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp',
    ],
    [GOOGLE, "552 5.2.2 The recipient's inbox is out of storage space."],
    [
      MICROSOFT,
      '550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
    ],
    [MICROSOFT, '550 5.2.121 SmtpRcptRateLimit; RecipientHourlyLimitPerSender'],
    [
      MICROSOFT,
      "550 5.2.121 The recipient's per hour message receive limit from this sender was exceeded.",
    ],
    [
      MICROSOFT,
      '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException; Failed to process message due to a permanent exception',
    ],
    [YAHOO, '450 User is receiving mail too quickly'],
    [YAHOO, '552 5.2.2 Mailbox full (over quota)'],
    [APPLE, '552 5.2.2 User is over quota (in reply to RCPT TO command)'],
    [
      YANDEX,
      '554 5.7.1 The recipient has exceeded their message rate limit. Try again later. https://ya.cc/x',
    ],
    [YANDEX, '550 5.7.1 Sorry, the service is currently unavailable. Please come back later'],
    [
      MAIL_RU,
      '550 Message was not accepted -- invalid mailbox. Local mailbox a@mail.ru is unavailable: user is over quota',
    ],
    [MAIL_RU, '550 User quota exceeded'],
    [QQ, '550 Mailbox unavailable or access denied https://service.mail.qq.com/detail/0/92'],
    [QQ, '550 Sender frequency limited. http://service.mail.qq.com/cgi-bin/help?no=1000723'],
    [QQ, '550 Domain frequency limited'],
    [QQ, '550 Connection frequency limited'],
    [GMX, '550-Requested action not taken: mailbox unavailable\n550 Rate limit reached'],
    ['smtp.codes/rackspace', '550 5.2.1 Mailbox received too much email in a short period of time'],
    [FRENCH, '552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]'],
    [HOSTS, '550 5.2.0 Mailbox temporarily disabled, try again later'],
    [HOSTS, '550 User mailbox exceeds allowed size'],
    [HOSTS, '552 Mailbox limit exeeded for this email address'],
    [HOSTS, '552 Requested mailbox exceeds quota.'],
    [HOSTS, '550 account is over the allowed size'],
    [HOSTS, '552 No space left on device'],
  ],
  policy: [
    [GOOGLE, '552 5.7.0 This message was blocked because its content presents a security issue.'],
    [
      MICROSOFT,
      '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception with message WASCL UserAction verdict is not None.',
    ],
    [MICROSOFT, '550 OU-002 (COL004) Mail rejected by Windows Live Hotmail for policy reasons'],
    [YAHOO, '554 Message not allowed - Headers are not RFC compliant[291]'],
    [YAHOO, '554 5.7.9 Message not accepted for policy reasons'],
    [MIMECAST, '554 Host network not allowed'],
    [MIMECAST, '550 Rejected by header based Anti-Spoofing policy: a@b.test'],
    [MIMECAST, '550 Envelope blocked - User Entry'],
    [BARRACUDA, '550 Blocked'],
    [BARRACUDA, '550 rejecting spoofed message'],
    [BARRACUDA, '550 permanent failure for one or more recipients (a@b.test:blocked)'],
    [PROOFPOINT, '554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1'],
    [APPLE, '554 5.7.1 [HM08] Message rejected due to local policy.'],
    [GMX, '554-No SMTP service\n554-Bad DNS PTR resource record.'],
    [
      GMX,
      '550-Requested action not taken: mailbox unavailable\n550 Sender address is not allowed.',
    ],
    [GMX, '550-Requested action not taken: mailbox unavailable\n550 Reject due to SPF policy.'],
    [
      GMX,
      '550-Requested action not taken: mailbox unavailable\n550 invalid DNS MX or A/AAAA resource record',
    ],
    [GMX, '550 Dialup IP not allowed'],
    [YANDEX, '554 5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.cc/1IrBc'],
    [MAIL_RU, '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=x'],
    [
      MAIL_RU,
      '550 Sorry, we do not accept mail from hosts with dynamic IP or generic DNS PTR-records',
    ],
    [MAIL_RU, '550 Access from ip address 192.0.2.1 blocked.'],
    [QQ, '550 Mail is rejected by recipients http://service.mail.qq.com/cgi-bin/help?no=1000724'],
    [QQ, '550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?no=1000726'],
    [QQ, '550 Suspected bounce attacks'],
    [QQ, '550 Connection denied'],
    [QQ, '550 DMARC check failed'],
    [FRENCH, '550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]'],
    [FRENCH, '550 5.2.0 Mail rejete. Mail rejected. ofr_513 [513]'],
    [
      FRENCH,
      '550 5.5.0 Service refuse. Veuillez essayer plus tard. service refused, please try later. LPN007_510',
    ],
    [
      FRENCH,
      '550 5.5.0 Adresse IP source bloquee pour incident de spam. Client host blocked for spamming issues. OFR006_102 [102]',
    ],
    [FRENCH, '550 5.5.0 SPF: 192.0.2.1 is not allowed to send mail. LPN004_401'],
    [MICROSOFT, '550 SC-001 (BAY004-MC2F8) Unfortunately, messages from 192.0.2.1 weren’t sent'],
    [NETEASE, '554 DT:SPM 163 mx5,xx'],
    [NETEASE, '550 MI:SPB 163 mx12'],
    [HOSTS, '554 Transaction failed : Cannot send message due to possible abuse'],
    [HOSTS, '550 Access denied - contact your postmaster'],
  ],
  sender: [
    [GOOGLE, '550 5.4.5 Daily user sending limit exceeded. For more information on sending limits'],
    [
      MICROSOFT,
      "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    ],
    [
      MICROSOFT,
      '550 5.7.1 Unfortunately, messages from [192.0.2.1] weren’t sent. Please contact your Internet service provider since part of their network is on our block list (S3150).',
    ],
    [
      GMX,
      '554-gmx.net (mxgmx104) Nemesis ESMTP Service not available\n554-IP address is block listed.',
    ],
    [MAIL_RU, '550 message sending for this account is disabled'],
  ],
  message: [
    [GOOGLE, '552 5.3.4 Your message exceeded our message size limits.'],
    // Recipients that take no mail from outside, or from few.
    [
      MICROSOFT,
      '550 5.7.124 Sender not in allowed-senders list; RESOLVER.RST.NotAuthorized; not authorized',
    ],
    [MICROSOFT, '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required'],
    [
      MICROSOFT,
      '550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required',
    ],
    [
      MICROSOFT,
      '550 5.7.136 RESOLVER.RST.SenderNotAuthenticatedForMailUser; authentication required',
    ],
    [MICROSOFT, '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
    [MICROSOFT, '550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized'],
    [MICROSOFT, '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
    [
      GMX,
      '552-Requested mail action aborted: exceeded storage allocation\n552-Message exceeds size limit.',
    ],
    [
      FRENCH,
      '552 5.2.0 Taille limite du message atteinte. Maximum size of the message reached. OFR_514 [514]',
    ],
    [HOSTS, '554 Message refused'],
    [HOSTS, '554 Transaction failed'],
  ],
  recipient: [
    [GOOGLE, '550 5.2.1 The email account that you tried to reach is inactive.'],
    [GOOGLE, '550-5.1.1 The email account that you tried to reach does not exist.'],
    [MICROSOFT, '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)'],
    [MICROSOFT, '550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup'],
    [YAHOO, "554 delivery error: dd This user doesn't have a yahoo.com account (a@yahoo.com) [0]"],
    [
      YAHOO,
      '554 30 Sorry, your message to a@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
    ],
    [
      BARRACUDA,
      '550 permanent failure for one or more recipients (a@b.test:550 5.1.1 User unknown)',
    ],
    [APPLE, '550 5.1.6 recipient no longer on server: a@icloud.com'],
    [
      FRENCH,
      '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
    ],
    [FRENCH, '550 5.1.1 Boite du destinataire archivee. Archived recipient. LPN007_420 [420]'],
    [YANDEX, '550 5.7.1 No such user!'],
    [
      MAIL_RU,
      '550 Message was not accepted -- invalid mailbox. Local mailbox a@mail.ru is unavailable: user not found',
    ],
    [HOSTS, '550 No such user here. Check the address and try again later'],
    [HOSTS, '550 5.2.1 The mailbox does not exist, do not send again later'],
    [QQ, '550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?no=1000728'],
    [
      HOSTS,
      '554 5.7.1 <a@b.test>: Recipient address rejected: User unknown in relay recipient table',
    ],
    [GMX, '550-Requested action not taken: mailbox unavailable\n550 For explanation visit'],
  ],
};

describe.each(Object.entries(SAID))('is taken for %s', (refusal, said) => {
  it.each(said)('%s: %s', (_source, reply) => {
    expect(refusalOf(reply)).toBe(refusal);
    const status = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0] ?? '5.0.0';
    const inReport = reply.replaceAll('\n', ' ');
    expect(blameOf(status, `smtp; ${inReport}`).refusal).toBe(refusal);
    expect(blameOf(undefined, inReport).refusal).toBe(refusal);
  });
});

describe('a report that gives no reason', () => {
  it.each([
    ['5.0.0', ''],
    [undefined, ''],
    ['5.0.0', 'smtp; 550 Benutzer hier unbekannt'],
    ['5.0.0', 'smtp; 550 Requested action not taken'],
  ])('blames the address, which would be written to for ever: %s %s', (status, words) => {
    expect(blameOf(status, words).refusal).toBe('recipient');
  });

  it('with a status that is about no address blames the message', () => {
    expect(blameOf('5.6.0', 'smtp; 550 5.6.0 Lone CR or LF').refusal).toBe('message');
  });
});
