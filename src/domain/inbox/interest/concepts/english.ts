import type { Vocabulary } from './concepts.ts';

export const english: Vocabulary = {
  words:
    'the|and|you|for|is|to|of|we|are|your|have|not|it|this|that|with|me|my|a|in|on|at|no|do|can|please|our|i|be|as',
  not: "not.|no.|n't.|don't|doesn't|isn't|aren't|won't|can't|cannot|haven't|hasn't|never|nothing|without|nope|nobody|neither|nor.|wouldn't|didn't|wasn't|unable|unfortunately|afraid|sorry|regret|none.|any more|anymore|no longer",
  interest: 'interest|curious|keen|intrigu|curiosity',
  like: 'great|good|sounds|perfect|love|like the|like it|like what|excellent|useful|helpful|promising|relevant|fantastic|brilliant|super.|ideal|valuable|timely|convinc|exactly what|what we need|right moment|right time|help us|could use|caught my|attention',
  want: "would like|'d like|want|happy to|glad|keen to|love to|open to|eager|looking for|looking forward|in the market|struggl|pain point|evaluat|consider|comparing|shortlist|planning a|have a need|could use|willing|choosing a|see the offer|be happy to|open to a",
  yes: 'yes|sure|absolutely|definitely|of course|certainly|ok.|okay|yep|yeah|agreed|count me|go ahead|why not|by all means|indeed',
  send: 'send|forward the|forward some|share|email me|mail me|mail us|e-mail me|shoot me|provide|show me|tell me more|tell us more|hear more|learn more|know more|see more|find out|take a look|have a look|look at|review',
  material:
    'info|detail|brochure|deck|presentation|catalog|document|material|case stud|reference|sample|portfolio|pdf|leaflet|one-pager|video|example|trial|pilot|analysis|audit|proposal|contract.~send|terms|conditions|datasheet|further',
  offer: 'offer|quot|proposal|estimate|bid.',
  price:
    'price|pricing|cost|rate.|rates|fee.|fees|charge.|how much|tariff|per month|per user|vat.|expensive|cheap',
  need: 'need|requir|demand|use for|use of|necess|benefit|point in|sense for|value for',
  have: "have.|we've|i've|has.|got.|use.|using|work with|working with",
  already:
    'already|existing|current supplier|current provider|long-standing|for years|just signed|recently',
  supplier:
    'supplier|provider|agency|vendor|partner|someone who|somebody who|competitor|solution|system|accountant|another company|external|outsourc|third part|framework|arrangement',
  content:
    "happy with|satisfied|all set|covered|we are good|we're good|i'm good|am good|well served|well looked after|taken care|sorted|content with|pleased with|everything we need|suits us|fine with|fine as|good with what|sufficient|enough|met.|well catered|fixed up|set up with|catered for|stick with|stay with|sticking|staying|fully equipped|trusted partner|have this covered|same people",
  own: 'in-house|inhouse|ourselves|myself|internally|own team|own people|our own|do it all|by ourselves|do this ourselves|on our own|built our own',
  fit: 'fit.|fits|suit|relevant|match|apply to|applies|applicable|our thing|for us.|for me.|what we do|our business|what we are looking|our strategy|our scope|in line with|align|concept|appropriate|industry|line of work|bakery',
  switch:
    'change.|changing|switch|replace|move away|swap|different provider|another provider|other provider|go with another|chosen|gone with|decided against',
  refuse:
    "decline|pass.|pass on|reject|refuse|turn down|say no|no thank|thanks but no|not interest|don't want|do not want|not take this|not pursue|won't be taking|opt out|give it a miss|good luck|best of luck|wish you|every success|not proceed|not go ahead|not moving forward|leave it|count us out|not for us|not for me|no interest|no need|out of the question|not needed|not required|not be making use|prefer to work|don’t see a need|not on our agenda|a no from|waste of money|don’t buy|stop you there|would ever use|at the moment or in future",
  start:
    'start|proceed|get going|next step|sign us|sign me|sign up|try it|try this|test|order|move forward|moving forward|do it|trial|pilot|get started|give it a|give this a|on board|onboard|in.$|contract over|where do we sign|kick off|buy|purchase',
  later:
    'later|future|down the road|some day|someday|one day|eventually|another time|other time|in due course|not yet|just yet|too early|too soon|prematur|when we need|if we need|if that changes|should that change|when the time|if anything changes|if things change|when things|once we|once the|if the need|should we|as and when|for now|time being',
  period:
    'month|week.|weeks|year|quarter|q1|q2|q3|q4|spring|summer|autumn|winter|fall.|january|february|march|april|june|july|august|september|october|november|december|easter|christmas|holiday|fiscal|season|half-year|half year|20\\d\\d',
  now: 'at the moment|right now|currently|at present|at this time|at this stage|presently|this year|this quarter|for the moment|today|just now|for now|at this point|as of now|these days',
  again:
    'again|back to|come back|get back|check back|circle back|revisit|follow up|follow-up|remind|return to|re-contact|recontact|pick this up|pick it up|check in|ping me|touch base|try me|reconnect|reach back|re-visit|back in',
  contact:
    'contact|reach|get in touch|write to|speak to|speak with|talk to|address|email them|drop|direct this|direct your|try.|ask.|turn to|approach|connect with|liaise|refer',
  budget: 'budget|funds|money|spending|spend.|financ|cash|afford|allocated|frozen|freeze',
  busy: 'busy|capacity|priorit|timing|swamped|bandwidth|resources|overload|stretched|plate|bad time|workload|snowed|tied up|good time|right time|resourc|flat out|hands full|middle of|restructur|moving office|renovation|refurb|reorgan|short-staffed|strategy|stopped|more staff|merge|on ice',
  contract: 'contract|agreement|renew|signed|tied|expires|runs out|runs until|term.',
  wait: 'wait|until|postpon|on hold|hold off|after.|pause|delay|park.|parked|shelv|defer|put off|put this|before we|closed for|frozen|before the new year|too soon|sit on this|fortnight',
  keep: 'keep|on file|in mind|saved|stay in touch|bookmark|note of|details on|posted|on the radar|on my radar|up to date',
  talk: 'call.|calls.|phone|ring.|talk.|talk on|chat|speak.|speak on|meet|appointment|demo|zoom|teams.|conversation|discuss|video call|video chat|coffee|catch up|jump on|hop on|visit|come by|drop by|conference|google meet|face to face|in person|minutes',
  weekday:
    'monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon.|tue.|tues.|wed.|thu.|thurs.|fri.|tomorrow|next week|this week|this afternoon|morning|afternoon|noon|midday|evening|lunch|coming days',
  clock:
    "\\d{1,2} ?(?:am|pm)|\\d{1,2}[:.h]\\d\\d|o'clock|half an hour|half past|at \\d|\\d(?:st|nd|rd|th).",
  calendar:
    "calendar|slot|availab|schedule|invit|diary|calendly|book.|booked|book a|free on|free to|i am free|i'm free|are you free|free for|work for you|works for me|works for you|suit you|suits you|suits me|what time|which day|what day|let me know when|when are you|when can|times.|date.|arrange|set up a|pencil",
  colleague:
    'colleague|boss|manager|director|head of|owner|ceo|cto|cfo|successor|partner.~she|business partner|son|assistant|chief|supervisor|replacement|counterpart|principal|secretary|landlord|coworker|co-worker|team lead',
  department:
    'department|headquarter|head office|procurement|purchasing|human resources|hr.|marketing team|it team|accounts|group|parent company|management|board.|office in|branch|sales team|operations|technical team|buying|facilities|our web agency|council|central|reception|technical side|ops|general inbox|estates',
  charge:
    'in charge|responsible|looks after|handles|handle this|handled by|deals with|deal with|decide|decision|takes care|take care of that|right person|best person|right contact|point of contact|person to|authority|owns this|my area|my department|my role|my remit|oversees|manages|dealt with|runs.|remit|better placed|contact for|contact person',
  wrong:
    "wrong person|wrong contact|wrong address|wrong company|wrong guy|wrong department|not the right|not the correct|not the best|mistaken|somebody else|someone else|not me|isn't me|not my|no longer the|nothing to do with|only the|just the|just an|misdirected|meant for|confus|not me|different .{0,20}sons|not involved",
  passedOn:
    "forwarded|passed|passing|copied|copying|in copy|cc.|cc'd|cc'ing|ccing|looping|looped|adding|handed|shared your|relayed|redirected|transferred|pass this|pass it|will forward|put in copy|sent it on|sent this on|putting|passed your|asked my colleague|give your message",
  left: "left the|has left|no longer work|no longer with|no longer at|no longer here|retired|doesn't work here|does not work here|changed job|moved on|changed department|don't work|do not work|isn't with|not with us|used to work|new role|passed away|resigned|no longer hold|no longer employed|sold the business|taken over",
  somebody: 'mr.|mrs.|ms.|miss.|dr.|he.|she.|him.|her.|they handle|his.|@',
  ask: "what.|how.|where.|which|who.|why.|when.|whose|wondering|question|clarify|explain|understand|may i ask|tell me what|what's|how's",
  youDo:
    'do you|does it|does your|can you|can it|could you|are you|is it|is there|are there|is your|is this|have you|will you|would you|does that|do we|is the|did you|does the|can we|can i|your product|your company|your software',
  thanks: 'thank|thx|cheers|appreciate|kind of you|grateful',
  but: 'but.|however|though|although|except|instead|unless',
  we: "we.|we're|we've|we'd|we'll|us.|our.|ours.|company",
  me: "i.|i'm|i've|i'd|i'll|me.|my.",
};
