"""
The signs by which a clause asks, requests, confirms, offers or wants a verdict; patterns expect casefolded text.

A tag stands as ``§``, a title as ``¤`` (see :mod:`recfw_books.user.turns`).
"""

import re

from recfw_books.user.lexicon import either

_YOU = r"(?:do|did|would|will|are|could|can|have|were) you\b"
_WH = either(
    r"(?:(?:in|from|for|on|to|by|as|of|with) )?(?:what|which|whichever|when|where|how|whose)(?:'s)?\b(?! an?\b)",
    r"whether\b",
)
_IT = (
    r"(?:is|are|was|were|does|do|did|should|must|will|would|can|could|has|have|need) "
    r"(?:there|it|this|that|these|the|a|an|any|i|either)\b"
)
ONSET = either(
    _YOU,
    _WH,
    _IT,
    r"(?:shall|may) i\b",
    r"any\b(?= \w+)|anything\b",
    r"if (?:you|there)\b",
    r"let me know|tell me|just (?:say|tell)|feel free",
    r"please (?:share|tell|specify|provide|let|give|state|indicate)",
)
# Words that begin or end a question without being asked about ("Besides the genre, ...", "... so that I can search").
LEAD_ASIDE = re.compile(
    "^"
    + either(
        r"besides|apart from|other than|aside from|in addition to|beyond|given|since|with|based on|because|now that",
        r"while|although|considering|as you",
    )
    + rf"\b.*?(?={_YOU}|\b(?:what|which|when|where|how)\b|(?:is|are) there\b|\bany\b)"
)
TRAIL_ASIDE = re.compile(
    r"\b(?:besides|apart from|other than|aside from|in addition to|on top of|beyond)\b[^,?]*|\b"
    + either(
        r"so (?:that )?(?:i|we)|because|since|given that|in order to|before i|to help me",
        r"that (?:would|will|can) help",
    )
    + r"\b.*$"
)
SETTING = re.compile(r"\b(?:set|takes? place|taking place|setting)\b(?: (?:in|during|of|around))?[^,?]*")
TOPIC_HEAD = re.compile(
    r"^(?!.*\b(?:here|its|the book|this book|are as follows)\b).*"
    r"\b(?:questions?|preferences?|requirements?|criteria|details?|constraints?|things?|points?|information|info)$"
)

_TELL = either(
    "share|specify|provide|tell|indicate|describe|state|mention|list|name|give|clarify|say|elaborate|narrow|expand",
    "let me know",
)
_SOFT = r"(?:(?:please|kindly|also|first|at least|briefly|maybe|perhaps|possibly|just|quickly) )*"
REQUEST = re.compile(
    r"\b"
    + either(
        r"let me know|tell me",
        rf"please {_SOFT}(?:{_TELL}|confirm your|let)",
        rf"(?:could|can|would|will) you {_SOFT}(?:{_TELL}|be more specific|confirm your|confirm the)",
        r"i(?:'d| would)? (?:also |just )?(?:like|love|need|want|have) to (?:know|hear|understand|learn|ask)",
        r"(?:i|we) (?:(?:still|also|just|do|only|first|will|'ll) )*(?:need|require) "
        r"(?:your|the|a (?:few|bit|little|couple)|some|more|any|further|additional|information|details)",
        r"(?:i|we) still need|what i (?:still )?need|still missing",
        r"(?:helps?|useful|helpful|good|great|nice)(?: me)?(?: a lot| greatly)? (?:to know|to hear|if you|if i knew)",
        r"feel free to|just (?:say|tell)|say so|(?:may|might|could|can) i ask|may i know|let me ask",
        r"(?:would )?you mind (?:telling|sharing|saying|if i ask)",
        r"i(?:'m| am) (?:also )?(?:curious|wondering)|i was wondering",
        r"(?:^|[.,:] ?)(?:share|specify|provide|describe|state|indicate|clarify) "
        r"(?:your|any|more|the|which|what|whether)",
        r"knowing (?:your|the|which|whether|what)",
    )
)
TERSE_REQUEST = re.compile(
    r"^(?:(?:and |also |plus )?(?:your )?preferred\b|any (?:particular|specific)\b|(?:[\w-]+ ){1,5}please$)"
)
CONDITION = re.compile(
    r"^(?:and |also |but )?if "
    r"(?:there\b|you(?:'d|'ve)? (?:\w+ )?(?:have|want|need|require|prefer|like|would|care|had|are|do|read)\b)"
)

