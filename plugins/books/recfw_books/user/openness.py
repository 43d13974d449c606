"""
The signs of an open request ("anything else?"), of what narrows it, and of what it does not concern.

Patterns expect text as those of :mod:`recfw_books.user.asking` do.
"""

import re

from recfw_books.user.lexicon import either

_DEMAND = (
    r"(?:preferences?|requirements?|criteri(?:a|on|ons)|constraints?|must-?haves?|deal-?breakers?|"
    r"wish(?:es)?|likes and dislikes|non-?starters?|no-?gos?|no-?nos?|nice-to-haves?|"
    r"red lines?|conditions?|restrictions?|limitations?|limits?|expectations?|demands?|desires?|"
    r"stipulations?|provisos?|caveats?|reservations?|priorities|"
    "wish ?list|shopping list|non-negotiables?|dos and don'ts|specs|specifications?|particulars|parameters)"
)
WISH = either(
    _DEMAND,
    r"details?|needs|musts|wants|tastes?|interests?|information|info|specifics|requests?|rules?|quirks?|"
    r"features?|aspects?|factors?|"
    r"qualities|characteristics|attributes?|propert(?:y|ies)|considerations?|filters?|hints?|clues?|"
    r"boxes|bits|things?|points?|facts?|stuff|"
    r"items?|traits?|pointers?|context|circumstances|ingredients?|objections?|concerns?|input|guidance|"
    r"description|brief|picture|ideas?|"
    r"dislikes|hopes|questions i should|elements?|components?|instructions?|boundaries|standards?|terms|"
    r"side of it",
)
# "I need two facts": an announcement of named questions, not an open request.
COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|\d|(?:a )?few|(?:a )?couple(?: of)?|an?|the|only|single|"
    r"following|these) (?:(?:more|last|small|quick|little|short|other|simple|further|final|brief|"
    r"open|tiny|single|first|second|third|important|basic|missing|remaining) )*"
    r"(?:things?|points?|facts?|questions?|pieces?(?: of information)?|items?|bits?(?: of information)?|"
    r"details?|answers?|requests?)(?= ?(?:$|[:,;.(]| (?:before|from|to (?:clarify|settle|ask|know)|"
    r"remain|first|for you|are|is|would|left|i|we|,)))"
)
_DET = (
    r"(?:any|another|other|additional|further|more|specific|particular|remaining|extra|some|all|rest of the|no|"
    r"special|what|which|every|your|"
    "these|few|the|an?|hidden|unspoken|strict|hard|firm|last|final|those|unsaid|there|next)"
)
_IT = (
    r"(?:it|the (?:right |ideal |perfect |best |next )?(?:book|novel|one|read)|this book|a (?:good |"
    r"great |perfect |suitable |right )?(?:book|novel)|the (?:right|ideal|perfect|best) (?:\w+ )?(?:book|"
    r"novel|one|match)?)"
)
GENERIC = re.compile(
    either(
        # A question in "what" that names no field: nearly always about the wish, else a verdict (see intent)
        r"^(?:and |so |but |ok |okay |now |then |well )*what(?:'s| is| are| would| should| do| does| must|"
        r" can| can't| could| will| have| haven't| am| shall)\b(?! (?:you$|the time|time|next$|up|a |an |"
        r"colou?r))",
        r"\bhow should (?:the|it|your)\b|\bhow (?:can|could|would|should|do|might|else) (?:i|we|my|can)\b|"
        r"\b(?:expand on|flesh) (?:that|this|it)\b",
        # "anything", "everything that ..."
        r"\b(?:any|every)thing\b(?! (?:by|from|like|written|in (?:particular )?(?:V|N[GLCYF])|published|set|"
        r"wrong|N[GLCYF]|V[GLCYFN]|goes))",
        r"\bsomething (?:specific|particular|definite|special|in particular)(?: in mind)?$|\b(?:no|"
        r"some)thing (?:else|more|further)\b(?<!or something else)(?<!or something more)",
        r"\bsomething (?:(?:that )?(?:i|you) (?:should|must|ought|need|haven't|have not|forgot|missed|"
        r"(?:would|'d|want|wish|like)(?: like| want)? to (?:add|say|mention|tell))|(?:important|missing|"
        r"left|to add|unsaid|you))",
        # "what else", "who else"
        r"\b(?:what|how|anyone|anywhere|things?) else\b",
        r"\b(?<!something )(?<!someone )else (?:matters|counts|should|would|must)\b",
        # "any other requirements", "preferences?"
        rf"\b{_DEMAND}\b|\b{_DET} (?:(?![NV])[\w'-]+ ){{0,3}}?{WISH}\b|^(?:and |or |but )?{WISH}\W*$",
        r"\bwhat (?:other|further|more|additional)\b",
        # "more?", "the rest", "what are the others?"
        r"^(?:and |or |but |so |any |is there )*(?:more|others?|further|the rest|the others?)\W*$",
        r"\b(?:the rest|the others?|any others?)(?: of (?:it|them|what))?$|\bof the rest\b|\brest of\b",
        r"\bfor more\b|\ball ears\b",
        r"\bthere(?:'s| is| be| are|'re)? (?:\w+ )?(?:anything|more|others?|any more|some more)\b",
        r"\bmore (?:to it|to (?:say|add|tell|come|know)|i should|that i|you (?:can|could|want|have))",
        r"\bany more\b|\bor (?:is there )?more$",
        # "tell me (a bit) more", "elaborate"
        r"\b(?:tell|give|say|share|told|gave|said|know|hear|learn|reveal|add|explain|have|offer|provide|supply|"
        r"detail) (?:me |us )?(?:just )?(?:(?:a (?:bit|little)|some|something|any|much|a lot|even|"
        r"slightly|what you can) )?(?:more|further|all|about what|about your (?:ideal|wish|perfect)|"
        r"it all|everything)\b(?! [NV])",
        r"\b(?:bit|little) (?:more )?about (?:you\b|what|your)|\bmore about (?:what|your|the kind|you)\b",
        r"(?<!should )(?<!i )\b(?:go on|carry on|elaborate|expand)$|\belaborate\b",
        r"\b(?:more|be) (?:specific|precise|detailed|exact)\b|\bdescribe\b",
        r"\bnarrow (?:it |this |that |things |the (?:list|field|search|choice|selection|"
        r"results?) )?(?:down|further)\b",
        r"\bnarrow (?:your|the|it)\b|\bclose that door|\bin (?:\w+ ){0,2}detail\b",
        r"\b(?:ideal|perfect|dream) (?:book|read|novel|match)\b|\bpicture (?:the|your)",
        # "is that all?", "have I missed something?"
        r"\b(?:is|was|would|are|be|does|do) (?:that|this|it|these|those|they)(?: be)? (?:really |about |"
        r"already )?(?:all|everything|the lot|the whole|complete|book covers?|sum|your (?:full|whole|complete|"
        r"only)|the (?:full|complete|only|whole|entire))\b(?!(?: of it)? (?:right|correct|fine|ok|okay|"
        r"well|good|clear|[NV][GLCYFN])\b)",
        r"\bis that it$",
        r"\bhave i (?:covered|got|understood|noted|listed|caught|taken|captured|heard)\b.{0,30}\b(?:all|"
        r"everything|every|the lot|complete|full)",
        r"\bdo i (?:have|know) (?:all|everything|the (?:whole|full|complete))|\bnothing else\b",
        r"\ball there is\b|\bthat's (?:all|everything|it|the lot)\b(?! (?:i|we|for|set|fine|right)\b)",
        r"\b(?:list|picture|brief) (?:is )?complete\b|\bnot all you",
        r"\b(?:miss|missed|missing|forget|forgot|forgotten|overlook|overlooked|overlooking|left out|"
        r"leave out|leaving out|neglect\w*|unaware of|omitted|ignor\w+)(?: (?:something|out|any|"
        r"one))?(?:$| (?:something|out|here|so far|yet|from|of)\b)",
        r"\b(?:don't|do not) i know\b|\bhaven't (?:told|said|mentioned|voiced|revealed|shared)\b",
        r"\b(?:hold|holding|keep|keeping) (?:\w+ )?(?:back|from me)\b|\bunsaid\b",
        # "what matters to you?", "what must the book have?", "what would rule it out?"
        r"\bwhat(?:'s| is| are|'re)? (?:\w+ )?(?:matters?|counts?|important|essential|non-negotiable|"
        r"makes?|rules?|decides?|appeals?|necessary|required|needed|decisive|interests?)\b",
        r"\bwhat(?:'s| is| are| does| do| must| should| would| shall| can| might| will|'d| did| were|"
        r"'re)? (?:(?:else|other|more|exactly|really|specifically|most|then|all|would|should|do|must|"
        r"might|are|is|does|the|things?|that|wishes|it|can|further|otherwise|actually|"
        rf"now) ){{0,4}}?(?:{_IT}|you|your \w+|we|i) (?:(?:\w+ ){{0,3}}?(?:have|be|look|offer|want|like|"
        r"need|after|looking|prefer|hoping|hope|wish|care|value|require|expect|love|enjoy|mind|fancy|"
        r"seek|seeking|interested|insist|in (?:the )?mood|mood|fond|searching|search|filter|apply|"
        r"consider|know|respect|bear|keep|note|include|satisfy|meet|avoid|pick|take into|overlook|"
        r"forgotten|missed|missing|fulfil|dislike|hate|avoid|do to be|tick|possess|contain|bring|read|"
        r"make|count|aim|watch|narrow|settle|dream|desire|going for|like best|into|keen|have in mind))\b",
        r"\bwhat (?:would|should|might|could|will) (?:make|rule|turn|spoil|decide|put|win|help|suit|"
        r"please|satisfy|delight|disqualify)\b",
        rf"\bwhat(?:'s| is) (?:{_IT}|on your|your (?:wish|idea|ideal|taste|dream|heart|aim))",
        r"(?:^|\b(?:know|hear|tell me|tell|say|about|on|of|describe|explain|learn|understand|specify|"
        rf"list|me|exactly|is|and|see|ask|sure) )what (?:you|{_IT}) (?:\w+ )?(?:want|like|need|look|are|"
        r"'re|'d|love|care|value|require|expect|hope|prefer|wish|have|must|should|would|enjoy|after)",
        r"\b(?:know|hear|tell me|say|about|on|of|understand|learn) what you(?:'re|'d|'ve)",
        r"\bcover (?:it|everything|all)\b|\badd something\b|\belaborat\w+|\bmore detail\b|"
        r"\bthrough your \w+|\bwith what you|\bhow (?:can|could|should|might) (?:i|we|"
        r"my) (?:\w+ )?(?:improve|make|do better|refine|adjust|adapt|get closer)|\bin what (?:way|"
        r"respect) should|\bshould [^?]{0,30} differ\b|\bsomething(?:'s| is) missing|^any (?!(?:questions?|"
        r"thoughts|feedback|comments?|luck|interest|good|way|case|chance|idea|joy|opinions?|"
        r"takers)\b)(?:[\w-]+ ){0,1}(?:starters|[\w-]+s)$|\bsomething i(?:'ve| have)? (?:failed|not|forgot|"
        r"missed|overlooked|should)\b|\bmust be (?:more|something)\b",
        r"\b(?:fuller|clearer|better|complete|whole|full|rough) (?:picture|idea|understanding|sense|list|"
        r"description|account)\b",
        r"\btell me (?:about (?:the book|what|your)|what (?:is|would|does)$)|\bout with it",
        r"\b(?:name|list|are|the) (?:\w+ ){0,2}?things? (?:that )?you(?:'d|'ll)? (?:\w+ )?(?:care|want|"
        r"need|look|like|value)\b",
        r"\bwhatever (?:you|it|the book|else|matters|is)\b|\bwhat (?:kind|sort) of thing",
        r"\bhow (?:can|could|should|might|do) (?:i|we) (?:narrow|improve|choose|decide|tell)",
        r"\bhow (?:specific|precise|detailed|picky|fussy|would you describe)|\b(?:picky|fussy|particular|"
        r"choosy) about|"
        r"\bcome to mind",
        r"\bon your mind|\bcan you think of|\bmatters? (?:most )?to you|\bknow more\b",
        r"\bwhere (?:do|should|can|shall) (?:i|we) (?:start|begin)|\binsist on\b(?! (?:a|the|N[GLCYF]|V[GLCYFN]))",
        r"\bcan't stand\b|\bhow does (?:your|the) (?:ideal|perfect)|\byour (?:wishes|needs|say)\b",
        r"\bwhat'?s what\b|\b(?:only|all|nothing)\b.{0,20}\bmatters?$",
        r"\bwhat (?:am|are) (?:i|we) (?:looking|searching)",
        r"\bi should (?:know|bear|keep|consider|note|respect|take)\b(?! (?:which|what|the N))",
    )
)
EXAMPLES = re.compile(
    r"\bsuch as\b|\bfor (?:example|instance)\b|\beg\b|\bincluding\b|\bsay,|,\s*say\b|,\s*like\b|"
    r"\bperhaps\b|\bmaybe\b|\bbe it\b|\bbe they\b|\b(?:whether|either) (?:about|it's|it is|on|of|"
    r"regarding|in)|\bor the like\b|\bthings like\b|\(?\blike (?:the |a |an )?[NV][GLCYFN]|\(|"
    r"\bwhatever\b|\bfrom N[GLCYF] to N|\bpossibly\b|\bie\b|\bnot (?:just|only)\b|\bor so\b|\betc\b|"
    r"\bamong(?:st)? (?:others|them)\b|\bstuff like\b|\beven (?:about|on)\b|\bmy list has\b|"
    r"\bas for instance\b|\bconcerning .{3,60}\bor anything"
)
ELSE_TOO = re.compile(
    r"(?:, |/)(?:anything|whatever|you name it|etc)$|\b(?:or|and|plus|&) (?:(?:is|"
    r"are) there )?(?:anything|something else|something more|whatever|(?:any |some |your )?(?:other|"
    rf"further|additional|more|remaining|everything)(?: \w+){{0,2}}? {WISH}|any other|others|any further|"
    rf"everything else|else|any {WISH})\b"
)
ASIDE = re.compile(
    r"(?:\b(?:besides|apart from|other than|aside from|in addition to|on top of|(?<!look )(?<!go )beyond|"
    r"except(?: for)?|"
    r"excepting|barring|not counting|over and above|next to|alongside|leaving(?=[^,?;:]* aside)|"
    r"leaving(?=[^,?;:]* to one side)|putting(?=[^,?;:]* aside)|putting(?=[^,?;:]* to one side)|"
    r"setting(?=[^,?;:]* aside)|with the exception of|instead of|rather than|in place of|"
    r"regardless of)\b"
    r"|^(?:and |but |so |ok,? |okay,? )?(?:given|since|now that|because|considering|based on|seeing that|"
    r"as you|while|although|though|whereas|as)\b(?! (?:soon|for|to|regards)\b))"
    r"(?! (?:when|what|N[GLCYF] (?:should|do|would)))[^,?;:]*?(?:(?: (?:to one side|aside|apart|"
    r"out of it|on one side))|(?=[,?;:]|$|\b(?:what|which|do you|would you|are there|is there|any|"
    r"anything|how|i'd|i would|let me|could you|can you|have you|should|please)\b))"
)
PURPOSE = re.compile(
    r"(?:,| -|;|^)? ?\b(?:that (?:this|that|the last|the previous) one (?:did|does|was|is|has|had|"
    r"lack)\w*|so (?:that )?(?:i|we)|so as to|in order to|in which case|to help me|which (?:would|will|"
    r"helps) (?:help|make|let|allow)|that (?:would|will|way|helps|makes)|(?:and|then|,) (?:then )?(?:i|"
    r"we)(?:'ll| will| can| shall|'d| could|'ve)|(?:and|then) it won't|before (?:i|we)|because (?:i|the|"
    r"it|some)|since (?:i|the|it|some|there)|otherwise (?:i|we)|(?<!soon )as (?:i|the catalog|there)|for (?:the|"
    r"my) search|until then|while i|meanwhile|(?<=, )i (?:can|could|will|would|'d|'ll|might)|(?<=, )i'll|"
    r"and (?:that|this) (?:will|would|should)|given that)\b.*$"
)
SERVICE = re.compile(
    r"\b(?:help|assist|serve)(?:ed)? (?:you )?(?:with|further|today|next|in|now|out|else|any|\?|$)|"
    r"\bhow (?:can|may|could|else can) i\b(?! (?:narrow|choose|tell|decide|improve|do better|refine))|"
    r"\b(?:can|could|may|shall|"
    r"should) i (?:do|help|assist)\b(?! (?:justice|know|keep))|(?<!so )(?<!that )\bi can (?:also )?(?:do|"
    r"help|assist|get|fetch|find)\b|\b(?:any|more|further|other) (?:questions?|feedback|comments?|"
    r"suggestions?|candidates?|books?|titles?|options?|recommendations?|ideas|proposals|results|help|"
    r"alternatives?)\b(?! (?:about (?:your|what)))|\b(?:details|information|more|further|something|"
    r"anything|facts|else) (?:\w+ )?(?:about|on|of) (?:this|it|that|the (?:book|author|plot|novel|story|"
    r"first|second|title)|him|her|them|[§¤]|its)\b(?! (?:you|that you|i should|in (?:your )?mind))|"
    r"\bwhat should i (?:do(?! (?:differently|instead))|search|propose|show|call)\b|"
    r"\b(?<!what do you )(?<!i'd )(?<!i )(?<!i would )(?<!we'd )(?<!what would you )(?:want|"
    r"like|wish|need) (?:me )?to (?:do|show|see|hear|read|learn)(?! (?:before|about (?:your|what)))|"
    r"\bi(?:'m| am) here\b|\bthank(?:s| you) for\b\b|\banything else (?:you'd like |you want |"
    r"you would like |to )?(?:to )?(?:ask|read|see|hear|know|learn|try|do)\b|\bwhat (?:can|may|"
    r"could) i (?:do|get|find|show)\b|\blet me know what you think\b|\bmore (?:like|of) (?:this|it|"
    r"the same|those)\b"
)
HERE_TO_HELP = re.compile(
    r"\b(?:i'm|i am) (?:always )?(?:here|around|at your (?:service|disposal))\b|\bjust (?:ask|shout)\b"
)
OTHER = re.compile(
    r"\b(?:authors?(?!'s? N)|writers?(?!'s? N)|gender|wom[ae]n|m[ae]n|length|pages?|long|short|thick|"
    r"moods?(?<!the mood)|tone|difficulty|easy|pace|paced|series|standalone|setting|set in|characters?|"
    r"protagonist|heroine|hero|narrator|awards?|priz\w*|popular\w*|bestseller|famous|ratings?|price|cost|"
    r"cheap|budget|history|gift|present for|yourself|for whom|who(?:'s| is) (?:it|the)|ready|weather|level|"
    r"plot|ending|violence|illustrat\w+|publisher|title|height|size|shipping|delivery|tempo|"
    r"humou?rous|funny|sad|happy ending|point of view|first person|stars?|reviews?|library|buy|bought|"
    r"borrow|chapters|prose|style|complex\w*|read recently|loved recently|favou?rite (?:books?|authors?|"
    r"writers?|novels?))\b"
)
