/**
 * English opt-outs, composed of two parts: a word for stopping, and contact; or a removal, and what is
 * removed.
 */

/** Statements about oneself or others are no requests: `they don't bother`, `we never write to them`. */
const NOBODY_DOES =
  '(?<!(?<!\\p{L})(?:i|we|they|he|she|it|you|them|who|people|customers|drivers|that|which|also|still|just|really|often|usually|had to|have to|did|why) )';
const TO_CONTACT =
  '(?:e-?mail|mail|write|contact|message|spam|bother|approach|solicit|pester|chase|harass|annoy|pitch|target|follow[ -]?up|reach out|send|market)';
const CONTACTING =
  '(?:e-?mailing|mailing|writing|contacting|messaging|spamming|bothering|approaching|soliciting|pestering|chasing|harassing|annoying|pitching|targeting|following[ -]?up|reaching out|sending|marketing|trying to sell|selling (?:to )?(?:me|us|your|here))';
const MAILS =
  '(?:e-?mails?|mails?|messages?|mailings?|newsletters?|spam|letters?|marketing|advertising|ads|promotions?|pitch(?:es)?|solicitations?|communications?|correspondence|contact|outreach|sequences?|campaigns?|cadences?|follow[ -]?ups?|reminders|sales (?:mails?|offers|talk))';
const LISTS =
  '(?:mailing|distribution|contact|sales|prospect|marketing|e-?mail|lists?|database|crm|systems?|records|files|campaigns?|sequences?|outreach|contacts|address book|mailings?|newsletters?|cadences?)';
const REMOVE =
  '(?:remove|delete|drop|erase|purge|scrub|wipe|strike|bin|scrap|ditch|destroy|expunge|cross|exclude|deregister|unlist|unsubscribe|block|blacklist|suppress|rmv|forget|lose)';
const OURS =
  '(?:me|us|my|our|mine|ours|(?:this|the|that|whole|entire) (?:\\S+ )?(?:address|domain|e-?mail|inbox|mailbox|company|organi[sz]ation|firm|account)|\\S+@\\S+)';
/** Only for now, or only about one thing. */
const NOT_LATER =
  '(?! (?:about|before|until|till|when|while|yet|today|this week|without|by phone|via)(?!\\p{L})| (?:on|in) (?:mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|the morning|the mean))';