_THIS = either(
    r"something like (?:this|that|[¤§])|this|that|these|those|it|they|either|[¤§]",
    r"(?:any|one|some|which) of (?:these|those|them)",
    r"(?:the|my) (?:(?:first|second|third|last|other|above) )?"
    r"(?:one|book|novel|proposal|suggestion|title|candidate|pick|option)",
)
_PLEASES = either(
    r"ok|okay|fine|good|great|works?|suits?|suitable|fits?|match(?:es|ed)?|meets?|met|appeal(?:s|ing)?|sounds?|looks?",
    r"satisf\w+|acceptable|tempt\w*|catch\w*",
    r"interest(?:s|ing|ed)?|strikes?|what you|align\w*|you like|your (?:liking|tastes?)",
)
_TAKES = either(
    r"like|accept|want|take|approve of|enjoy|consider|know|go for|try|read|pick|love|prefer|settle for|give",
    r"interested in|open to|happy with|feel about|think of|think about|(?:ok|okay|fine) with|willing",
)
VERDICT = re.compile(
    either(
        # "Does this one suit you?", "Is [tag] acceptable?"
        r"\b(?:is|are|was|were|does|do|did|will|would|could|might|can|how|should|if|whether)"
        rf"(?: (?:does|do|is|would|about))? {_THIS}"
        r"(?! (?:need|have|has|matter|come|genres?|languages?|countr\w+|years?|periods?|formats?)\b)"
        r"(?!(?<!like [¤§]) be\b)"
        rf"(?: |$)[^?]{{0,160}}?\b{_PLEASES}\b",
        # "Would you like to read this?"; not "Would you accept it in French?"
        r"\b(?:do|did|would|will|could|can|are|might) you (?:be )?(?:\w+ )?"
        rf"{_TAKES} (?:to (?:read|try|have|take) |reading |trying )?{_THIS}"
        r"(?: book| one| novel)?+(?!\w)(?! (?:to|come|as|in|from)\b)",
        # "Did Dune meet your requirements?"
        r"\b(?:did|does|do|would|will|whether|if)\b[^?]{0,80}?\b(?:meet|match|fit|suit|satisfy)(?:s|es|ed)? "
        r"(?:all (?:of )?|any of )?(?:your|the|those|these)\b",
        r"\b(?:did|have|had) you (?:\w+ )?"
        r"(?:like|enjoy|read|accept|reject|heard|hear|seen|tried|try|know|own|say|mean|mention)\b",
        r"\bdid i (?:get|understand)\b|\bam i right\b|\b(?:why|how come)\b|\breject\w*|\bdislike\w*|\bput you off\b",
        r"\b(?:is|was|were|are) (?:it|this|that|they) (?:\w+ )?too\b|\bnot (?:quite )?(?:to )?your\b",
        r"\bwrong with\b|\bthe (?:problem|issue|reason)\b|\bwhat (?:didn't|did not|was wrong|went wrong|made you)",
        r"\bwhat do you (?:think|say)\b|\b(?:your|any) (?:thoughts|opinion|verdict|reaction|feedback|questions)\b",
        r"\bwhich (?:one )?of (?:these|those|them|the (?:two|three|books|titles))\b|\bwhich one\b",
        r"\bwhich would you (?:pick|choose)\b|\b(?:what|how) about [¤§]",
        r"\bhow does\b|\b(?:ok|okay|fine|good|acceptable) (?:with|for|to) you\b.{0,80}[¤§]",
        # About the proposed book itself, or about what to do next.
        r"\b(?:would you like|do you want|want|care)(?: to (?:see|know|hear|read|learn))? "
        r"(?:some |any )?(?:more|further|additional|the) (?:information|details|info|about (?:it|this|that))",
        r"\bwould you like to (?:hear|know|see|learn|read)\b|\bconfirm (?:that|whether|if)\b",
        r"\b(?:what|anything) (?:would|should|do) (?:you like me|i) (?:to )?do\b",
        # "Is there anything else I can help with?"
        r"\banything else\b.{0,60}\b(?:(?:i|we) can|help|assist)\b",
        r"\banything else\b.{0,60}\bme to (?!take|consider|know|keep|account|note|factor|bear)",
    )
)
OFFER = re.compile(
    r"\b"
    + either(
        r"(?:shall|should|can|could|may) (?:i|we)\b(?! (?:also |just )?(?:ask|know))",
        r"(?:would|do) you (?:like|want|prefer) me to|want me to",
        r"(?:ok|okay|fine|helpful|alright) (?:if|for me)|(?:i|we) can (?:help|do|assist|offer)",
    )
)
# What makes an offer a question about the wish ("Should I restrict it to a certain language?").
ELICITS = re.compile(
    r"\b"
    + either(
        r"particular|specific|certain|restrict|limit|narrow|stick to|keep to|focus|filter|only|prefer|any preference",
        r"consider|take into account|know about|know|bear in mind|keep in mind",
    )
    + r"\b"
)
CONFIRMATION = re.compile(
    either(
        r"(?:,|\s-|\u2014)\s*"
        + either(
            r"right|correct|yes|no|ok|okay|isn't it|aren't you|don't you|is that (?:right|correct|so)|am i right",
        )
        + r"\W*$",
        r"^(?:so|then|and|ok|okay|just|great|got it|right)?,? ?"
        + either(
            r"(?:just )?to confirm|to be clear|to recap|if i understand",
            r"you(?:'re|'d like|'d rather| are| want| said| mentioned| told| need| prefer| like| have)\b",
            r"you (?:would like|don't|do not)\b",
            r"no (?:\w+ )?(?:preference|requirement)s? (?:on|for|about|regarding|as to)",
            r"(?:it|that|this) (?:should|must|needs|has to|is)\b",
        ),
        r"\b(?:is|was) (?:that|this) (?:right|correct|all correct|accurate)\b",
    )
)
RECAP = re.compile(
    r"\b"
    + either(
        r"so far|here(?:'s| is) what (?:i|we) (?:have|know|understood|understand)|my understanding|your requirements",
        r"to (?:summari[sz]e|recap|sum up)|summary|recap|confirm|is (?:that|this) (?:right|correct)|noted",
        r"(?:you|you've) (?:said|mentioned|told|want|asked|specified|stated)|i know|i(?:'ll| will) (?:search|look|use)",
    )
    + r"\b"
)

