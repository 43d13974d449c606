"""
The signs by which a clause asks: questions, requests, conditions with an offer, and assumptions open to objection.

Patterns expect casefolded text with the marks of :mod:`recfw_books.user.lexicon`; a tag stands as ``§``, a title as
``¤`` (see :mod:`recfw_books.user.turns`).
"""

import re

from recfw_books.user.lexicon import either

ANY = r"[NV][GLCYFN]"
NOUN = r"N[GLCYF]"
_AUX = (
    r"(?:do|does|did|would|will|could|can|should|shall|may|might|must|is|are|was|were|has|have|had|need|am|"
    r"don't|doesn't|isn't|aren't|won't|wouldn't|couldn't|can't|shouldn't|haven't|hasn't|didn't)"
)
_SUBJECT = (
    r"(?:you|i|we|it|there|this|that|these|those|the|a|an|any|anything|anybody|either|both|all|one|some|"
    r"something|"
    r"someone|somebody|your|my|they|he|she|its|other|others|more|another|everything|nothing|no|N[GLCYF]|"
    r"V[GLCYFN]|[§¤]|older|which|what)\b"
)
_WH = (
    r"(?:what|which|whichever|whatever|when|where|how|whose|who|why|whether)(?:'s|'re|'d|'ll)?\b(?! an? |"
    r" wonderful| lovely| great)"
)
_LEAD = (
    r"(?:(?:and|but|so|or|also|then|now|well|ok|okay|hmm|oh|ah|right|first|second|third|next|finally|"
    r"lastly|just|please|perhaps|maybe|"
    r"again|sorry|thanks|great|perfect|got it|sure|plus|yaar|hi|hello|hey|one more thing|by the way|"
    r"otherwise|if so|if not|and if not|"
    r"in that case|instead|only|still|lastly|besides|q\d|quick question|\(?[a-h1-9][).])[ ,:]{0,3}+){0,6}"
)
ONSET = re.compile(
    rf"{_LEAD}"
    + either(
        rf"{_AUX} (?:not )?{_SUBJECT}",
        r"(?:(?:in|into|from|for|on|to|by|as|of|with|at|about|around|since|before|after|until|under|"
        rf"between|within) )?(?:roughly |about |exactly |approximately )?{_WH}",
        r"(?:any|anything|anyone|got any|got an?|have any|need any|want any|care for|care to|fancy|"
        r"prefer|looking for|mind)\b(?! way| rate| case| luck|time)",
        r"(?:were|was|had|should) (?:you|there|i)\b",
        r"(?:how|what) about\b",
    )
)
# A word order of questions though the question mark is missing.
UNMARKED = re.compile(
    rf"{_LEAD}"
    + either(
        r"(?:do|would|are|could|can|will|did) you\b(?! (?:know|go)[.!])",
        r"(?!how (?:nice|good|great|lovely|wonderful|sad|funny)\b)(?:what|which|how|when|where)(?:'s|"
        r"'re)? (?:[\w§¤'-]+ ){0,4}?(?:do|does|would|are|is|should|"
        r"shall|u|suits?|you)\b(?! (?:i|we|available|left|in the|why|how|what)\b)",
        rf"(?:(?:in|from|for|on|by|as|of) )?(?:what|which|whose) (?!an? )(?:\w+ )?{ANY}\b",
        r"N[GLCYF] (?:should|shall|do|would|must|can|could|may|is|does) (?:the|it|you)\b",
        r"(?:what|which) (?:\w+ ){1,2}you (?:want|like|need|prefer|after)",
        r"(?:what|anything|any others?|who) ?(?:else|more)?$|what else\b|anything else\b|any more\b",
        rf"(?:any|got any|got a) (?:\w+ ){{0,3}}?(?:{NOUN}|preferences?|requirements?|wish(?:es)?|limits?|"
        r"constraints?)",
        r"(?:is|are|does|can|would|should|must) (?:it|they|the book) |(?:is|are) there (?:an?|any|anything|"
        r"something)\b|there must be (?:more|something)|anything you",
    )
)
_TELL = (
    r"(?:click|tap|tell|give|name|say|specify|mention|state|indicate|share|provide|describe|clarify|list|supply|"
    r"confirm|pick|choose|select|"
    r"enter|add|explain|reveal|disclose|elaborate|expand|define|detail|remind|send|drop|fill|spell out|"
    r"help me|enlighten|note|"
    r"write|type|answer|reply|respond|go on|carry on|continue|speak up|shout|narrow|outline|settle|"
    r"decide|sketch|inform|advise|"
    "complete|let me know|be (?:more )?(?:specific|precise)|point|rank|pass on|throw in|start with|begin with)"
)
_ADV = (
    r"(?:(?:please|kindly|do|also|first|at least|briefly|maybe|perhaps|possibly|just|quickly|simply|then|"
    r"now|always|either|"
    r"still|further|so|help me and|go ahead and|by all means|be so kind as to|be sure to|even|only|ever|"
    r"again)\b,? ?)*"
)
_ME = (
    r"(?: (?:me )?(?:i|that i|so\b|you)\b| me (?:go|see|check|look|search|try|propose|suggest|tell|show|"
    r"give|present|read|start|begin|"
    r"run|find|take|have|put|sort|recap|sum|explain|offer|guess|be|also|first|then|just)\b| (?:from|out|"
    r"by|with)\b)"
)
_KNOW = (
    r"(?:know|hear|learn|understand|ask|find out|figure out|establish|get|clarify|pin down|confirm|"
    r"settle|determine|be told|"
    r"be (?:sure|certain|clear)(?! (?:that|if|whether) (?:the (?:catalog|tool|search)|it|this|we)\b)|"
    r"make sure|have|check with you|check (?:if|whether|what|which) you|"
    r"see (?:if|whether|what) you)"
)
_I = "(?:i|we)(?:'d| was| were|'ll|'m|'ve|'re| would| will| am| have| are| do| shall| should| could)?"
_MILD = (
    r"(?: (?:also|just|still|only|really|first|therefore|rather|now|quite|much|very|so|actually|all|do|"
    r"simply|ideally|maybe|indeed|yet|even|always|love|then|going to))*"
)
REQUEST = re.compile(
    either(
        # "Without the genre I can't go on", "everything hinges on the year", "the choice is yours"
        r"\b(?:without (?:knowing |more on |more about )?|unless i know |until (?:you (?:tell|say|name|give)|"
        r"i know) .{0,12})(?:your |the |an? |its |which |what )*N[GLCYF]\b",
        r"\b(?:hinges?|depends?|turns?|rests?|stands or falls|comes? down|boils? down|"
        r"hangs?) (?:\w+ )?(?:on|to|with) (?:your |the |which |what )*N[GLCYF]\b",
        r"\b(?:hasn't|haven't|has not|have not) (?:yet )?(?:been|come up|talked|discussed|spoken|touched|"
        r"covered|got to|settled|agreed)\b",
        r"\bneither .{3,40} (?:has|have) (?:come up|been)\b|\byet to (?:discuss|settle|talk|hear|learn|"
        r"agree|establish|decide)\b",
        r"\bthere(?:'s| is| are) (?:still|also|only|just|one|the (?:matter|question))\b|\bbrings? (?:me|"
        r"us) to\b|\blet me hear\b",
        r"\bwould (?:let|allow|enable) me\b|\b(?:go|be) (?:much |far )?(?:faster|easier|quicker) (?:with|"
        r"if)\b|\bi(?:'m| am) sure\b|\bi don't think\b",
        r"\b(?:isn't|not|aren't) (?:\w+ )?clear\b|\b(?:meant|forgot|forgotten) to ask\b|^(?:next|last|"
        r"first|now)(?: \w+){0,4} (?:is|are|comes?) (?:the |your )?N[GLCYF]",
        r"\bwould make (?:the|a|all the) (?:\w+ )?difference\b|\bthat(?:'s| is) the question\b|\bnow(?:'s|"
        r" is) the time\b",
        r"\bany (?:\w+ )?(?:details?|information|hints?|clues?) (?:helps?|will do|would do)\b",
        r"\bthe more i know\b|\bi must know\b|\bnone the wiser\b|\bhelp me (?:out )?with\b|\bjust (?:the |"
        r"a )?N[GLCYF] to go$",
        r"\b(?:box|line|field|slot|space) .{0,30}\b(?:empty|blank|open)\b|\b(?:empty|blank|open) (?:box|"
        r"line|field|slot|space)\b",
        r"\bwe (?:now )?(?:come|get|turn) to (?:the |your )?N|^(?:last but not least|finally|lastly)\b|"
        r"\byou alone (?:can|know)",
        r"\b(?:search|form|tool|query) needs\b|\bopen to (?:hearing|more|any)\b|\bi leave .{0,20} to you\b",
        r"\b(?:i|we) (?:\w+ )?(?:need|have|want) to (?:agree|settle|decide|discuss|talk about|establish|"
        r"pin down|fix)\b",
        r"\bstuck (?:with|on|for)|\bchoice between .* is yours|\b(?:i|we)(?:'m| am|'re| are) after (?:your|"
        r"the|an?)\b|\bi(?: only| just)? ask (?:about|for|after|because)",
        r"\b(?:walk|run|talk|take) me through\b|\bpaint me\b|\bput me in the picture\b|\btalk to me\b|"
        r"\blay it on me\b",
        # "Tell me ...", "please specify", "..., so name a country"
        r"(?:^|[,;:.(\u2026] ?(?:and |so |but |or |then )?|\b(?:and|but|so|then|please|pls|kindly|"
        rf"or) ){_ADV}{_TELL}\b(?!{_ME})",
        r"\b(?:let me know|tell me|let me have|hit me with|put me in the picture|clue me in|"
        r"get back to me|come back to me)\b",
        r"\bif (?:i (?:had|knew|could (?:know|have))|you (?:gave|told|named|could (?:tell|give|name|say|"
        r"share)|would (?:tell|give|name|say)|said|mentioned|supplied|shared|let me))\b",
        r"\b(?:you'd|you would|you'll|you will|you) (?:need|have|want|ought|only have|just have|"
        rf"still have|still need) to {_TELL}\b",
        rf"\b(?:kind|good|nice|helpful|great|lovely|sweet|decent|gracious) of you to {_TELL}\b",
        r"\bdo the needful\b",
        r"\b(?:mentioning|intimat\w+|telling|naming|stating|specifying|giving|sharing|supplying|picking|"
        r"choosing) (?:any|me|your|the|an?|which|what|all)\b",
        r"\b(?:one|only|last|sole|single|big|main|remaining|biggest|great) (?:\w+ )?(?:blank|gap|hole|"
        r"piece|thing|unknown|question|point|doubt|detail|mystery|item|open|bit|riddle|uncertainty)s?\b",
        r"\b(?:thing|point|bit) i (?:haven't|have not|don't|didn't|can't)\b",
        r"\byou (?:haven't|have not|didn't|never|have yet to|still haven't) (?:yet |ever |actually |"
        r"really )*(?:told|said|mentioned|given|named|specified|stated|brought up|touched|to (?:tell|say|"
        r"mention))\b",
        r"\b(?:drawing a blank|can't work out|can't make out|cannot place|can't place|(?:has|have|'s|"
        r"'ve) (?:escaped|eluded|slipped)|sa(?:y|ys|id) nothing|tells? me nothing|don't show|"
        r"doesn't (?:show|say)|is anybody's guess|is a mystery|i've no|no word|heard nothing|"
        r"not (?:yet )?heard|(?:fill|close|plug) (?:that|this|the) gap|is the (?:gap|hole|blank)|"
        r"(?:awaiting|required|needed|wanted|pending|to be (?:filled|answered|decided)|open|missing|"
        r"nothing yet on|curious about)(?= ?:| N))\b",
        r"\b(?:permit|allow) me to (?:ask|enquire|inquire)",
        r"\b(?:furnish|declare|submit|hand over|jot down|put down|tick|quote|divulge|indicate|mark|enter|"
        r"key in|type in)\b (?:your|the|a|an|which|what|any|all|N[GLCYF]|:)",
        r"\bkindly\b|\bif you(?:'d| would| could|'ll| will) be so (?:good|kind)",
        r"\bif you (?:please|would|don't mind)$",
        r"\b(?:your|a|any) (?:wishes|thoughts|views|wish|preference|feelings|word|input|steer|idea|"
        r"opinion|guidance|pointer|hint|clue|indication)s? (?:on|about|as to|regarding|for|"
        r"concerning) (?:the |its |a )?N",
        r"\b(?:would|could|can|might) (?:really )?(?:help|do|use)(?: me| us)?(?: no end| a lot| too|"
        r" already| nicely)?$",
        r"\bno end\b",
        r"\b(?:blanks?|gaps?|holes?|questions?|unknowns?|points?|boxes) (?:remain|left|open|to go)\b",
        r"\blet's (?:hear|talk about|say (?=.*shall we)|pin down|settle|discuss|turn to|move on to|start with|"
        r"tackle|fix|decide|"
        r"clear up|clarify|sort out|establish|determine|agree on)\b",
        r"\bwhy (?:not|don't you) (?:tell|name|say|give|pick|choose|share|start)\b",
        r"\bthere remains?\b|\bremains the\b|^(?:still |now )?(?:awaiting|required|needed|wanted|pending|"
        r"missing|open|unknown)$",
        r"\bmust be (?:more|something)\b",
        r"\bknowing .{3,60} (?:would|will|could|might|helps?)\b",
        # "Could you share ...", "would you be so kind as to say", "may I ask", "can I have"
        rf"\b(?:could|can|would|will|might|may|won't) you {_ADV}(?:mind )?(?:be (?:so kind as|willing|"
        rf"able) to )?(?:like to |care to )?{_TELL}\b",
        r"\b(?:may|might|could|can) i (?:please |just |also |at least |perhaps )?(?:ask|know|have|get|"
        r"learn|hear|trouble|bother|inquire|enquire|confirm|double-check|check (?:with|that|if|"
        r"whether) you)\b",
        r"\b(?:let me|allow me to|i must|i have to|i need to|i want to|i'd) (?:just |also |first |"
        r"quickly )*(?:ask|confirm|double-check|make sure)\b",
        r"\bmind (?:telling|sharing|saying|letting|giving|specifying|naming|me asking|if i ask)",
        r"\bcare to (?:tell|share|say|name|specify|add|elaborate)",
        # "I'd like to know ...", "I need your ...", "I'm missing ..."
        rf"\b{_I}{_MILD} (?:like|love|need|want|prefer|glad|happy|curious|keen|eager|interested|dying|"
        r"hoping|trying|hope|got|have|be (?:glad|happy|grateful|pleased|delighted|interested|"
        rf"curious))(?: you)? to {_MILD}? ?{_KNOW}\b",
        rf"\b{_I}{_MILD} (?:need|require|like|love|enjoy|lack|miss|await|appreciate|welcome|be (?:grateful|"
        r"glad|thankful) (?:for|of)|"
        r"could (?:use|do with)|use|do with|be grateful if) ?(?:you\b|your|the\b|an?\b(?! (?:moment|minute|"
        r"second|while|bigger|larger|better|different)\b)|it\b|another\b|some|"
        r"more|any|further|additional|information|details|one\b|two\b|three\b|four\b|five\b|just|only|"
        r"a few|few|at least|every|N[GLCYF]|V[GLCYFN]|from)",
        rf"\b{_I}{_MILD} (?:missing|lacking|short of|waiting (?:for|on)|in the dark|unsure|uncertain|"
        r"not (?:yet |quite |entirely |so )?(?:sure|certain|clear)|curious|wondering|unclear|at a loss|"
        r"asking|wonder(?! (?:how|at|that|what) (?:any|some|people|it|he|she))|wish (?:i|you|we)|"
        r"wondered|interested in (?:your|what|which|whether))\b",
        rf"\b{_I}{_MILD} (?:don't|do not|haven't|have not|can't|cannot|couldn't|didn't|have no|"
        r"have nothing|has no)(?: yet| quite| really| actually| even)? (?:know|have|got|heard|tell|catch|"
        r"get|idea|clue|information|notion|word|N[GLCYF]|on|about)\b",
        rf"\b{_I}{_MILD} (?:have|got|have got) (?:just |only |still )?(?:a|one|two|three|some|another|"
        r"\d) (?:\w+ ){0,2}?(?:questions?|things to ask|requests?)\b",
        rf"\b{_I}{_MILD} (?:need|want|like|require|have) (?:to )?(?:you )?to (?:tell|say|choose|pick|"
        r"decide|give|name|specify)\b",
        # "It would help to know ...", "Knowing the ... would help"
        r"\b(?:helps?|helpful|useful|good|great|nice|handy|lovely|wonderful|invaluable|interesting|"
        r"easier|best|important|essential|ideal|kind|worth|grand|brilliant|grateful|glad|appreciate it|"
        r"faster|quicker|better|thankful)(?: for me| of you| me| us| a lot| enormously| greatly| indeed|"
        r" help| most| so much| immensely)* (?:to (?:know|hear|have|learn|be told|get)|if (?:you|i knew|"
        r"i had|i could)|knowing|were you to|when you)\b",
        r"\b(?:knowing|hearing|learning) (?:your|the|which|whether|what|if|how|a|an|more|where|when|"
        r"about|[NV][GLCYFN])\b",
        r"\b(?:a word|a hint|a clue|a pointer|a note|guidance|some indication|an idea|a rough idea|input|"
        r"information|details|info|thoughts) (?:on|about|of|as to|regarding|"
        r"concerning)\b.{0,60}\b(?:help|welcome|appreciated|useful|great|good|wonderful|handy|perfect|"
        r"nice|enough|do)\b",
        r"\b(?:would|will|could|might) (?:\w+ )?(?:be (?:\w+ ){0,3}?(?:great|good|nice|lovely|wonderful|"
        r"perfect|appreciated|welcome|helpful|"
        r"useful|good to know|handy|valuable|of (?:great )?(?:help|use)|a (?:\w+ )?help)|help(?: me)?)\b",
        r"\b(?:is|are)(?: always| very| most)? (?:welcome|appreciated)\b",
        # "Feel free to ...", "you're welcome to ...", "speak up"
        r"\b(?:feel free|don't hesitate|do not hesitate|don't be (?:shy|afraid)|no need to (?:hold back|"
        r"be shy)|you(?:'re| are) (?:very |most )?(?:welcome|free) to|you (?:can|may|could|"
        rf"might) {_ADV}{_TELL}|happy to hear|open to hearing|all ears|i'm listening|say so|say the word|"
        r"do tell|fire away|over to you|up to you|speak up|you tell me|your (?:turn|call|choice|pick|"
        r"decision)|(?:decision|choice|call|pick) is yours|leave (?:\w+ )?to you|only you (?:can|know)|"
        r"yours to (?:make|decide|choose)|for you to (?:say|decide|choose|judge))\b",
        # "What's left to clarify is ...", "still missing: ...", "That leaves the year."
        r"\b(?:left|remains?|remaining|still|yet|now|also|only|just|have|need|needs|is|"
        r"are) (?:\w+ )?(?:to (?:clarify|settle|know|fix|decide|be (?:settled|clarified|decided|fixed|"
        r"filled in?|answered|determined))|missing|outstanding|unclear|unanswered|undecided|unsettled|"
        r"needed|pending|lacking|blank|up to you|for you to (?:say|decide|choose|tell))\b",
        r"\b(?:still|yet|remains?) (?:an )?(?:open|unknown|unspecified)\b",
        r"\b(?:that|which|it|only|this) (?:only )?leaves\b",
        r"\b(?:all|what|thing|piece|bit|detail|everything|one|things|question|point)(?: that)? (?:i|"
        r"we)(?:'d|'m| would| do| am)?(?: (?:still|now|also|really|do))? ?(?:need|lack|lacking|miss|"
        r"missing|like to (?:know|ask)|want to (?:know|ask)|wonder|(?:can't|don't|cannot) (?:know|see|"
        r"tell))\b",
        r"\b(?:is|are) (?:the |a )?(?:\w+ )?(?:missing|open) (?:piece|link|bit|point|question)",
        r"\b(?:missing|open|unanswered) (?:is|are|piece|pieces|points?|questions?|bits?|items?|fields?|"
        r"details?)\b",
        r"\b(?:next|first|last|final|one|my|another|quick|two|three|remaining|"
        r"the) (?:\w+ )?questions?(?: for you)?\b(?= ?[:,;.]| (?:is|are|concerns?|remains?|then)\b)",
        r"\b(?:would|could|will|might) (?:decide|settle|narrow|cut|shorten|reduce|tell me)\b.{0,60}",
        r"it's (?:the )?N[GLCYF](?: and the N[GLCYF])? (?:i'm|i am|that i|i|we)\b",
        r"\bdepends on (?:your|what you|which|how you|whether you|the N)|\bi(?:'m| am) asking\b|"
        r"\bplease$",
        r"\bmissing : |\bneeded : |\bwanted : ",
        r"\byou (?:haven't|have not|didn't|never) (?:yet )?(?:told|said|mentioned|given)\b.{0,60}\bso\b",
    )
)
# "If you have a language in mind, ...", "Should you need it on paper, ...", "Unless you say otherwise, ...".
CONDITION = re.compile(
    rf"{_LEAD}"
    + either(
        r"(?:if|in case|when(?:ever)?(?= you)|as soon as|once|provided) (?:there(?!(?:'s| is| are)? (?:no|"
        r"nothing))(?:'s| is| are)?|any|either|i (?:have|had|know|knew)|i(?:'ve| have)? (?:overlooked|"
        r"missed|forgotten|left out)|"
        r"something(?:'s| is) missing|any of|the|a|it (?:has|must|should|needs|matters|is to)|"
        r"N[GLCYF]|V[GLCYFN]|you(?:'d|'ve|'re)? (?:\w+ ){0,2}?(?:any|have|want|need|require|prefer|like|"
        r"would|care|had|are|do|read|insist|mind|object|could|can|tell|give|name|say|let|share|wish|know|"
        r"mention|favour|favor|lean|think|feel|'d|don't|specify|told|gave|say|named|only|rather|happen|"
        r"answer|hate|can't|cannot|dislike|avoid))\b",
        r"(?:were|should|had) (?:you|there|it|any|the|N[GLCYF])\b",
    )
)
OBJECTION = re.compile(
    r"\b(?:unless|until) (?:you|i hear|told|you'd|that's|it's|otherwise|instructed|this|that)|"
    r"\bif (?:that's|that is) (?:what you|all right|ok|okay|fine)|\bcorrect me\b|\bstop me\b|\bif (?:i'm|"
    r"i am|that's|that is|this is) (?:wrong|mistaken|not (?:right|"
    r"ok|okay|so|true|what|the case))|"
    r"\b(?:shout|object|protest|say so|speak up|speak now) (?:if|should|in case)\b|\b(?:shout|tell me|let me know|"
    r"say) (?:otherwise|(?:if|should|in case) (?:i'm|i am|i've|i be|that's|this is|it's|that is|that be|"
    r"not|wrong))\b|\botherwise\b.{0,12}$|\bif not,? (?:tell|let|say|shout|please|correct|just|"
    r"speak)|\bif you (?:disagree|object|don't object|do not object|don't mind|have no objections?|mind|"
    r"think otherwise|don't agree|see it differently|want something else|had something else)|"
    r"^true or false\b|\bcontradict me|\b(?:i'm|i am) wrong\b"
)
ASSUMES = re.compile(
    r"\b(?:assum\w+|suppos\w+|presum\w+|take it|taking it|i(?:'ll| will|'m| am|'d) (?:going|go|stick|"
    r"stay|keep|search|use|look|take|limit|restrict|treat|leave|set|ignore|drop|skip|start|proceed|"
    r"default|count|read|be|working|exclud|includ)\w*|i(?:'ve| have) (?:set|limited|restricted|left|"
    r"ignored|assumed|taken|dropped)|guess\w*|reckon\w*|default\w*|will be|goes|gather|i read that)\b"
)
ASKS_LEAVE = re.compile(
    r"\blet's (?:hear|talk|settle|discuss|start with|agree on|pin down)\b|\b(?:may|might|can|"
    r"could) i (?:\w+ )?(?:ask|know|have|get|trouble|bother|hear|learn)\b|^(?:\W|and |"
    r"so |but )*(?:what|which|how|any|anything|where|when)\b"
)
TAG_QUESTION = re.compile(
    r"(?:and |but |so |or )?(?:is|are|was|do|does|did|have|has|would|will|should|can|must)(?:n't|"
    r" not)? (?:it|you|they|that|i|we|there)\W*"
)
_TAIL = r"(?: (?:so far|for you|with you|to you|at all|by you|then|now|all|too|a bit|or not))*\W*$"
AGREES = re.compile(
    either(
        r"^(?:so |and |is that |all |still |that's |is (?:this|it|all (?:this|that)) )*(?:right|correct|"
        r"yes|yeah|no|ok|okay|agreed|true|fine|so|deal|right so far|confirmed?|sounds? (?:good|right|"
        r"about right)|accurate|(?:is|are|was|do|does|did|have|has|would|will|should|can|must)(?:n't|"
        r" not)? (?:it|you|they|that|i|we|there)|am i right|eh|huh|true or false)" + _TAIL,
        r"\b(?:is|are|was|were|am|did|do|have|does|isn't|aren't|haven't|didn't|got) (?:that|this|it|"
        r"those|these|i|we|all|everything|the|my|both|they|you)\b[^?]{0,40}\b(?:right|correct|correctly|"
        r"accurate|accurately|so|understand you|understood(?: you)?|mistaken|true|the case|agree|agreed|"
        r"follow|on the same page|on the right track|warm|close|getting (?:warmer|closer)|properly|straight|well)"
        + _TAIL,
        r"^(?:i |could you |can you |would you |please |just |kindly |do )*confirm(?: (?:that|this|it|"
        r"these|those|please|or correct|or correct me|both|all (?:this|that|of (?:this|that))|if (?:that|"
        r"this|it) is (?:right|correct|so)))*" + _TAIL,
        r"\bplease confirm$|\bcorrect me\b",
        r"\b(?:shout|say so|object|speak up|tell me|let me know) (?:if|should) (?:i'm|i am|i've|that's|"
        r"this is|that is|any of (?:this|that|it)|it's (?:not|wrong)|not)\b",
    )
)
# The user's word on a value just named: "Could you live with that?"
ACCEPTS = re.compile(
    r"\b(?:is|are|was|will|would|could|can|does|do|might) (?:you|that|it|this|those|these|they)\b[^?]{0,30}\b"
    + either(
        r"ok|okay|fine|acceptable|a problem|problem|issue|deal-?breaker|obstacle|hindrance|too \w+|all right|alright",
        r"(?:live|put up|happy) with (?:that|it|this|those|them)|work|that be|bother you|suit you|matter|on board",
        r"be a bother|rule (?:it|them) out|(?:accept|take) (?:that|it|them)|enough|put you off",
    )
    + _TAIL
    + r"|^(?:is|are) (?:that|this|it|those|these) (?:\w+ )?what you (?:need|want|like)$|\b(?:do|would) you mind$"
    + r"|\b(?:would|do) you (?:like|want|prefer) (?:that|it)$|\b(?:will|would) (?:that|it|this|those|these|they) do$"
)
BACKWARD = re.compile(
    either(
        r"\bwhich (?:one )?(?:do|would|is|of (?:these|those|the two|them)|should|shall)\b.{0,30}$",
        r"\bwhat (?:do|would) you (?:prefer|mean|say|want|think)$|\bwhich\W*$|\bwhich (?:applies|it is)",
        r"\b(?:a|any|what's your|what is your|your|have a|strong|either) (?:\w+ )?(?:preference|choice|"
        r"pick|call)$",
        r"\bwhich is (?:better|best|preferable)\b.*$|\bany thoughts$|\bwhat(?:'s| is) it to be",
        r"(?:and|what about|how about) you$|fill (?:that|this|the) gap|\b(?:there|in that respect|on that)$",
        r"\b(?:name|pick|choose|say) (?:one|it|them|which)\b",
        r"\bif you(?:'d| would| could) be so (?:good|kind)\b",
        r"^(?:which|what) (?:should|shall|do|can|may) i (?:enter|put|write|fill in|type|choose|pick|"
        r"select|use|take|look|set|try)\b.{0,8}$",
        r"\bcomment$",
        r"^(?:and |so |but )*which(?: one| ones)? (?:can|may|is|are|would|do|should|shall|suits?|works?)\b",
        r"\bwhat (?:will|shall|should) it be|\bup to you\b|\byour (?:call|choice|pick|word)\b",
        r"\b(?:do|would|does) (?:you|it|that|this|they|either|any of (?:these|those|it))\W*(?:mind|"
        r"matter|care|bother|count|apply|be (?:ok|okay|fine|a problem|all right|acceptable|enough)|do|"
        r"work|help|suit|make a difference|so|trouble)?(?: (?:to|for|with) you| at all| to know| you)?$",
        r"\bdo you\W*$|^(?:is|was|does|did|are) (?:it|that|this|they)$",
        r"\b(?:on|for|about|regarding|as to|with|to|in|of) (?:either|both|each|that|those|these|them|it|"
        r"this|one|any of (?:these|those)|which|all (?:three|of (?:these|those|them)))(?: please| point|"
        r" points| two| three)?$",
        r"\b(?:one|any)(?: of (?:them|these|those))? in particular$|\ba (?:particular|specific) one$",
        r"\bplease\W*$|\blet me know\W*$|\btell me(?: which| please)?\W*$",
        r"\bplease (?:advise|tell|say|specify|choose|pick|let)\b.{0,12}$|\bfill me in\b",
        r"\bfill (?:in|them|these|those)|\bsupply (?:those|these|them|it|that|this)",
        r"\bprovide (?:those|these|them|it|that)",
        r"\b(?:tell|give|name|specify|share|answer|complete|say|clarify) (?:me )?(?:those|these|them|it|"
        r"that|which|both|all (?:three|four|two|of)|the (?:missing|rest))\b",
    )
)
