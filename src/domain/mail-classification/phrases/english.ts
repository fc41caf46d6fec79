/** English, as machines and people write it. */
import { englishPeople } from './english-people.ts';
import type { Phrases } from './phrases.ts';

export const english: Phrases = {
  isSpaced: true,
  subjects: [
    'auto(?:matic|mated)?[ -]?(?:re(?:ply|sponse|sponder)|answer)|autoreply|auto:',
    'out of (?:the )?office|ooo\\b|o\\.o\\.o|oof\\b',
    'away from (?:the |my )?(?:office|desk|mail|e-?mail)',
    "away (?:until|till|from|on|notice|message)|i am (?:away|out)|i'm (?:away|out)",
    'not in the office',
    '(?:currently )?on (?:vacation|holiday|annual leave|parental leave|' +
      'maternity leave|sick leave|leave\\b)',
    'vacation (?:re(?:ply|sponse)|notice|message|auto)',
    'holiday (?:notice|notification|closure)|office closed|we are closed|absence\\b',
    'no longer (?:with|at|working)|left the company|change of (?:e-?mail )?address',
    'acknowledge?ment of (?:receipt|your)',
  ],
  away: [
    "(?:i am|i'm|i will be|i'll be|we are|we're|we will be|we'll be|our office is|" +
      'our offices are|the office is|our team is|am|will be) (?:currently |presently |' +
      'now |temporarily |away and )*(?:out of (?:the |my |our )?(?:office|country|town)' +
      '|out on |away (?:from (?:the |my )?(?:office|desk|e-?mails?|mail|computer)|on |' +
      'until|till|for|at )|on (?:my |our |an? |paid |extended |annual |parental |' +
      'maternity |paternity |sick |medical |bereavement |summer |winter |christmas |' +
      'family )*(?:leave|vacation|holidays?|pto|sabbatical|business trip|break)\\b|' +
      'ooo\\b|closed (?:from|until|till|for|today|between|over|on)|' +
      'unavailable (?:until|from|to respond)|not (?:in|at) (?:the |my )?(?:office|desk)' +
      '\\b|travel(?:l)?ing (?:with|until|and (?:will )?ha|for|on)|offline (?:until|' +
      'from|this))',
    'out of (?:the )?office (?:until|till|from|through|today|and will|with)',
    '(?:currently|presently) (?:out of (?:the )?office|away|on (?:leave|vacation|' +
      'holiday)|travel(?:l)?ing with)',
    '(?:limited|no|little|intermittent|only occasional|sporadic) access to (?:my |' +
      'the |our )?(?:e-?mails?|mail|messages|internet|inbox|office|network|phone)',
    '(?:public|bank|national) holiday',
    'back (?:at (?:my|the) desk|at work|online|in (?:the )?office)\\b',
    "(?:i am|i'm|will be) (?:currently )?(?:attending|at) (?:an? |the )(?:\\w+ )" +
      '?(?:trade (?:fair|show)|fair|conference|event|congress|exhibition|offsite|' +
      'off-site|training)',
    '(?:work|working) part[ -]time',
    '(?:travel(?:l)?ing|away) with (?:no|limited|little) access',
    'not be (?:checking|reading|monitoring) (?:my )?(?:e-?mail|mail|messages|inbox)',
    'will (?:respond|reply|get back|answer|return)[^.!?]{0,40}(?:upon|on|when|once|' +
      "after) (?:my return|i return|i am back|i'm back|i get back|the holidays)",
    'upon my return|(?:our )?offices? (?:is|are|will be|remains?) closed',
    'closed for (?:the )?(?:holidays|christmas|new year|easter|summer|season)',
    'back in the office on',
    'your (?:e-?mail|message) (?:will|is) not (?:be )?(?:being )?(?:forwarded|read)',
    'during my absence|in my absence',
  ],
  left: [
    'no longer (?:works?|working|employed|with|part of|at|an employee)\\b~(?:company|' +
      'here|at(?!\\p{L})|for(?!\\p{L})|with|us\\b|team|organi[sz]ation|firm|business|' +
      'group|ltd(?!\\p{L})|inc(?!\\p{L})|gmbh|[.])',
    '(?:has|have) left (?:the |our |this )?(?:company|organi[sz]ation|firm|business|' +
      'team|employment)',
    'has left\\b~(?:direct|forward|send|address|contact|inc\\b|ltd\\b|gmbh|' + 'llc(?!\\p{L}))',
    'is no longer (?:with|at|employed|working|part of|in service)',
    '(?:has|is) (?:retired|moved on|departed) (?:from|as of|since|and)',
    'has moved on to|my last (?:working )?day (?:at|with|was)',
    '(?:have |has |\\b)retired (?:from|in|at)\\b',
    '(?:this|the) (?:e-?mail )?(?:mailbox|address|account|inbox) (?:is|has been|' +
      'will be) (?:no longer|not) (?:in use|monitored|active|used|valid|being|read|' +
      'checked|attended)',
    '(?:unmonitored|unattended|no-?reply) (?:mailbox|address|inbox|account|e-?mail)',
    '(?:mailbox|inbox|address|account) (?:is not monitored|is no longer|' +
      'has been (?:deactivated|disabled|closed))',
    'has (?:a new|changed (?:my|his|her|their)) e-?mail address',
    'my (?:e-?mail )?address has changed',
    '(?:please )?(?:update|use) (?:your records|my new (?:e-?mail|address))',
  ],
  received: [
    '(?:typical|average|usual|expected|normal|current) (?:reply|response|answer)' + ' times?',

    "we(?:'ve| have)? (?:successfully |now |just )?(?:received|got|logged|registered)" +
      ' your (?:e-?mail|message|request|inquiry|enquiry|query|submission|ticket|' +
      'application|feedback|support request)',
    'your (?:e-?mail|message|request|inquiry|enquiry|query|ticket|case|submission)' +
      '\\b~(?:has been|was(?!\\p{L})|is(?!\\p{L})) (?:successfully )?(?:received|' +
      'registered|logged|created|opened|assigned|queued|forwarded to (?:our|the)|' +
      'in (?:our|the) queue|closed|solved|resolved|marked)',
    '(?:ticket|case|request|reference) (?:number|no\\.?|id|#|reference|ref)~' +
      '(?:created|opened|received|assigned|registered|is\\b)',
    'your (?:ticket|case|reference|request|tracking) (?:number|id|no\\.?|reference|#)',
    '(?:a|new|support) (?:ticket|case) (?:has been|was) (?:created|opened|raised|' + 'logged)',
    '(?:(?:one|a member) of our|our|the) (?:support |customer |sales |service )' +
      '*(?:team|agents?|representatives?|staff|specialists?|colleagues?|experts?|' +
      'advisors?)\\b~(?:will|shall|aims? to|endeavou?rs? to) (?:get back|respond|reply|' +
      'contact|be in touch|review|look into|answer|attend)',
    "we (?:will|'ll|aim to|endeavou?r to|try to|usually|typically|normally|strive to)" +
      ' (?:get back|respond|reply|be in touch|contact you|answer)~(?:as soon as|' +
      'shortly|within|soon|hours?|business|working|possible|promptly)',
    'thank(?:s| you) for (?:contacting|reaching out to|getting in touch with|' +
      'e-?mailing|writing to) (?:us|our|the|[a-z0-9.&]+ (?:support|sales|team|customer|' +
      'ltd|gmbh|inc|help))',
    'thank(?:s| you) for your (?:e-?mail|message|inquiry|enquiry)[.!,]? (?:we|it|' +
      "your|this|a member|our) (?:will|has|have|'ll|received|is|team|aim)",
    'due to (?:the |a |an )?(?:current(?:ly)? )?(?:very |unusually )?(?:high|large|' +
      'increased) (?:volume|number|amount)',
    "verify (?:that )?you(?:'re| are) (?:a )?(?:real|human|not a)",
    "(?:confirm|prove) (?:that )?you(?:'re| are) (?:a )?(?:human|person|real)",
    'to (?:deliver|release) your (?:message|e-?mail)~(?:click|visit|confirm|reply)',
    '(?:message|e-?mail) (?:is|has been) (?:being )?(?:held|quarantined)',
    'awaiting (?:your )?(?:verification|confirmation)|approved senders?',
    '(?:how would you )?rate (?:the|our|your) (?:support|service|experience)',
    'type your reply above this line',
    'we consider (?:this|your) (?:ticket|case|request) (?:closed|solved|resolved)',
  ],
  automatic: [
    '(?:this is an|an) auto(?:matic(?:ally)?|mated)(?:[ -]generated)? (?:reply|' +
      'response|message|e-?mail|acknowledge?ment|confirmation|notification)',
    '(?:this|an) (?:e-?mail|message|reply|response) (?:was|has been|is) (?:being )' +
      '?(?:sent |generated |created )?automatically',
    'auto-?(?:generated|reply|response) (?:message|e-?mail)',
    'do not (?:reply|respond) (?:directly )?to this (?:automated )?(?:e-?mail|' + 'message)',
    'replies to this (?:e-?mail|message|address) (?:are|will) not',
  ],
  stop: [
    'stop(?: it| now| this| that| please| all| immediately| e-?mailing(?: me| us)?|' +
      ' sending(?: me| us)?| these| them| e-?mails?| messages| spam(?:ming)?(?: me| us)' +
      '?| contacting(?: me| us)?)*',
    '(?:e-?mail )?unsubscribe(?: me| us| now| please| all| this address)*',
    'remove(?: me| us| my e-?mail| my address| now| from list| from (?:your |this |' +
      'the )?(?:mailing )?list)*',
    'opt(?:ing)?[ -]?(?:me )?out(?: of this)?|take me off',
    'delete(?: me| us| my data| my (?:e-?mail|address))',
    'no more(?: please| e-?mails?| mails?| messages)*|leave (?:me|us) alone|end|quit',
    'cancel|cease and desist|f(?:uc|\\*+)k off|go away',
    '(?:no,? )?not interested,? (?:please )?(?:stop|remove(?: me)?|unsubscribe)',
    'take (?:me|us) off(?: (?:your |this |the )?(?:mailing )?list)?',
  ],
  ...englishPeople,
  polite: [
    'no,?(?: thanks?(?: you)?)?|not interested|no interest|sorry',
    '(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings)' +
      '(?: (?:there|all|team|sir|madam|sirs?|or|\\w+)){0,3}',
    'please|kindly|pls|plz',
    'thanks?(?: you)?(?: (?:in advance|very much|so much|a lot))?|many thanks|ty',
    'cheers|(?:kind |best |warm )?regards|best|sincerely|now|immediately|asap|at once',
  ],
  urgent: [
    'urgent|emergenc|immediate (?:assistance|attention|help|support)|in (?:the )?case',
    'if you (?:need|require|have|want|would like)|should you|if (?:it|this|your)',
    'time[ -]sensitive|critical|need help',
    'for (?:any|all|general|other|sales|support|questions|assistance|immediate|more)',
    'meantime|meanwhile|in my absence|during (?:my|this)|rate (?:the|our|your)',
    'satisfied|help cent|how (?:can|may) we help|frequently asked|faq',
  ],
};
