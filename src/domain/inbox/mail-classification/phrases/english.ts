/** English, as machines and people write it. */
import { englishPeople } from './english-people.ts';
import type { Phrases } from './phrases.ts';

export const english: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:re: ?)?away\\b(?! (?:game|day|match))',
    '(?:on )?(?:annual leave|vacation|holiday)\\b[^?]{0,20}$',
    '(?:thank you|thanks) for (?:contacting|reaching out to|getting in touch|writing to)\\b',
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
    "off[- ](?:the )?grid\\b~(?:until|till|through|for)|(?:i'm|i am|we're|we are) (?:\\S+ ){1,6}(?:until|till|through) (?:the )?\\d",
    "(?:i've|i have|we've|we have|has) gone (?:on (?:\\p{L}+ ){0,2}(?:leave|sabbatical|holiday|vacation)|away|off (?:on|to))(?!\\p{L})|my (?:inbox|e-?mails?|mail|messages|calls|desk|accounts) (?:is|are) being (?:watched|monitored|looked after|read|handled|dealt with|forwarded|covered|minded)|if you(?:'re| are) reading this,? (?:i'm|i am|we're|we are|then)|(?:messages|mails?|e-?mails?)~(?:get|gets|will be|are|is) (?:read|answered|opened|looked at)~(?:when|once|after|as soon)",
    '(?<!(?:get|getting|come|call|write|check|circle|go|report|ring|got|came|reach|try|touch) )back (?:in|within) (?:a|one|two|three|four|\\d+) (?:days?|weeks?|months?|fortnight)(?!\\p{L})(?! to)',
    "(?:on|am on) (?:a )?secondment(?!\\p{L})~|(?:doing|having|holding|in the middle of)~(?:stock-?tak\\p{L}*|inventory|audit|move|relocation)~(?:back|closed|until|from)|we(?:'ll| will) be back (?:with you |at work |here )*(?:from|on|after|in)(?!\\p{L})",
    '^(?:\\S+ ){0,2}(?:annual leave|vacation|holidays?|leave)(?:[!.:]| \\d| from| until| till)|(?:mail|e-?mails|messages) (?:will|can|are|is) ?not (?:be )?(?:being )?(?:read|answered|forwarded)|your (?:mail|e-?mail|message) is waiting',
    '^(?:\\S+ )?on (?:\\S+ )?leave (?:till|until|from|this|for)|(?:without|no|zero|patchy|little|poor|hardly any) (?:phone )?(?:reception|signal|internet|wi-?fi|coverage|connection)(?!\\p{L})~(?:until|till|here|there|for|back|this|[.,!]|$)|taking (?:some |a bit of |a few |the )?(?:time|days?|weeks?|week|month) off',
    "(?:i|we) (?:only )?work (?:on )?(?:mon|tues|wednes|thurs|fri)days?(?: (?:to|until|till|through|and|-)|,)|my working (?:days|hours|week)|(?:i will|i'll|we will|we'll|and will)~(?:see|read|look at|pick up|answer) your (?:mail|e-?mail|message)~(?:then|when|after|once|on)(?!\\p{L})",
    '^(?:hi|hello|hey|dear)?[ ,!]*(?:away|out|off|gone|closed|travelling|traveling) (?:till|until|from|this week|today|for)(?!\\p{L})|(?:recovering|surgery|operation|hospital)~(?:until|back|weeks|return)',
    '(?<!(?:get|getting|come|call|write|ring|go|circle|report) )back (?:on|from) (?:\\d{1,2}|the \\d)',
    '(?:hiking|sailing|skiing|camping|climbing|fishing|touring|shooting|trekking|cycling)\\b~(?:until|till|back|through)',
    '(?:gone|out) (?:fishing|hiking|to lunch)\\b~',
    "(?:i am|i'm|we are|we're|our (?:\\w+ )?team is) (?:out )?(?:at|attending|in|on) (?:an? |the )?(?:[\\p{L}-]+ ){0,2}(?:conference|trade (?:show|fair)|fair|training|course|meetings|workshop|retreat|event|convention)\\b~(?:today|tomorrow|this week|until|till|and (?:will|have|not))",
    '(?:office|shop|desk|practice) is (?:unstaffed|unmanned|not staffed|not manned)|half term|limited availability|(?:work|working) (?:part|three|four|two|mon|tue|reduced)\\b~',
    'back (?:at (?:our|my) desks?|in (?:the )?(?:office|studio|shop)|to work)|back (?:on )?(?:monday|tuesday|wednesday|thursday|friday)[.!]?$',
    "(?:i am|i'm|we are|we're|i will be|i'll be|we'll be|we will be)~(?:off (?:until|till|from|work|sick|this|next|today)|away\\b~(?:until|till|from|for the|this|next|and (?:will|won't|not))|on (?:jury|parental|study|compassionate|a sabbatical|sabbatical)|abroad until|overseas until|in hospital|unwell|off sick)",
    "(?:not|n't|won't be|wont be|only|rarely|hardly|be|will not) (?:be )?(?:looking at|reading|checking|check|read|monitoring|answering|picking up) (?:my |any |these |this |the |work )?(?:e-?mails?|mails?|messages|inbox|account|mailbox)\\b~(?:only|until|till|while|for|[.,!]|$|and|during|then|once|twice|on|at)",
    'check(?:ing)? (?:my )?(?:e-?mails?|mails?|messages|inbox)~(?:once|twice|rarely|only|occasionally|from time|sporadic|infrequent|intermittent)',
    "(?:i'll|i will|we'll|we will|and will|shall) (?:get back|answer|reply|respond|pick up|read|catch up|deal with|see|look at|be in touch|attend)~(?:when (?:i'm|i am|we're|we are|i get|i return|we return)|on (?:my|our) return|once (?:i'm|i am|i get|back|we)|upon|after (?:my|the (?:holidays?|break|weekend|vacation|trip|event|conference|new year)|i))",
    "(?:i|we) (?:don't|do not) work (?:on )?(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekends?)",
    'expect (?:a |some )?(?:slow|delay|late)\\w*|(?:be )?slow(?:er)? to (?:respond|reply|answer)|delays? in (?:my|our) (?:respon|repl)\\w+|(?:response|reply|replies|responses) (?:may|might|will|could) (?:be|take) (?:delayed|slow\\w*|longer|a)',
    '(?:we|office|shop|studio|practice|school|museum|company|salon|clinic|restaurant|hotel|store|surgery|workshop|warehouse)\\b~(?:are|is|will be|remains?) (?:now |currently |all )?(?:closed|shut)\\b~(?:until|till|for|from|over|and|between|on(?!\\p{L})|this|today|during|re-?open)',
    're-?open(?:s|ing)? (?:on|in|at)(?!\\p{L})|(?:annual|summer|winter|christmas|company|festive|easter) (?:shutdown|closure|shut-down)',
    '(?:looking after|covering(?: for)?|taking care of|handling) my (?:accounts|work|clients|e-?mails?|mail|desk|projects|inbox|duties)',
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
    '(?:mailbox|inbox|address|account)\\b~(?:has been|was|is|is being) (?:\\w+ )?(?:retired|decommissioned|shut down|closed|discontinued|deactivated)',
    '(?:deleted|discarded|binned) (?:unread|without being (?:read|opened)|unopened)',
    "(?:mailbox|inbox|address|account) (?:isn't|is not|is no longer|isnt) (?:being )?(?:monitored|read|checked|in use|used|staffed|attended|watched)",
    '(?:has|have) (?:now )?(?:retired|left|moved on)[.,;] (?:his|her|their|the|this|my|all) (?:mail|post|e-?mails?|messages|inbox|mailbox|work|duties|role)~',
    '(?:address|mailbox|account|inbox) (?:that|which) (?:is|has been) (?:no longer|not|closed|retired)',
    "(?:i've|i have|has|have) (?:moved to|taken up|taken) (?:another|a different|a new|new) (?:department|team|role|position|company|job|post)[.,;]? (?:please |kindly )?(?:contact|direct|for|e-?mail|use|write)|(?:passed away|died)(?: \\S+){0,4}[.,;] (?:please |kindly )?(?:contact|write|direct|e-?mail|all)|(?:mailbox|inbox|address|account) (?:that|which) is (?:only )?(?:checked|read|monitored)",
    '(?:account|mailbox|address|inbox) (?:belong\\p{L}*|belonged) to (?:a |an )?(?:former|ex|previous|departed)',
    '(?:inbox|mailbox|account|address) (?:is|has been) (?:currently |now |permanently )?(?:unattended|unmonitored|not attended|abandoned|dormant)',
    '(?:i|has|have) retired (?:on|in|at|from|as)|(?:person|employee|colleague)~(?:has left|no longer)',
    '(?:mailbox|inbox|address|account) is (?:only )?(?:checked|read|monitored|staffed) (?:only )?(?:on|once|twice|during|between|mon|tue|week)',
    '(?:has |have |had |)left (?:us|our (?:company|firm|team|practice|school))\\b~(?:at|in(?!\\p{L})|on(?!\\p{L})|last|to(?!\\p{L})|direct|please)',
    "(?:i've|i have|has|have) moved on (?:from|to)(?!\\p{L})|(?:i've|i have) left [\\p{L}&. ]{2,30}[.,]? (?:please|for|your|direct|contact|all)",
    '(?:nobody|no one|no-one) (?:reads|checks|monitors|looks at|sees)~(?:mailbox|address|inbox|account|mail)',
    '(?:account|address|mailbox|inbox)~(?:is being|will be|has been|was) (?:retired|closed|shut|switched off|deleted|discontinued|decommissioned)',
    '(?:messages?|e-?mails?|mail) (?:sent )?(?:to|in) this (?:address|mailbox|inbox|account)~(?:not|no longer)',
    '(?:has|have) (?:stepped down|ceased to work|finished working|parted ways)|left the (?:company|firm|business|organi[sz]ation|practice)',
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
    "(?:please )?(?:update your (?:address book|contacts|records)~(?:with|new|to|accordingly|:)|use my new (?:e-?mail|address))|(?:we have|we've|i have|i've|our) (?:moved to )?(?:a )?new (?:domain|e-?mail|mail|address)~(?:is|please|from|@)|this (?:one|address|mailbox|account|e-?mail)~(?:will|to) (?:stop|cease|be (?:closed|deleted|switched))|(?:read|checked|monitored|seen) by (?:no one|nobody|no-one)|(?:changed|left|moved) (?:jobs|employers|companies)",
    '(?:sadly|regret|sorry to)~(?:passed away|died|death)|(?:has|have|had|is) (?:sadly )?(?:passed away|died|deceased)~(?:contact|please|direct|write|call)',
    "(?:i've|i have|i am|i'm) (?:now )?retired[!.]|(?:i've|i have) (?:now )?retired[ !.,](?!.{0,40}(?:take|remove|delete))|(?:for sending only|send-?only|outgoing (?:mail|messages) only|only (?:used )?for sending|only sends)",
  ],
  received: [
    '(?:message|e-?mail|mail)\\b~(?:is being|has been|was) (?:held|quarantined)|approved senders',
    '(?:average|typical|expected|estimated) (?:response|reply|handling) time[^.!?]{0,25}\\d|(?:ticket|case|request)\\b~(?:is|has been) (?:now )?(?:open|opened|logged|created|raised)(?!\\p{L})',
    'your (?:note|message|mail|e-?mail|letter)~reached (?:us|the|our)(?!\\p{L})|we (?:answer|read|reply to|open) (?:letters|mail|e-?mails?|messages|post|enquiries)~(?:on(?!\\p{L})|once|twice|every|only|in (?:the )?order)|(?:copy|transcript) of (?:your|our|this) (?:conversation|chat)|thank(?:s| you) for chatting',
    '(?:set|marked|changed|moved) your (?:request|ticket|case|conversation) (?:to|as)|(?:request|ticket|case)~(?:set|changed|marked|moved) (?:to|as) (?:solved|closed|pending|resolved|on hold|waiting)|(?:request|ticket|case)~has been merged',
    '(?:has been|was|is being|is) (?:held|put|placed) in (?:quarantine|a queue|the queue)|held (?:for review|in quarantine)|until (?:the )?(?:recipient|administrator|user) (?:releases|approves|confirms)',
    'how did we do\\?|rate (?:it|us|this chat)\\b|your (?:conversation|chat)~has (?:now )?ended',
    "(?:someone|somebody|we|a \\p{L}+)~(?:will|'ll)~(?:look at|get to|deal with|handle|answer|see|read) (?:it|this|your \\p{L}+)~(?:in (?:the )?order|in turn|soon|shortly)|how did we do(?!\\p{L})|rate (?:it|us|this|your (?:chat|conversation))|your (?:conversation|chat|session)~(?:has|is) (?:now )?(?:ended|closed|been closed)",
    '(?:inc|req|ritm|sr|tkt|cs|case|chg)[-_#]?\\d{4,} (?:has been|was|is)',
    "(?:we've|we have) got (?:it|your (?:message|mail|e-?mail|note))~(?:and|will|someone|team)|someone (?:will|is going to|from \\S+ will|in \\S+ \\S+ will) (?:be in touch|get back|reply|respond|contact|answer|come back)",
    "(?:will|shall|we'll|'ll) (?:review|look (?:at|into|through)|process|read|check) (?:it|your \\w+|this)~(?:and|come back|get back|reply|respond|answer|soon|shortly|within|as soon)",
    "you(?:'ve| have) reached (?:the |our )?(?:\\S+ )?(?:mailbox|inbox|desk|department|team|accounts|service|support|office|hotline)",
    'have your (?:order|ticket|customer|account|policy|reference) (?:number|no)|(?:may|might|can) ?not (?:be able to )?(?:answer|reply to|respond to) (?:all|every|each)',
    "(?:note|message|e-?mail|request|query|ticket|call|issue)~(?:has been |was |is )?(?:logged|recorded|registered) (?:as|under|with)|(?:do not|don't|please do not) (?:change|alter|edit|remove)~(?:subject|reference|ticket)",
    '(?:expect|receive) (?:a )?(?:repl(?:y|ies)|response|answer)~(?:within|from|by|soon|onwards)',
    '(?:your|the) (?:e-?mail|message|request|enquiry|inquiry|mail|note|query|submission|application)~(?:has (?:safely )?(?:reached|landed|arrived|come through|been (?:passed|forwarded|sent))|arrived (?:safely|in)|is (?:now )?(?:in (?:the|our)|with (?:us|our)|being (?:looked|processed|handled|reviewed)|important to us)|landed(?! in (?:my |our |the )?(?:spam|junk)))',
    "we(?:'ve| have)? (?:had|got|received|logged) your (?:e-?mail|message|mail|note|request|enquiry|inquiry|query|ticket)",
    '(?:opened|created|logged|raised|assigned|registered)~(?:ticket|case|reference|number)|(?:ticket|case|request)\\W{1,3}[a-z#-]{0,6}\\d{3,}',
    '(?:a member of|someone (?:from|in|on)|one of)~(?:team|colleagues|staff|us)\\b~will',
    "(?:will|'ll|shall) (?:come|get) back to you~(?:within|shortly|as soon|in(?!\\p{L})|by(?!\\p{L}))",
    'we (?:aim to |try to |usually |normally |typically |always )*(?:reply|respond|answer|read|get back)~(?:every|all|each|within|same day|next (?:business|working) day)',
    '(?:answers?|repl(?:y|ies)|responds?|answered|processed|handled|dealt with)~(?:in (?:the )?order|(?:business|office|opening|working) hours)',
    "thank(?:s| you) for (?:dropping us a line|your enquiry|your inquiry|contacting [\\p{L}&' ]{3,30}[.!]|reaching out to [\\p{L}&' ]{3,30}[.!])",
    '(?:please )?(?:allow|give us|bear with us)~(?:hours|days|time) (?:for|to)(?!\\p{L})|please allow (?:up to )?\\w+~(?:hours|days)',
    'please (?:keep|quote|include|mention|leave)~(?:subject (?:line)?|reference|ticket|case|number)\\b',
    'your (?:place in|position in)~queue|(?:monday|mon) (?:to|-|through) (?:friday|fri|saturday|sat)\\b',
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
    "we(?:'ll| will| aim to| endeavou?r to| try to| usually| typically| normally| strive to| always)" +
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
    "(?:list of )?approved senders|(?:confirm|verify|prove) (?:that )?you(?:'re| are) (?:a )?(?:real|human|not a (?:ro)?bot)",
    "(?:this is|i'm|i am) (?:\\S+ ){0,3}(?:chat)?bot(?!\\p{L})|a (?:colleague|human|person|team member|real person) will (?:take over|join|pick (?:this|it) up)",
    '(?:system|computer|machine)[ -]generated|(?:has been|was) (?:opened|created|raised|logged) on your behalf',
    "(?:i am|i'm|this is)~(?:virtual assistant|chat ?bot|auto-?responder|digital assistant)|not a robot|click (?:the link )?(?:below|here) to (?:confirm|verify|release|deliver)",
    '[(\\[*]{0,2}(?:automatic|automated|auto) (?:message|reply|e-?mail|response|answer|notice|notification)[)\\].*]|please do not reply|no-?reply address',
    '(?:this is an|an) auto(?:matic(?:ally)?|mated)(?:[ -]generated)? (?:reply|' +
      'response|message|e-?mail|acknowledge?ment|confirmation|notification)',
    '(?:this|an) (?:e-?mail|message|reply|response) (?:was|has been|is) (?:being )' +
      '?(?:sent |generated |created )?automatically',
    'auto-?(?:generated|reply|response) (?:message|e-?mail)',
    'do not (?:reply|respond) (?:directly )?to this (?:automated )?(?:e-?mail|' + 'message)',
    'replies to this (?:e-?mail|message|address) (?:are|will) not',
  ],
  stop: [
    '(?:nothing|no) (?:more|further|else)(?: (?:mails?|e-?mails?|letters?|messages?))? (?:to|for|at) (?:this|my|our|the) (?:mailbox|address|inbox|e-?mail)',
    "can you (?:just |please )?not|(?:please )?(?:do not|don't|dont) (?:reply|respond|answer|write back)(?: to me| again| please)*",
    'unlist(?: me| us)?(?: please)?|enough(?: already| now| please)?|(?:unsubscribe ?)+|unsubscribe(?: me| us)?(?: from (?:this|your|all|the)(?: \\w+){0,3})?',
    "(?:please )?(?:do not|don't|dont) (?:e-?mail|contact|write|mail)(?: to)?(?: me| us)?(?: again| any ?more)?",
    '(?:no|enough) (?:spam|more spam)|off(?: the)? list|remov(?:e|al)(?: request)?(?: please)?',
    'opt-?out(?: me| us)?|block me|take (?:me|us) out',
    'stop(?: it| now| this| that| please| all| immediately| e-?mailing(?: me| us)?|' +
      ' sending(?: me| us)?| these| them| e-?mails?| messages| spam(?:ming)?(?: me| us)' +
      '?| contacting(?: me| us)?)*',
    '(?:e-?mail )?unsubscribe(?: me| us| now| please| all| this address)*',
    'remove(?: me| us| my e-?mail| my address| now| from list| from (?:your |this |' +
      'the )?(?:mailing )?list)*',
    'opt(?:ing)?[ -]?(?:me )?out(?: of this)?|take me off',
    'delete(?: me| us| my data| my (?:e-?mail|address))',
    'no more(?: please| thx| thanks| ty| e-?mails?| mails?| messages)*|leave (?:me|us) alone|end|quit',
    'cancel|cease and desist|f(?:uc|\\*+)k off|go away',
    '(?:no,? )?not interested,? (?:please )?(?:stop|remove(?: me)?|unsubscribe)',
    'take (?:me|us) off(?: (?:your |this |the )?(?:mailing )?list)?',
  ],
  ...englishPeople,
  polite: [
    'respectfully|not for (?:me|us)|no offen[cs]e|(?:my |this is my |our |this is our )?(?:(?:first|second|third|last|final|polite|and|only) )+(?:request|warning|reminder|time)',
    'no,?(?: thanks?(?: you)?)?|not interested|no interest|sorry',
    '(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings)' +
      '(?: (?:there|all|team|sir|madam|sirs?|or|\\w+)){0,3}',
    'please|kindly|pls|plz',
    'thanks?(?: you)?(?: (?:in advance|very much|so much|a lot))?|many thanks|ty|thx|tks|ta',
    'cheers|(?:kind |best |warm )?regards|best|sincerely|now|immediately|asap|at once',
  ],
  urgent: [
    'how did we do',
    'urgent|emergenc|immediate (?:assistance|attention|help|support)|in (?:the )?case',
    'if you (?:need|require|have|want|would like)|should you|if (?:it|this|your)',
    'time[ -]sensitive|critical|need help',
    'for (?:any|all|general|other|sales|support|questions|assistance|immediate|more)',
    'meantime|meanwhile|in my absence|during (?:my|this)|rate (?:the|our|your)',
    'satisfied|help cent|how (?:can|may) we help|frequently asked|faq',
  ],
};
