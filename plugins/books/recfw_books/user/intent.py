"""
The signs by which a clause does *not* ask: negation, report, plan, pitch, verdict, a step of the agent's own.

Patterns expect text as those of :mod:`recfw_books.user.asking` do.
"""

import re

from recfw_books.user.lexicon import either

ANY = r"[NV][GLCYFN]"
NEGATED = re.compile(
    either(
        r"\b(?:no|not any|without any|little|never any) (?:need|reason|obligation)\b(?! to (?:worry|"
        r"hold back|be shy|hesitate))",
        r"(?<!why )\b(?:don't|do not) (?:tell|name|say|give)\b|\b(?:needn't|need not|don't (?:have|need|"
        r"feel obliged|feel you|feel pressed|bother|worry)|"
        r"do not (?:have|need|worry|bother)|doesn't need|(?:fine|okay|ok|all right) (?:not to|to have no)|"
        r"not (?:have|need|required|asking|going to ask|"
        r"ask|necessary)|won't (?:ask|press|bother|trouble|pester|need)|will not (?:ask|press|need)|"
        r"wouldn't ask|shan't|never mind|nevermind|skip|(?<!don't )(?<!do not )forget)\b",
        r"\b(?:none of (?:these|those|them|which) needs?|without (?:asking|telling|a word|your)|"
        r"rather than (?:ask|bother|trouble|press)\w*|instead of (?:ask|bother)\w*|stop asking|"
        r"i can manage|i'd rather not ask|you may keep|keep (?:it|that|them|the N[GLCYF]) to yourself|"
        r"(?<!think )i(?: have|'ve got) (?:all|everything|enough|what i need)|i'm not (?:asking|after)|"
        r"not to (?:tell|say|name|share|reveal|"
        r"answer|ask)|prefer(?:red)? not to|rather not|declin\w+ to|refus\w+ to|unwilling|"
        r"isn't (?:needed|necessary|asked))\b",
    )
)
REPORTED = re.compile(
    either(
        r"\b(?:when|since|because|as|after|once|although|though|while) (?:i|we) (?:\w+ )?(?:asked|"
        r"inquired|enquired|wanted to know)\b",
        r"\b(?:i|we)(?:'ve| have|'d| had)? (?:\w+ )?(?:asked|inquired|enquired|wondered|wanted to know|"
        r"was going to ask|were going to ask|raised)\b(?! (?:you )?(?:again|because))",
        r"\b(?:i|we) (?:may|might|could|will|shall|should|ought to|must|was to|am to|plan to|intend to|"
        r"'ll|'d better|'ll have to|will have to|can)(?: (?:still|also|then|later|first|come back and|have to|"
        r"want to|next|perhaps|probably))* ask\b(?! you (?:now|this|again|straight))",
        r"\b(?:i'll|i will|i'd|i would|i might|i may|i shall|i'm going to|i am going to) (?:come|"
        r"get) back\b",
        r"\b(?:i'll|i will|we'll|we will|i'm going to|i shall) (?:\w+ )?(?:ask|inquire|enquire|raise|"
        r"question)\b(?! again:)",
        r"\b(?:next|later|then),? (?:i|we)(?:'ll| will| shall)\b.{0,12}\bask|will be a question",
        r"questions? (?:will|may|might) (?:follow|come)|\blater on\b",
        r"\b(?:readers?|people|users?|customers?|they|everybody|many|some|he|she|"
        r"friends?) (?:\w+ )?(?:ask|asks|asked|wonder|tell|tells|told)\b",
        r"(?<!if )(?<!once )(?<!unless )\b(?:you|you've|you have|you'd|had) (?:(?!(?:haven't|never|not|"
        r"didn't)\b)\w+ )?(?:told|asked|answered|said|mentioned|declined|stated|gave|given|explained|"
        r"specified|named)\b",
        r"\bthank(?:s| you)(?: very much| so much| a lot)? for\b",
        r"\b(?:was|were|been|are|is) (?:all |both |already )?(?:asked|answered|settled|given|known|clear|"
        r"told|stated|fixed)\b",
        r"\b(?:my|the) (?:question|enquiry|inquiry) (?:about|on|as to|regarding|whether) .{0,60}\b(?:was|"
        r"has been|is) (?:answered|declined|settled|refused)",
        r"\bthat was the question\b|\bthe user\b|\b(?:he|she|they) (?:want|prefer|need|like)s?\b",
    )
)
RECAP = re.compile(
    r"^(?:ok,? |okay,? |so,? |right,? |great,? )*(?:here(?:'s| is| are)\b|so far\b|noted\b|got it\b|"
    r"to (?:sum|recap|summari[sz]e)\b|in summary|summary|you (?:like|want|need|prefer|asked|said|told|"
    r"'re|are)\b|you've\b|my understanding\b|understood)"
)
PLAN = re.compile(
    r"(?:so |then |and |now |ok,? |okay,? )*(?:i|we)(?:'ll| will| shall|'m going to| am going to| can|"
    r" could|'ve| have|'d)\b(?! (?:\w+ )?(?:like|love|need|want|ask|appreciate|prefer)\b)"
)
CONSEQUENCE = re.compile(
    r"(?:and |then |so )*(?:i(?:'d|'ll| will| can| could| would| shall|'m)|we|that(?:'d|'ll| would|"
    r" will)|it(?:'d|'ll| would| will)|so much the better)\b(?! (?:\w+ )?(?:like|love|need|want|ask|"
    r"appreciate|prefer|be (?:glad|happy|grateful) to)\b)"
)
DEALT_WITH = re.compile(
    r"\b(?:so|and so|which is why|and|hence|therefore) (?:i|we)(?:'ve| have)? (?:left|searched|looked|"
    r"took|went|kept|ignored|tried|skipped|assumed|included|chose|picked|used|did|set|treated|started|"
    r"sorted|guessed|cast|(?!need)\w+ed)\b"
)
ALL_BUT = re.compile(
    r"\b(?:everything|all|the rest)\b.*?\b(?:but|except(?: for)?|save(?: for)?|apart from|bar|"
    r"barring)\b(.*)$"
)
THOUGHT = re.compile(r"\bthe user\b|\buser (?:wants|said|declined|asked|needs|prefers|likes|rejected)\b")
RHETORICAL = re.compile(
    r"(?:can you guess|guess (?:what|which|where|who)|ever wonder\w*|did you know|do you know (?:which|"
    r"what|where|when|how)|what do you get when"
    r"|who (?:would|could|does|can)(?:n't| not)?)\b"
)
ANSWERED = re.compile(
    r"then [§¤]|(?:yes|no|because|of course|indeed|absolutely|not at all|easy|simple|simply|the answer|"
    r"that was the question|none|all of them|i think so|"
    r"nothing|everything|everyone|nobody|whatever|somebody|definitely|certainly|exactly|precisely|look no further|"
    r"if you ask me|this (?:book|one|novel)|here(?:'s| is)|then (?:this|look|try|you|here|read)|well, |"
    r"it does|it is|it's|they do|i did|i have|i do|i found|perhaps not|"
    r"hardly|not (?:really|quite|this)|never|probably|you(?:'ve| have) (?:told|said|come)|you (?:told|"
    r"said)|in short|why, |a lot|lots|plenty|all five|two of|three of|neither|both|who knows|i doubt|"
    r"let(?:'s| us| me) (?:see|find|look|check))\b"
)
_GAP = (
    r"(?:(?!(?:you|i|the|it|is|we|are|in|of|for|to|a|do|have|need|want|would|has|must|"
    r"should)\b)[\w'-]+ ){0,4}?"
)
_ITEM = (
    r"(?:ones?|books?|novels?|titles?|proposals?|suggestions?|candidates?|picks?|options?|story|stories|"
    r"classics?|masterpiece|volume|collection|memoir|tale|VG|VY)\b"
)
PROPOSED = either(
    rf"[§¤]|(?<!about )(?<!for )(?<!in )(?<!from )(?<!of )\b(?:this|these|those) {_GAP}{_ITEM}",
    rf"(?<!\w )\bthat {_GAP}{_ITEM}|\b(?:is|about|with|accept|take|want|like|consider|try|will|would|could|"
    rf"does) that {_GAP}{_ITEM}",
    r"\b(?:my|the) (?:(?:first|second|third|last|above|former|latter|latest|new|"
    r"current) )*(?:proposals?|suggestions?|picks?|candidates?|recommendation)\b",
    r"\bthe (?:first|second|third|last|former|latter|other)(?: (?:one|book|novel|title))?(?= (?:one|book|"
    r"novel|title|work|suit|appeal|sound)|$)",
    r"(?<!on )(?<!about )(?<!for )(?<!regarding )(?<!with )\b(?:any|either|one|some|which|both|neither|"
    r"each|none) of (?:these|those|them|the (?:two|three|four|five))\b(?! (?:N|points|countr|thing|"
    r"matter|count|apply|place))",
    r"\bsomething like (?:this|that|[§¤])",
    r"\b(?:is|does|would|will|could|might|did|was) (?:this|that)\b(?= ?$| ?[?,]| (?:an? (?:good|better|"
    r"fit|match|yes|no)|one|the one|acceptable|ok|okay|fine|good|better|work|suit|appeal|sound|fit|match|"
    r"interest|right for|what you|something|more|meet|satisf|up your|to your)\b)",
    r"\b(?:about|how's|like|accept|take|want|consider|try) (?:this|that)(?= ?$| ?[,?§¤])",
)
PITCH = re.compile(rf"{PROPOSED}")
REASON = re.compile(
    rf"\b(?:too|not) (?:\w+ )?{ANY}|{ANY} enough\b|\b(?:was|is|were|are|would|could|might|can|had) (?:it|that|"
    r"they)(?: (?:been|be|have been|perhaps|maybe|only|just|mainly|simply|really|a matter of|because of|"
    r"for|due to|down to|owing to|about))* (?:the |its |their |my |a |an |in |from )?(?:wrong |"
    rf"different |other )?{ANY}|"
    r"\b(?:was|is|were|are) (?:it|that|this) (?:\w+ )?(?:because|that|due)\b|\b(?:trouble|problem|reason|"
    r"issue) (?:that|was|is)\b|\bturn(?:ed)? (?:it|this|that) down\b|\breject(?:ed)? (?:it|this|that)\b|"
    r"\b(?:because of|due to|on account of|down to|owing to|the fault of|"
    r"matter of|fault with|problem with|trouble with|wrong with|object to|objection to|mind|bother\w*|"
    r"put off by|a problem|the problem|the reason|the issue|sticking point|amiss|to blame|the culprit|"
    r"stumbling block|deal-?breaker|ruled? it out|spoil\w*|turn(?:ed)? you off|reason|culprit|at fault|"
    r"go wrong|went wrong|failed|fail)\b"
)
VERDICT = re.compile(
    either(
        r"\b(?:displeas|disappoint|annoy)\w* you\b|\bdo you know (?:which|when|where|what|how|"
        r"(?:the )?N[GLCYF])\b(?!.*\byou)|\b(?:did you learn|do you live|were you born)\b",
        r"\bwhat did you\b|\bwhat(?:'s| is) wrong\b|\bgetting wrong\b|\bwhat(?: was| were)(?! (?:the |"
        r"your )?N)|\bwhat(?:'s the occasion|"
        r"'s your name| is your name| brings| happened)\b|\bwould you (?:like|care|want) to (?:hear|know|"
        r"see|learn) (?:which|when|where|whether|if|who)\b",
        r"\b(?:requirements?|conditions?|wishes|criteria) (?:have|did) i (?:misunderst\w+|got wrong|"
        r"get wrong|br[oe]ken?|violated?)",
        # "Does it match your preferences?", "Did Dune meet the requirements?"
        r"\b(?:meets?|met|match(?:es|ed)?|fit(?:s|ted)?|suits?|suited|satisf(?:y|ies|ied)|ticks?|"
        r"fulfil\w*|line up with|aligns? with|agree with|in line with|respects?) (?:with )?(?:all |any |"
        r"each |every |both |most |one )?(?:of )?(?:your|the|those|these|what|every)\b",
        r"\b(?:did|have|had) you (?:\w+ )?(?:like|enjoy|read|accept|reject|heard|hear|seen|tried|try|"
        r"know|own|come across|finished|loved|liked|enjoyed)\b",
        r"\bhave you (?:\w+ )?(?:read|tried|seen|heard)\b",
        r"\b(?:why(?! (?:not|don't you) (?:tell|name|say|give|pick|choose|share|start))|how come)\b",
        r"\b(?:like|dislike|hate|mind|object to|enjoy)\w* about (?:it|this|that|[§¤])",
        r"\bmissing from (?:it|this)",
        r"\b(?:requirement|condition|criterion|wish|box)s? (?:isn't|is not|wasn't|weren't|aren't|"
        r"didn't)\b",
        r"\bever (?:heard|read|come across|tried|met)\b|\bwhat(?:'s| is) (?:the matter|up|amiss)\b",
        r"\bwhat (?:didn't|did not|was wrong|went wrong|made you|put you|bothered|was it that|"
        r"was missing|is wrong|'s wrong)",
        r"\bwrong with (?:it|this|that|the book|[§¤])",
        r"\bwhich (?:of your )?(?:\w+ )?(?:requirement|condition|criteri|wish|one|point|box)\w* (?:did|"
        r"does|was|is|do|didn't|doesn't) (?:it|this|that|they|the book|[§¤]|not|violat|miss)",
        r"\bwhat say you\b",
        r"\bwhat do you (?:think|say|make)\b(?! (?:about|on|to|of) (?:(?:an?|the|some|"
        r"something) )?(?:\w+ )?[NV])",
        r"\b(?:your|any|first) (?:thoughts|opinion|verdict|reaction|reactions|feedback|questions?|"
        r"comments?)\b(?! (?:on|about|as to|regarding|concerning) (?:the |its |your )?[NV])",
        r"\bhow (?:do|did|would) you (?:like|find|feel about) (?:it|this|that|[§¤]|them|these)",
        r"\bhow (?:does|do) (?:it|this|that|[§¤]|these|they|the)\b.{0,30}\b(?:sound|look|strike|feel|"
        r"grab|suit)",
        r"(?:accept|reject)(?:ed|s)? or (?:accept|reject)|\byes or no$",
        r"\bwhich (?:one )?of (?:these|those|them|the (?:two|three|four|books|titles|novels))(?! (?:N|V[GLCYFN]|"
        r"matter|do you (?:care|mind)|is|are|limit|count|apply|countr))",
        r"\bwhich (?:one|ones|book|books|title|novel)\b(?! (?:kind|N[GLCYF]))|\bwhich should i\b",
        r"\bwould you (?:like|care|want) to (?:hear|know|see|learn|read(?! (?:it|this) (?:N|V[GLCYFN]|in|as|on))|"
        r"try|have a look|look at) (?:more|some more|further|this|it|about|the|another|a (?:sample|"
        r"summary|list)|what|how|others|other (?:books|titles|options|candidates|suggestions))",
        r"\bdo you want (?:to (?:hear|know|see|read (?:this|it(?! (?:N|V[GLCYFN]|in|as|on|from))|more|about))|"
        r"more (?:info|details|candidates|suggestions)|another)",
        r"\bwho(?:'s| is| are)\b|\bwho\b",
    )
)
STEP = re.compile(
    r"\b(?:shall|should|can|may|could|must|will|might) (?:i|we)\b|\b(?:would you (?:like|prefer|want|"
    r"mind)|do you (?:want|wish|need)|want|like|happy for|ok for|okay for|all right for|"
    r"fine for) (?:for )?(?:me|us) to\b|\b(?:mind|ok|okay|fine|alright|all right|good|object|acceptable|"
    r"happy|bother you|helpful|would it help|be ok|any objections?) (?:if|to) (?:i|we|me|my)\b|"
    r"\bhow about (?:i|we)\b|\bis it (?:all right|ok|okay|fine) to\b|\blet'?s\b|\bmay i\b"
)
NEUTRAL_STEP = re.compile(
    r"\b(?:i|we|me|us|to|also|now|just|first|quickly|then|go ahead and|go on and|and) (?:(?:also|now|"
    r"just|first|then|quickly|at least|perhaps) )*(?:check(?:ed|ing)?|verif\w+|look (?:up|into|again|"
    r"further)|see|sort\w*|order\w*|rank\w*|get|got|fetch\w*|list\w*|show\w*|tell|told|recommend\w*|"
    r"propose\w*|suggest\w*|present\w*|read|run|find out|compare\w*|explain\w*|describe\w*|continue|"
    r"proceed|finali[sz]e|summari[sz]e|group\w*|start|begin|display|send|give you|open|query|"
    r"consult|count how|print|save|email|confirm the)\b(?! (?:N[GLCYF] )?(?:with (?:V|N[GLCYF])|only|"
    r"from V|in V|at V|(?:an)?other|a different|for (?:V|N[GLCYF])))"
)
OFFER = re.compile(
    r"\bi(?: can|'ll| could|'d| will) .*\bif you(?:'d)? (?:like|wish|want|prefer|rather|agree)(?: (?:me to|"
    r"that|it))?$"
    r"|^if you(?:'d)? (?:like|wish|want|prefer|rather|agree),? i (?:can|could|will)\b"
)
SORTS = re.compile(r"\b(?:sort|order|rank|group)\w*\b")
SETTING = re.compile(
    r"\b(?:characters?|hero(?:es)?|heroines?|protagonists?|narrators?|setting) (?:\w+ ){0,2}?(?:be|is|are|"
    r"come|live)\b|"
    r"\b(?:set (?:in|during|at|around|somewhere)|sets|(?:be|is) set|takes? place|take place|taking place|"
    r"took place|plays? (?:out|in|at)|unfolds?|happens?(?! to (?:read|speak|know|have|like|own|be))|plot|"
    r"characters? live|events)\b"
)
