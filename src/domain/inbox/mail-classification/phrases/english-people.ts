/** English that people write: opt-outs, and phrases that continue a conversation. */
import { englishOptOuts } from './english-opt-outs.ts';
import type { Phrases } from './phrases.ts';

export const englishPeople: Pick<Phrases, 'optOut' | 'personal' | 'talk' | 'keeps'> = {
  optOut: [
    '(?:e-?mail|mail|contact|message|write to|bother|text) (?:me|us) (?:\\w+ )?again(?: and|,)',
    '(?:like|want|prefer|need) (?:them|this|these|those|it|the (?:e-?mails?|mails?|messages?))\\b~(?:to )?(?:end|stop|cease)(?: here| now)?(?!\\p{L})(?! (?:and|up|by|at|with|the|to))',
    "(?:don't|do not|won't|doesn't|does not|no longer) need (?:these|your|any more|further|those) (?:messages|mails|e-?mails|letters)",
    '(?:make sure|see to it|ensure|arrange|be certain)(?: that)?\\b~(?:nothing|no (?:more|further|other)|none of)\\b~(?:goes|go|gets?|comes?|is|are|reach|reaches|sent|arrives?|lands?|else|more|further)',
    ...englishOptOuts,
    '(?:leave|keep|count) (?:me|us) (?:out of|off)~(?:mailing|e-?mail|list|campaign|newsletter|circular)',
    "never asked for (?:this|these|it|any)|(?<!(?:they|them|we|i|who|people|you) )(?:don't|do not) (?:come back|try again)[.! ]",
    '(?:like|want|prefer) not to (?:get|receive|hear|be)~(?:yours|more|from|contacted|these)|(?:can|could|would|will) you (?:please )?stop\\b(?: (?:it|this|that|now|please))?[.?! ]?',
    '\\boff\\W{1,3}(?:the|your|this)\\W{1,3}list|out of (?:your|the) (?:crm|list|database|system)|must not be used for~(?:advert|marketing|sales)',
    'suppress (?:my|our|this)|(?:have|has|had) not (?:given|consented)|not (?:given|consented)',
    "(?:don't|do not|dont|never|no|not) (?:you )?(?:ever |dare )*(?:e-?mail|contact|write|message|mail|bother|approach|spam)(?:ing)?(?: to)? (?:me|us|this|anyone here)\\b(?! (?:about|in|on|when|until|till|before|by|for)(?!\\p{L}))",
    '(?:last|final) (?:one|e-?mail|mail|message|letter|time)~(?:you (?:ever )?(?:send|write|contact)|i (?:get|receive|hear)|we (?:get|receive|hear))',
    'take\\b~(?:off|out of) (?:your|this|the|whatever|any|that|all)~(?:lists?|database|mailing|system|crm)\\b(?! of)',
    "(?:not|don't|do not|never) (?:accept|want|welcome|appreciate|permit|tolerate)~(?:unsolicited|cold|spam|solicitation|marketing e?-?mail)",
    '(?:add|put)\\b~(?:suppression|do[ -]?not[ -]?(?:contact|mail|e-?mail)|black|block|exclusion|opt[ -]?out)[ -]?list',
    "(?:make|see) (?:sure|to it)~(?:never|not|don't|no more|no further)~(?:again|get|receive|another|hear|contact)",
    "(?:never|don't|not|rather not|nor) (?:want to |wish to |like to |care to )?(?:get|receive|see|hear)~(?:from you|another|one of these|these (?:e-?mails?|mails?|messages))",
    '(?:block|blacklist|unlist|unsubscribe|deregister|suppress) (?:me|us|my|our)\\b',
    'how (?:many times|often)~(?:stop|ask|tell|unsubscribe|say)',
    '(?:no|without|not given|never gave|not give|not have)~(?:permission|consent)~(?:use|contact|e-?mail|send|my(?!\\p{L})|write)',
    "(?:don't|do not|dont|never|no longer) (?:want|wan't|wan|wish|wanna) (?:to (?:get|receive) )?(?:any |more |your |these |this |those |such |further )*(?:e-?mails?|mails?|messages|spam|newsletters|marketing|stuff|rubbish|junk|these)\\b",
    '(?:any|one) (?:more|further)~(?:solicitor|lawyer|legal|police|report|court|complain)\\w*',
    '(?:take|taking) legal (?:action|steps)|sue you|(?:fuck|piss|bugger|sod|eff|f[*]+k?|f-) ?off|get lost|go to hell|leave (?:me|us)~(?:alone|in peace|be[.!]|$)',
    '(?:quit|stop) (?:it|spamming|pestering|harassing|bugging|this nonsense|with (?:the|these|your))',
    '(?:exercis|invok)\\w+~right~(?:object|eras|delet|forgotten)|object to (?:direct|the (?:use|processing)|marketing|receiving|any)',
    '(?:erase|delete|remove|destroy|purge)~(?:everything|all|any(?:thing)?)~(?:about|on|of|hold on) (?:me|us)\\b',
    '(?:ask|tell|told|asked|want|need|beg|order|request)\\w* you to (?:stop|cease|remove|delete|refrain)',
    "(?:rather|prefer|like|appreciate it if|grateful if) (?:it if )?you (?:didn't|did not|don't|do not|would not|wouldn't|no longer|stopped|never)~(?:write|contact|e-?mail|send|writing|sending|e-?mailing)",
    '(?:not|never) (?:be )?(?:contacted|e-?mailed|approached|solicited) (?:again|any ?more|by you|further|in future)',
    '(?:take|strike|remove|get) (?:my|our|this)?\\b~(?:name|address|e-?mail|details|company|domain|us|me)~(?:off|from)~(?:list|records|database|system|books|mailing)\\b(?! of)',
    'take my (?:name|address|e-?mail) off|refrain from~(?:contact|writ|send|e-?mail|further)\\w*|no further (?:contact|correspondence|communications?|e-?mails?|mails?|messages|letters)',
    'want (?:out|off)\\b~(?:list|this|mailing)|get me off',
    'delete (?:me|us|my (?:address|data|details|e-?mail|info\\w*))|(?:my|our) (?:address|e-?mail|data|details)~(?:deleted|removed|erased)',
    '(?:remove|delete|take|drop|exclude|scrub|erase|purge|unlist|strike) (?:me|us|' +
      'my (?:e-?mail|address|name|contact|company|domain|account|info)|our (?:e-?mail|' +
      'address|company|domain|name|organi[sz]ation)|this (?:e-?mail )?address|' +
      'all (?:of )?(?:my|our))\\b~(?:lists?\\b|database|mailing|contacts?\\b|' +
      'distribution|off\\b|crm(?!\\p{L})|campaigns?|sequence|cadence|records|outreach|' +
      'newsletter|subscribers?|systems?\\b)',
    '(?:please |kindly |just )(?:remove|delete|unlist|erase) (?:me|us|my (?:e-?mail|' +
      'address|data|details))',
    '(?:remove|delete|erase) (?:me|us)(?: please| immediately| now|[.!]|$)',
    '(?:delete|erase|remove|destroy|purge)~ (?:my|our|any of my|all my) (?:\\w+ )' +
      '{0,3}(?:data|details|information)\\b',
    '(?:delete|erase|remove|erasure of|deletion of)~ personal data~(?:you hold|' +
      'about me|concerning me|of mine)',
    'remove~ from your (?:mailing )?(?:list|database)',
    "(?:please|kindly|i want to|i'd like to|i would like to|i wish to|want to|" +
      'need to|let me|how (?:do|can) i|where can i|can i) unsubscribe\\b(?! \\p{L}+ from (?:this|the|our) (?:thread|chain|conversation|cc))',
    'unsubscribe (?:me|us|my|this|immediately|from (?:this|these|your|all))',
    '(?:stop|quit|cease)(?: and desist)?(?: from)?(?: all| any| your)?(?: further)' +
      '? (?:e-?mailing|mailing|contacting|spamming|writing|messaging|bothering|' +
      'harassing|e-?mails?|spam|communications?|contact\\b)(?! me the)',
    '(?<!(?:had|have|has) to )(?:stop|quit|cease) sending(?: (?:me|us))?(?! paper| the)(?: any| more| these| this| your|' +
      ' such| unsolicited)*(?: (?:e-?mails?|messages|mails?|stuff|spam|crap|junk|' +
      'anything|marketing|offers|letters))',
    'stop sending (?:me |us )?(?:these|this|them|it)|cease and desist',
    "(?:do not|don't|dont|never|not to) (?:ever )?(?:e-?mail|contact|write|message|" +
      'spam|bother|mail|approach)(?: to)? (?:me|us|this|my|our|here)\\b',
    "(?:do not|don't|dont|never|not) (?:send|be sent) (?:me|us)? ?(?:any |more |" +
      'anything |further |these |such |this |your |unsolicited )*(?:e-?mails?|mails?|' +
      'messages|more|spam|anything|offers|letters|again)',
    "(?:do not|don't|never) (?:e-?mail|contact|write|message)(?: again| any ?more|" + '[.!]|$)',
    '(?:no|not want any|want no|without) (?:more|further|longer any) (?:e-?mails?|' +
      'mails?|messages|contact|correspondence|communications?|letters|spam)',
    '(?:delete|erase|remove) (?:it|them|this|everything|that) (?:immediately|now|' +
      'at once|from your|and confirm|please)',
    'confirm (?:the |its |their |my )?(?:deletion|removal|erasure)',
    "(?:do not|don't|never) (?:follow[ -]?up|reach out|approach us|solicit)",
    'opt (?:me|us) out',
    "(?:please|i|we|i'm|we're|(?:i|we) (?:want|wish|would like|am|are)(?: to)?)" +
      ' opt(?:ing)? out',
    'opt-?out (?:request|please)|take (?:me|us) off (?:of )?(?:your|this|the|any)',
    "(?:i|we) (?:do not|don't|no longer|never|did not|didn't) (?:want|wish|like|care|" +
      'ask|agree|consent)(?: to)? (?:receive|get|be contacted|be e-?mailed|hear|for|' +
      'any more(?= (?:e-?mail|mail|message|of|spam|contact|info)|[.!,]|$))(?! (?:the|more about|your offer))',
    '(?:not|never) (?:to )?(?:contact|e-?mail|write to|write|message) (?:me|us)' +
      '(?: any ?more| again| further)?',
    "(?:don't|do not) (?:contact|write|e-?mail) any(?:one|body) (?:at|in|of)",
    '(?:lose|forget) (?:my|this) (?:e-?mail|address|number|contact)',
    'never want to hear from you|leave (?:me|us) alone',
    '(?:add|put) (?:me|us|our domain|this address) (?:to|on) (?:your |the )' +
      '?(?:do[ -]not[ -](?:contact|mail|e-?mail)|suppression|block) ?list',
    '(?:right to (?:be forgotten|erasure)|article 17|art\\. ?17)',
    '(?:withdraw|revoke) (?:my|our|any) consent|i object to~(?:processing|marketing)',
    '(?:reported?|report(?:ing)?|mark(?:ed|ing)?|flag(?:ged)?) (?:you|this|' +
      'your (?:e-?mail|message|domain)s?) (?:as|for|to)~(?:spam|abuse|ftc(?!\\p{L})|' +
      'ico(?!\\p{L})|authorit)',
  ],
  personal: [
    "only (?:saw|read|found|got|noticed) (?:this|it|your \\p{L}+) (?:now|today|just)|just (?:now )?(?:saw|found|read) (?:it|this|your)|tell (?:me|us) more|(?:we|i) (?:don't|do not|wouldn't) need (?:a|an|any|your|one|that)(?!\\p{L})",
    'but (?:you can|please|do) (?:reach|call|ring|mail|text|find|phone|catch)(?: me)?(?!\\p{L})(?!~(?:urgent|emergency|colleague|@))',
    "(?:try|ask|speak to|talk to|speak with|talk with) (?:her|him|them)(?!\\p{L})|(?:runs|does|handles|looks after) (?:it|this|that|things|all that) now|any other (?:day|time)|(?:we|i|and) (?:talked|thought|spoke|looked|chatted) (?:it |this )?(?:about|at|into|over|through)|it's a (?:no|yes|maybe)(?!\\p{L})",
    'sounds (?:good|interesting|great|fine|promising|like)',
    '(?:happy|glad|keen|open) to (?:talk|chat|discuss|have a|look|meet|jump|take|' +
      'learn|read|explore|see|consider|get on)',
    "let's (?:talk|speak|schedule|connect|chat|discuss|meet|do|set|find|catch|pick|" + 'plan|go)',
    'let us (?:talk|speak|meet|schedule)',
    "(?:i'm|i am|we're|we are|we'd be|i'd be|might be|may be|could be|very|" +
      'definitely|would be) (?:\\w+ )?(?:interested|curious|keen|intrigued)',
    "(?:we|i)(?:'d| would) (?:like|love) to (?:see|try|test|order|meet|talk|discuss|" +
      'hear more|learn|get a|have a|receive (?:a|an|your) (?:quote|offer|sample|demo))',
    'interested[.!]',
    '^(?:hi|hello|hey)?(?: ?\\w+ ?){0,2}[ ,]*\\b(?:yes|ok|okay|sure|great|perfect)' + '[,.! ]',
    'not (?:interested|for us|a (?:fit|priority|good)|relevant|looking|right now|' +
      'the right (?:person|time|contact)|in the market)',
    "(?:no|isn't|not) (?:interest|need for|budget|thanks|thank you|a good time)",
    'at (?:this|the) (?:time|moment|present) we',
    '(?:we|i) already (?:have|use|work|signed|bought|switched|got)',
    "we(?:'re| are) (?:good|all set|covered|happy with|set\\b|satisfied with|locked|" +
      'under contract|in contract|using)',
    "(?<!(?:not|n't|never|dont|or|also|nor) )(?:call|ring|phone|text|whatsapp) me\\b",
    'give me a (?:call|ring|shout|buzz)',
    '(?:just|better|rather|prefer|instead|easier)~(?:call|phone|ring)\\b',
    '(?:e-?mail|writing|mail)~(?:works|is(?!\\p{L})) (?:better|best|fine|easier|' + 'preferred)',
    '(?:prefer|rather|instead)~(?:e-?mail|writing|linkedin|whatsapp|teams)\\b',
    'put it in writing|instead[,.]? (?:of|just) call',
    '(?:send|share|forward|e-?mail|give|get|shoot|drop) (?:me|us) (?:the |a |an |' +
      'your |some |more |any |further |that |over )*(?:details|pricing|prices|price|' +
      'info|information|brochure|deck|proposal|quote|offer|samples?|catalog|' +
      'references?|case stud|pdf|link|one-pager|documentation|overview|contract|demo|' +
      'terms)',
    'your (?:offer|proposal|pitch|quote|pricing|prices|price|demo|deck|suggestion|' +
      'product|solution|tool|platform)',
    'how much (?:is|does|do|would|will)',
    "(?:what|which)(?:'s| is| are| would| does)? (?:the|your|it|this) (?:price|cost|" +
      'pricing|difference|timeline|catch|process|delivery|minimum)',
    '(?:a|the|short|quick|15[ -]min\\w*|30[ -]min\\w*) (?:meeting|demo|call|slot|' +
      'chat)~(?:on(?!\\p{L})|next|tomorrow|this|works|monday|tuesday|wednesday|' +
      'thursday|friday)',
    '(?:tomorrow|monday|tuesday|wednesday|thursday|friday|next week|next month|' +
      "\\d ?(?:am|pm|o'clock))~(?:works|suits|is (?:good|fine|better|ok)|would work|" +
      'for me)',
    "(?:i've|i have|i) (?:already )?(?:forwarded|passed|cc|copied|looped|introduced|" +
      'discussed|read|looked|checked|reviewed|shared|talked|spoken|spoke)\\b',
    "(?:cc'd|copying|looping|adding|cc'ing) (?:in )?\\w+|follow up (?:in|next|again)",
    '(?:get back to me|try (?:me )?again|reach out again|check back|ping me|' +
      'circle back|contact me again|touch base|write (?:to )?me again)~(?:in(?!\\p{L})|' +
      'next|after|later|when)',
    'revisit|reconsider|(?<!(?:will|and) )(?:pick this up|come back to this)',
    'our (?:current|existing) (?:provider|supplier|vendor|contract|partner|agency|' +
      'tool|solution)',
    "(?:isn't|is not|not) (?:a )?(?:priority|something we)|who (?:gave|are you)",
    'where did you',
  ],
  talk: [
    "(?:i|we)(?:'ll| will|) (?:don't|do not|can't|cannot|won't|would|could|ask|check|" +
      'let|talk|try|think|will think|guess|hope|like|liked|love|need|use|buy|make|' +
      'decide|wonder|saw|tried|met|remember|agree|understand|just|only|also|had|did|' +
      'was|were|checked|found|fixed|attached)\\b',
    '(?:can|could|do|would|will|did|have|are) you\\b|(?:can|could|should|shall) we\\b',
    'what (?:is|are|does|do|would|exactly|kind|about)',
    'how (?:does|do|is|many|long|did|are)',
    'my (?:colleague|boss|manager|team|wife|partner)\\b',
    '(?:interest|price|pricing|cost|budget|quote|demo|meeting|contract)',
    'next (?:quarter|year|spring|summer|autumn|fall|week)\\b',
    '(?:yes|no|ok|okay|sure|great|perfect|thanks|cool)\\b[,.!]',
    '(?:talk|speak) (?:soon|to you|tomorrow)|good question',
    'as (?:discussed|promised|agreed)|attached',
    'you (?:are|were|can|should|mentioned|wrote|said|asked|sent)',
  ],
  keeps: [
    '(?:talk|speak|write|come|turn) to me(?!\\p{L})|(?:ask|use) me (?:directly|instead)|after that',
    '(?:can|could|will|want to|would like to|love to|like to|free to|able to) (?:talk|speak|chat|hear (?:it|more|about)|meet|discuss)',
    'go ahead|swing (?:me|by)|stop by|drop by|what (?:would|do) you (?:charge|need|suggest|recommend)|(?:\\d ?(?:am|pm)|tomorrow|monday|tuesday|wednesday|thursday|friday) (?:works|suits|is (?:good|fine)|ok)',
    "happy to|glad to|sounds (?:good|interesting|great|fine)|let's",
    'let us (?:talk|speak|meet)|interested',
    '(?:call|ring|phone|text|whatsapp) (?:me|us|instead)\\b',
    'give (?:me|us) a (?:call|ring|shout)',
    '(?:just|rather|prefer|better|please|easier|instead)~(?:call|phone|ring|whatsapp|' +
      'teams|linkedin)\\b',
    '(?:e-?mail|mail|writing|phone|letter)~(?:works|is(?!\\p{L})|are(?!\\p{L}))' +
      ' (?:\\\\w+ )?(?:better|best|fine|easier|preferred|enough|ok)',
    '(?:by|via|over) (?:phone|e-?mail|mail|post|letter|whatsapp) (?:please|only|' +
      'instead|is|works)',
    '(?:send|e-?mail|share|tell|give|forward) (?:me|us) (?:the |a |an |your |some |' +
      'more |just )*(?:details|pricing|prices?|info|information|brochure|deck|proposal|' +
      'quote|offer|samples?|catalog\\\\w*|references?|one)\\b',
    'how much|looking forward',
    '(?:contact|write|reach|try|talk|ask|e-?mail)~(?:again in|again next|' +
      'in (?:january|february|march|april|may|june|july|august|september|october|' +
      'november|december|autumn|spring|fall|q[1-4]|\\\\w+ weeks?|\\\\w+ months?)|' +
      'next (?:year|quarter|month|week)|instead\\b)',
    '(?:your offer|the offer|your proposal) (?:is|looks|sounds)',
    'want to (?:talk|buy|see|hear more|know)',
    '(?:book|schedule|set up) a (?:call|meeting|demo)',
    'keep (?:me|us) (?:posted|in the loop|updated)',
  ],
};