WISH = either(
    r"preferences?|requirements?|criteri(?:a|on)|constraints?|details?|must-?haves?|deal-?breakers?|wish(?:es)?|needs?",
    r"conditions?|restrictions?|limitations?|expectations?|wants?|tastes?|interests?|information|info|specifics",
    r"features?|aspects?|factors?|qualities|characteristics|attributes?|considerations?|filters?|specifications?|requests?|priorities|hints?|clues?",
)
GENERIC = re.compile(
    r"\b"
    + either(
        r"(?:any|no)thing else\b|what else\b|(?:any|no) others?$",
        r"(?:miss|missed|missing|forget|forgot|overlook|left out|leave out) anything\b",
        r"(?:is there|if there's|if there is|have|know|add|mention|share) anything\b",
        r"anything (?:more|further|specific|special|important|(?:in )?particular|you|at all|that|missing)",
        r"anything i (?:should|missed|forgot|overlooked)",
        r"something (?:else|more) (?:i should|that matters|you(?:'d| would)? (?:like|want) to (?:add|mention|tell))",
        r"everything (?:you|that|about)|what are the others?$|is (?:that|this|it) (?:all|everything)\b(?! right)",
        r"other things\b|what (?:am i|are we) missing|how else\b",
        r"what (?:would|does) (?:make|the (?:ideal|perfect))|what makes a",
        r"your (?:ideal|perfect) (?:book|read)",
        r"(?:any|other|additional|further|more|specific|particular|your|remaining|extra|some|a|no|special|what|which) "
        rf"(?:\w+ ){{0,2}}?{WISH}\b",
        r"what (?:are|would|do|should|were|did) (?:you|i)\b(?! mean)|what (?:kind|type|sort) of thing",
        r"what(?:'s| is) (?:most )?important\b|what (?:else )?matters|what(?:'s| is) on your mind",
        r"(?:tell|give|say|share|know|hear|learn|ask)(?: me| us)? (?:a (?:bit|little) |some )?(?:more|about|further)",
        r"a (?:bit|little) (?:more )?about (?:you|what|your)|more about (?:what|your|the kind)",
        r"elaborate|more specific|describe (?:what|the (?:book|kind)|your)",
        r"narrow (?:down |it|this|that|things|your|the )",
        r"what you(?:'re| are|'d| would)? (?:\w+ )?(?:want|like|need|looking|after|enjoy|prefer|have in mind)",
    )
)
EXAMPLES = re.compile(
    either(
        r"\bsuch as\b|\bfor (?:example|instance)\b|\beg\b|\bincluding\b|\bsay,|,\s*like\b|\bperhaps\b|\bmaybe\b",
        r"\b(?:preferences?|requirements?|else|criteria|constraints?|details?|anything|things|needs) \(?like\b",
        rf"\b(?:other|additional|further) (?:\w+ )?{WISH} \(|\belse \(",
    )
)
OR_ELSE = re.compile(
    rf"\b(?:or|and|&) (?:anything|(?:any |some )?(?:other|further|additional)(?: \w+)? {WISH}|any other {WISH})\b"
)
BACK_REFERENCE = re.compile(
    either(
        r"\bwhich (?:one )?(?:do|would) you (?:prefer|like|rather|need|want)$|\bwhat (?:do|would) you prefer$",
        r"\b(?:a|any|what's your|what is your) preference$|\bwhich is (?:better|best|preferable)\b.*$",
        r"\bdo you mind$|\bdoes it matter(?: to you)?$",
        r"\b(?:on|for|about|regarding|as to) (?:either|both|each|that|those|these|them|any of (?:these|those))$",
        r"\b(?:one|any)(?: of (?:them|these|those))? in particular$|\ba (?:particular|specific) one$",
    )
)
ASIDE_ALONE = re.compile(
    r"^(?:and |but |so )?(?:apart from|besides|beyond|other than|aside from|in addition to) (?:that|this|those|these)$"
)
# "Which language ...": about the field, whatever follows.
OPEN_QUESTION = re.compile(
    r"(?:^|, |: |\b(?:know|tell me|say|in|and|or) )((?:what|which) (?:\w+ ){0,2}\w+|how (?:\w+ ){0,6}\w+)"
)
# A question about the wish, not about a proposal.
FRAME = re.compile(
    r"\b"
    + either(
        r"prefer\w*|rather|want|would you like|looking|mood|interested|open to|need|after|mind|care|hoping|wish",
        r"has to|have to|matter|should|must|comfortable|consider|(?:fine|okay|happy) with",
        r"would an? (?:book|novel|story)",
        r"(?:do|can|could|will) you (?:\w+ )?(?:enjoy|like|love|read|speak|understand)",
    )
    + r"\b"
)