export const englishOptOuts: readonly string[] = [
  '(?:our|my|this) (?:details|data|address|e-?mail|name|contact|domain|info\\p{L}*) (?:gone|out of|off) (?:from )?(?:your|this|any|all)|no (?:wish|desire|intention|inclination) (?:to (?:be on|receive|get|hear|be contacted)|of (?:being|receiving|getting|hearing))|enough (?:with|of) (?:the|these|your|this|all) (?:\\S+ )?(?:follow|mail|e-?mail|message|spam|reminder|pitch)\\p{L}*',
  "(?:like|want|wish|prefer|ask|asks|asked|love|request|rather)~be (?:left|kept|taken|struck|crossed|dropped|excluded|removed|deleted) (?:off|out of|from) (?:these|this|your|any|all|such)(?!\\p{L})|(?:do not|don't|never|not to|no need to) (?:include|add|put|keep|count|enrol|enroll|list) (?:me|us|my|our|this)~(?:campaign|mailing|list|sequence|outreach|future|again|e-?mail|newsletter|database)\\p{L}*",
  "(?:do not|don't|never|cannot|can't|won't) (?:engage with|deal with|entertain|respond to|answer|consider)~(?:unsolicited|cold|spam)(?!\\p{L})|(?<!(?:i|we|they|you|people|customers) )(?:don't|do not|dont|never) send (?:\\S+ ){0,3}(?:here|to (?:this|my|our|her|his|their))(?!\\p{L})(?! (?:boss|colleague|manager))|whatever (?:this|it) is,? (?:i|we) (?:don't|do not) want|withdraw (?:my|our|this|the) (?:\\S+ )?(?:address|e-?mail|name|details|contact|data|consent|permission)(?!\\p{L})",
  '(?:receive|get|hear|send|sends|mail|want|expect)(?: (?:me|us|to))? (?:nothing|no) (?:further|more|else)(?!\\p{L})|nothing (?:further|more|else) (?:from you|is sent|to be sent|sent|by (?:e-?)?mail)|(?:^|[,.!] ?|please |and )no longer (?:wish|want|care|wanting|wishing)(?:es|s)? to (?:hear|receive|get|be (?:contacted|e-?mailed|on))',
  "(?:i've|i have|we've|we have|i|we) (?:just |now |already |had to )*(?:blocked|filtered|blacklisted|junked) (?:\\S+ (?:of )?){0,3}(?:you|your|these)(?!\\p{L})|(?:ask|asked|like|want|request)(?:ed|ing)? (?:that )?you~not (?:to )?(?:write|mail|contact|e-?mail|approach)~(?:again|any ?more|further|us|me)",
  '(?:cross|strike|scratch|knock|pull|get|take|leave|kick|chuck|boot|bump|drop|pop|keep|rub|wipe) (?:me|us|him|her|(?:my|our|this|his|her) (?:\\S+ )?(?:name|address|e-?mail|mail|details|company|domain|firm|school|practice|number)) (?:off|out)(?:[?.!,]|$| (?:of )?(?:your|this|any|every|all|ur|it|whatever|the (?:list|mailing|database|books|system))(?!\\p{L}))',
  "(?:i've|i have|we've|we have|i|we) (?:just |now |already |had to )?(?:block(?:ed)?|filtered|blacklisted|junked|binned)~(?:you|your|these|this (?:sender|address|domain))(?!\\p{L})|no (?:business|right) (?:having|to have|using|to use|writing|to write|contacting|to contact)(?!\\p{L})",
  "^(?:one|any) (?:more|further)~(?:and|,|or) (?:i|i'm|i'll|we|we'll|you|you'll|it)(?!\\p{L})~(?:solicitor|lawyer|police|court|report|block|complain|invoice|charge|ico|legal|spam)",
  "(?:ask|asking|want|like|request|appreciate|respect)\\p{L}*~not (?:to )?(?:write|mail|contact|e-?mail|approach|message)~(?:again|any ?more|further|me|us)|(?:do not|don't|never) (?:write|mail|e-?mail|send|contact)(?: \\S+){0,4} (?:any ?more|again|any longer)(?=[.!,]|$| please)",
  'no (?:mor|moar|mroe|moer|mo) (?:of )?(?:u?r )?(?:e-?)?mails?|(?:may|must|can|should|is|are) not (?:to )?be used (?:for|to|in)~(?:marketing|advert|sales|commercial|promot|solicit|campaign)\\p{L}*',
  '(?:delete|erase|remove|destroy|deletion of|erasure of)~(?:all|any|every|the)~(?:data|information|records|details)~(?:relat|pertain|concern|about|regard|of|on|for)\\p{L}*~(?:me|us|my|our|this)(?!\\p{L})',
  "(?:i|we|i've|we've) (?:already |have |had )*(?:opted out|unsubscribed)(?:[.!,;]|$| (?:last|already|before|twice|weeks?|months?|years?|of (?:this|these|your)|from (?:this|these|your)|\\d|two|three|in|on|a|ages)(?!\\p{L}))|why (?:do|am|are) (?:i|we) (?:still |keep )+(?:on )?(?:getting|receiving|hearing)|(?:still|keep) (?:on )?(?:getting|receiving) (?:these|your (?:e-?mails?|mails?|messages))",
  "(?:your|the|this) (?:unsubscribe|opt[ -]?out|removal) (?:link|button|page|form|thing|address)~(?:not|n't|broken|dead|404|errors?|fails?|nothing|bounces?|never)(?!\\p{L})|(?:where is|where's|there is no|there's no|missing|can't find|cannot find|can not find|could not find|couldn't find|don't see|see no)~(?:unsubscribe|opt[ -]?out)",
  'no (?:more )?(?:follow[ -]?ups?|chasers?|reminders)(?: either| please|[.!,]|$)|(?:want|like|ask|asks|asked|wish|wishes|prefer|prefers|please|requests?)~(?:taken|struck|crossed|dropped|removed|deleted|left) (?:off|from|out of) (?:your|this|any|all)(?!\\p{L})',
  '(?:remove|unsubscribe|delete)[ -](?:moi|mich|mij|mig|meg|mnie|nous|uns|ons|nos|meu|mio|mon)(?!\\p{L})',
  '(?:make|let) (?:this|that|it)~(?:last|final)(?! (?:question|point))|(?:make sure|ensure|see (?:to it )?that|see to it) (?:that )?(?:nobody|no one|none|we|i|our \\S+)~(?:gets?|receives?|hears?|sees?|contacted|e-?mailed)~(?:another|any|more|again|these|this)(?!\\p{L})',
  '(?:in )?breach of~(?:pecr|gdpr|data protection|can-?spam|casl|the law|privacy)|(?:complain|complaint|report)\\p{L}*~(?:to|with|at) (?:the |your )?(?:ico|ftc|acma|cnil|regulator|data protection|information commissioner|authorit|ombudsman|trading standards|isp|provider|host)(?!\\p{L})',
  '^(?:and )?(?:blocked|reported|marked|flagged|marking|reporting|blocking|flagging|blacklisted)(?: (?:and|&) (?:blocked|reported|marked|flagged|deleted|blacklisted|reporting|deleting|blocking))?(?: (?:you|this|it|them))?(?:[.!,]|$| (?:as|for) (?:spam|junk|abuse))',
  '(?:me|us|this address|our address|my address|my name) off (?:of )?(?:the|your|this|that|any|ur|every|all) (?:\\S+ )?(?:lists?|mailings?|database|system|crm|books|newsletters?)(?!\\p{L})',
  '(?:leave|keep|take|strike|cross|drop) (?:me|us|this address) off(?:[.!,]|$)|do[ -]not[ -](?:mail|call|contact|e-?mail) (?:register|list)',
  "(?:i'm|i am|we're|we are) (?:unsubscribing|opting out|withdrawing)|(?:i've|i have|we've|we have|had) (?:already )?(?:unsubscribed|opted out|clicked unsubscribe|asked to be (?:removed|unsubscribed))(?! from (?!your|this|these))|clicked (?:on )?(?:your |the )?(?:unsubscribe|opt[ -]?out)",
  `(?:these|this|those|your|the|all) (?:${MAILS}|things|nonsense)~to stop(?!\\p{L})|make it stop|without (?:these|your|any more) ${MAILS}|(?:be|being) left alone`,
  "(?:ensure|make sure|arrange|see to it|see that|guarantee|confirm)~(?:removed|deleted|taken off|unsubscribed|erased|no further|never again|not (?:be )?(?:contact|e-?mail|write|hear|receive)|n't (?:be )?(?:contact|e-?mail|write|hear|receive|get))",
  "if (?:you|i|we) (?:\\S+ )?(?:e-?mail|mail|write|contact|hear|receive|get|see)~(?:again|another|one more|any ?more)~(?:block|report|lawyer|legal|police|complain|sue|charge|solicitor)|(?:will|shall|'ll|to|going to) (?:block|report) (?:you|your)(?!\\p{L})",
  `${NOBODY_DOES}(?:don't|do not|dont|never) send (?:me |us )?(?:any|them|these|more|such)(?:[.!,]|$| more)|no (?:advertising|adverts?|ads|marketing|solicitation|junk(?: mail)?|sales (?:mails?|pitches)|cold (?:mails?|e-?mails?)|(?:further |more )?approaches)(?: please|[.,!]|$)`,
  "(?:n't|not|never|no longer) (?:want|wish|like|agree|expect|need) (?:to be|being) (?:contacted|e-?mailed|approached|solicited|on|pitched|written)",
  '(?:can|could|would|will) you (?:please |kindly )*(?:delete|remove|erase|unsubscribe|block|exclude) (?:my|our|me|us|this) ?(?:contact|address|e-?mail|data|details|name|domain)?(?=[ ?.,!]|$)',
  "(?:do not|don't|dont|not to) use (?:it|this|my|our)~(?:business|marketing|sales|advert|commercial)\\w*",
  `${NOBODY_DOES}(?:stop|quit|cease|desist from|refrain from|discontinue|halt|end)(?: \\S+){0,2} ${CONTACTING}(?! paper)`,
  `(?:would|do) you mind (?:awfully |very much )?(?:not|stopping|taking|removing|leaving|never)~(?:${CONTACTING}|${LISTS}|off|out|me|us|it|these)(?!\\p{L})`,
  `(?:kindly|please|must|to|and|shall|should|demand that you|you) (?:cease|desist|refrain|abstain)(?!\\p{L})`,
  '^(?:cease|desist)(?: and desist)?(?: immediately| now| at once)*[.!]',
  `(?:discontinue|cease|stop|end|halt|cancel)(?: \\S+){0,2} (?:${MAILS}|subscription)(?!\\p{L})~(?:to|at|this|my|our|me|us|now|immediately|please|[.!]|$)`,
  `${NOBODY_DOES}(?:don't|do not|dont|do n't|never(?: ever)?|not to) (?:you )?(?:ever |dare |please |keep )*${TO_CONTACT}(?:ing)? ?(?:(?:to|with) )?(?:me|us|him|her|them|my|our|here|back|again|any ?more|anything|any|sales|marketing|this|these|there|to this|[.!]|$)${NOT_LATER}(?! (?:boss|colleague|manager|invoice|price|brochure|catalog)\\w*| (?:file|form|as a|attachment|to \\w+,))`,
  `${NOBODY_DOES}(?:don't|do not|dont|never) (?:send|share|forward|push)~${MAILS}(?!\\p{L})`,
  `${NOBODY_DOES}(?:don't|do not|dont) (?:repeat|do) (?:it|this|that)(?: again|[.!]|$)`,
  `${NOBODY_DOES}(?:don't|do not|dont|not to) bother(?: (?:me|us|again|writing|e-?mailing|replying|with (?:any|more|this|these))|[.!]|$)${NOT_LATER}`,
  `(?:can|could|would|will|may|might) you (?:please |kindly |just )*(?:not|never) ${TO_CONTACT}`,
  `(?:wish|prefer|like|want|rather|ask|asked|request|expect|choose|elect|would|love)~(?:not|never|no longer) (?:to )?(?:be|get|receive|hear|have)(?: (?:contacted|e-?mailed|written|approached|solicited|on|any|more|these|this|them|from|your|such|messages|e-?mails?|sales|marketing|unsolicited)|[.!]|$)`,
  `(?:rather|prefer|appreciate|grateful|obliged|glad|thankful|pleased|happy|kind)~(?:(?:not|no longer|stop) (?:${CONTACTING}|receiving|getting|hearing|having)|no (?:more|further|follow[ -]?ups?)|if (?:you|this|it|i|we)~(?:not|n't|stop\\w*|last|never|remove\\w*|took~off|take~off|delete\\w*))`,
  '(?:this|that|it)~(?:be|is|was) (?:the |your )?(?:last|final) (?:one|e-?mail|mail|message|time|contact)(?! i)',
  `(?:last|final) (?:one|e-?mail|mail|message|letter)~(?:get|receive|hear|send)(?!\\p{L})`,
  `(?:spare|save) (?:me|us|yourself)~(?:${MAILS}|these|this|the (?:effort|trouble|follow))(?!\\p{L})`,
  "give it a (?:rest|break)|(?:that's |that is |had |i've had |we've had )?enough (?:already|now|is enough|of (?:this|these|your|the (?:mails|e-?mails|messages|spam)))|enough (?:e-?mails|mails|messages|spam)",
  'no more of (?:this|these|them|those|it|your)(?!\\p{L})',
  `(?:no|without|zero) (?:more|further|additional|other|future|any more) ${MAILS}`,
  `(?:please |pls |plz |just |kindly |respectfully )+stop(?: it| this| that| now| all)?(?:[.,!;]|$| and )|(?:and|now|so) stop[.!]|(?:i|we) said stop`,
  `(?:like|want|wish|tried|trying|ask|asked|need|choose|elect|request|how (?:do|can|could) (?:i|we)|can (?:i|we)|please let me) (?:you )?to? ?opt[ -]?out`,
  `opt(?:ed|ing)?[ -]?(?:me |us )?out (?:of|from) (?:these|this|your|all|any|further|future|the|receiving)(?! (?:pilot|contract|plan|deal))`,
  '(?:i|we|just) (?:want|need|wish) out(?!\\p{L})|(?:want|need|get) (?:me |us )?(?:out of|off) (?:this|your|the) (?:list|sequence|mailing|campaign|thing)',
  `unsubscribed? (?:me|us|please|pls|this|my|from (?:your|this|all|these))|(?:unsubscribe|removal|erasure|deletion|opt[ -]?out|suppression) request`,
  `(?:have|asked|want|wants|like|request|requested|wish|need|ask|insist|demand) (?:you )?(?:to be|to have~|this address|our \\w+|my \\w+|it|them)~(?:removed|taken off|deleted|excluded|unsubscribed|erased|struck|dropped|blocked)`,
  `(?:be|get|getting|gets|are|am) (?:removed|taken off|deleted|excluded|unsubscribed|erased|dropped|struck|taken out)~${LISTS}(?!\\p{L})`,
  `${NOBODY_DOES}(?:please |kindly |just |simply |pls |plz )?${REMOVE} ${OURS}\\b~(?:from|off)~${LISTS}(?!\\p{L})`,
  `(?:^|please |kindly |just |pls |plz |and |, |to |should |must |again |time,? )${REMOVE} ${OURS}(?=[ .,!?:;]|$)(?! (?:last|previous|earlier|first|the|know|at|on|before|a|an|some|one|in)(?!\\p{L}))(?!~(?:cc|thread|meeting|call|invite|document|contract))`,
  `(?:please |kindly |just |pls |plz |^)${REMOVE}(?: \\S+){0,4} (?:address|e-?mail|domain|details|contact details|info\\w*)(?:es|s)?(?=[ .,!?:;]|$)~(?:from|off|permanently|now|immediately|please|at once|[.!:]|$)`,
  `${REMOVE}~\\S+@\\S+`,
  `(?:please |kindly |do me a favou?r and |just )${REMOVE} (?:me|us|our|my|the|this|all)~(?:firm|company|address|number|name|employees|staff|colleagues|domain|organi[sz]ation|team)(?!\\p{L})`,
  'get rid of~(?:my|our|us|this) (?:details|address|e-?mail|data|contact|name|info\\w*)',
  'forget (?:you~(?:had|have|saw)|about|that)~(?:address|e-?mail|us|me)(?!\\p{L})',
  `(?:do not|don't|not|never|no longer|cannot|can't|dont) (?:to )?(?:accept|want|wish|need|like|read|welcome|tolerate|permit|allow|entertain|solicit|respond to)~(?:unsolicited|cold|spam|solicitations?|these (?:e-?mails?|messages|mails)|(?:u?r|your|such|any|more|ur) (?:e-?mails?|mails?|messages|newsletters?|spam))`,
  `(?:unsolicited|cold|sales|marketing|promotional)~(?:e-?mails?|e-?mailing|mails?|messages|marketing|outreach)~(?:prohibited|forbidden|illegal|unlawful|not (?:welcome|wanted|accepted|permitted|allowed|tolerated)|unwelcome|against)`,
  '(?:this is|considered) (?:unsolicited|unwelcome|unwanted|harassment|unlawful|illegal)',
  '(?:further|any more|another|next|future|one more)~(?:e-?mails?|mails?|messages?|contact|correspondence)~(?:harassment|reported|legal|unwelcome|unwanted|ignored|treated|charged|invoiced|lawyer|solicitor|complaint|blocked)',
  "(?:you're|you are|you have been|you've been|i have|i've|we have|we've|i'm|i am|will be|being) (?:being )?(?:blocked|reported|reporting|blocking|blacklisted|flagged)(?: (?:you|your|as|for|to the|this)|[.!]|$)",
  "(?:never|not|n't)~(?:consent|opt(?:ed)? in|sign(?:ed|ing)? up|subscrib|request|agree|permission)\\w*~(?:e-?mails?|mails?|messages|list|marketing|contact|this|it|these)(?!\\p{L})~(?:stop|remove|delete|treated|harass|get rid|unlawful|illegal|$)",
  '(?:formal |hereby |i |we )+(?:object(?:ion)?|notice)~(?:processing|marketing|article|art\\.|my data|our data|personal)|objection to (?:the )?(?:processing|marketing|direct)',
  '(?:exercis\\w+|invok\\w+|under|my|our)~right~(?:object|eras|delet|forgotten|opt)\\w*|(?:gdpr|ccpa|can-?spam|pecr|casl)\\b~(?:remov|delet|eras|object|opt|stop|honou?r|unsubscribe|suppress|take~off)|(?:eras|delet|remov|object)\\w*~(?:under|in accordance|pursuant|as per|per)~(?:gdpr|article|ccpa|data protection)',
  '(?:what|how)~(?:have to|must|need to|do i|does it take)~(?:stop(?= (?:this|these|it|that|you|your|receiving|getting|them|all)(?!\\p{L})|[?.!]|$)|get off|to be removed|make you)',
  `(?:how (?:do|can) (?:i|we)) (?:get off|stop (?:these|this|receiving|getting)|be removed)`,
  `not (?:for|to be used for|intended for|meant for)~(?:sales|marketing|advertising|solicitation|cold)`,
  `(?:do not|don't|never|not to|please not) use (?:this|my|our)~(?:address|e-?mail|mailbox|inbox|line)`,
  'count (?:me|us) out of|(?:prefer|want|need|expect|please|with) no (?:more )?follow[ -]?ups?',
  '(?:take|taking|took) (?:us|me|my \\w+|our \\w+|it|him|her|them|this) off(?! (?:cc|the thread|this thread|that))(?:[?.!,]|$| (?:your|this|any|every|all|ur|it)(?!\\p{L})| the (?:list|mailing|database))',
  '(?:respect|mind) my privacy|leave (?:me|us) (?:be|in peace|alone)',
  '(?:not|never) (?:write|mail|e-?mail) (?:me|us|back)(?!\\p{L})',
];
