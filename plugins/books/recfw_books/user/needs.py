"""
The frames in which a statement makes known that the agent lacks, wants or would profit from something.

Unlike the signs of :mod:`recfw_books.user.asking` they leave the verb and the adjective open: what counts is who is
helped, what a conditional hangs on, and whose wish a subordinate question is about. Patterns expect text as those of
:mod:`recfw_books.user.asking` do.
"""

import re

from recfw_books.user.lexicon import either
from recfw_books.user.openness import DEMAND, WISH

_NOUN = re.compile(r"N[GLCYF]")
_ANY = r"[NV][GLCYFN]"
_WISH = (
    r"(?:\byou\b|\byours?\b|\byou'|\b(?:the book|it|the author|the writer|they) (?:should|must|may|might|can|could|"
    r"has|have|is|are|ought|be)\b)"
)
_KNOWS = (
    r"(?:know|knew|known|hear|heard|learn|learn(?:ed|t)|have|had|get|got|told|find out|understand|understood|see|"
    r"discover|receive|obtain|sure|certain|aware)"
)
# "<The genre, hearing which genres you like, a time frame> would <verb> me <...>", "... would be most welcome"
_MODAL = re.compile(r"(?<!\w)(?:would|could|might|will|may|can|ought to|should)\b|'(?:d|ll)\b| (?:helps?|lets?)\b")
_BENEFIT = re.compile(
    either(
        r"\b(?:me|us|my|our|i|we|things|matters|both of us)\b",
        r"\b(?:the|this|that|your|a) (?:\w+ )?(?:search\w*|lists?|choice|hunt|task|job|field|pile|number|"
        r"selection|results?|"
        r"pool|shortlist|match\w*|recommendations?|suggestions?|options?|process|work|difference|trick|puzzle)\b",
        r"\b(?:help\w*|welcome|appreciated|useful|valuable|handy|great|good|nice|lovely|wonderful|perfect|ideal|"
        r"brilliant|super|excellent|interesting|invaluable|a plus|a bonus|enough|suffice|do nicely|go (?:a "
        r")?(?:long|far)|"
        r"easier|quicker|faster|simpler|a start|a boon|grand|fantastic|sufficient|in handy|come handy|(?:go|"
        r"come) amiss|hurt|do no harm|focus\w*)\b",
    )
)
_NOT_SUBJECT = re.compile(
    r"^(?:and |but |so |then |now |well )*(?:i|we|it|he|she|they|this|that|these|those|there|readers?|critics?|"
    r"let me)\b"
    r"|^(?:\w+ )?(?:its|his|her|their|this|that|these|those|any|every) (?:\w+ )?N[GLCYF]\b|[\u00a7\u00a4]"
)
# "It'd be handy to have ...", "I'd find it useful to be told ..."
_EXTRAPOSED = re.compile(
    rf"\b(?:it|that|things)(?:'d| would| will|'ll| might| could|'s| is)\b(?: [\w'-]+){{1,6}} (?:to|if|when|"
    r"knowing|having|were|"
    rf"once)\b.{{0,20}}?\b{_KNOWS}\b"
    r"|\bit(?:'s| is| would be|'d be) (?:\w+ )?(?:essential|important|vital|crucial|necessary|critical|better) "
    r"that i (?:know|hear|have|learn)\b"
    rf"|\bi(?:'d| would)? find it (?:\w+ ){{1,2}}to (?:be )?{_KNOWS}\b"
)
# "If I knew ...", "once I have ...", "as soon as you've chosen ...", "with a decade to go by, I could ..."
_HANGS_ON = re.compile(
    rf"\b(?:if|once|when|as soon as|until|unless|provided(?: that)?|assuming|the moment|the minute) (?:only )?(?:i|we)"
    rf"(?:'d|'ve|'m| was| were| am| could| can| only| just| also| already| have| had| do| get to)* "
    rf"(?:be )?(?:more |better )?{_KNOWS}\b"
    r"|\b(?:once|as soon as|provided(?: that)?|the moment|the minute|until|unless) you(?:'ve|'d| have| could| "
    r"can| would| will|'ll)*"
    r" (?!like|agree|accept|read|tried|wish)\w+"
    r"|\bif you(?:'d|'ll)? (?:could |would |can |will )?(?:\w+ )?(?:give|gave|tell|told|name|named|say|said|"
    r"mention\w*|share\w*|"
    r"suppl\w+|provid\w+|let|offer\w*|add\w*|specif\w+|indicat\w+|narrow\w*|describ\w+|pick\w*|chose|choose|limit\w*)\b"
    rf"|^(?:were|had|should) i (?:only |just |ever )?(?:to )?(?:be )?(?:know|known|have|hear|learn|told|get)\b"
    rf"|\b(?:once|when|as soon as|until|unless|if) (?:the |your |an? )?(?:{_ANY}(?:,? (?:and|or|plus) (?:the "
    r")?)?)+ (?:is|are|was|were|has been|have been)"
    rf" (?:clear|known|settled|decided|fixed|given|set|chosen|established|determined|certain|agreed)\b"
    r"|^(?:with|given|armed with) (?:an?|some|any|one|more|just|only|even|your)\b.*\b(?:i|we|it|the \w+)(?:'d|"
    r"'ll| would| could| can| will)\b"
)
_COMPARES = re.compile(
    r"\bthe (?:more|better|clearer|fuller|more precise\w*|closer)\b.*\b(?:i|you|your|me)\b.*"
    r"\bthe (?:more|better|closer|easier|happier|likelier|quicker|faster|sooner)\b"
    r"|\bthe (?:more|better|clearer)\b.*\bthe (?:better|more|closer|easier|quicker|sooner) (?:i|you|my)\b|\bthe "
    r"(?:sooner|earlier|faster) (?:i|you)\b"
)
# "I haven't yet got a handle on ...", "it's unclear to me whether ...", "all that stands between us is ..."
_NOT_KNOWN = re.compile(
    r"\b(?:i|we)(?:'ve|'m| have| am| are| do|'re)?(?: \w+){0,2}? ?(?:haven't|have not|don't|do not|can't|cannot|"
    r"couldn't|"
    r"didn't|no|not|never|yet to|nothing|hardly|barely|little|unable to)\b(?: \w+){0,3}? (?:know|tell|say|hear|"
    r"heard|have|got|get|understand|"
    r"grasp|figure|gather\w*|work out|make out|pin\w*|sure|certain|clear|grasp|catch|caught|idea|clue|notion|"
    r"inkling|word|"
    r"handle|sense|grip|picture|learn\w*|established|settled?|decided?|choose|pick|told|guess|information)\b"
)
_GAP = re.compile(
    r"\bknow (?:too |very |so )?(?:little|nothing|next to nothing)\b|\b(?:empty|unfilled)\b|\b(?:missing|gaps?|"
    r"blanks?|lack\w*|unknown to|unclear|unsure|uncertain|unanswered|undecided|unsettled|unresolved|"
    r"unspecified|outstanding|pending|in the dark|short of|stands? between|standing between|"
    r"\bleft with\b|\byou(?:'ve| have) (?:yet|still) to\b|\b(?:don't|wouldn't|not) (?:like|want) to (?:guess|"
    r"choose|pick|get|make|risk)\b|nothing(?:'s| has| was| is) (?:yet |been )|\broom for\b|too little|too few|"
    r"not enough|(?:have|has|had|show|contain|hold)s? nothing|puzzled|guess\w*|something i "
    r"(?:should|need to|must|ought to) (?:know|ask)|at a loss|clueless|at sea|stumped|none the wiser|nothing to "
    r"(?:choose|go|work) (?:by|on|with)|in doubt|doubts?|wonder\w*|curious|open (?:question|point|issue|matter)|"
    r"remains? (?:an )?(?:to|"
    r"open|for)|is all (?:i|that)|is what i|to be (?:settled|decided|determined|discussed|clarified|cleared)|"
    r"up in the air|nothing you've (?:said|told)|in(?:to)? your hands|leave .{0,40} to you|"
    r"(?:lost|at sea|clueless|ignorant|stumped|torn|stuck|weak\w*|struggling) (?:as to|about|on|over|regarding|"
    r"with|when it)|"
    r"(?:not|isn't|aren't|hardly|barely|far from|less than|never) (?:\w+ )?(?:clear|obvious|evident|apparent|"
    r"plain|known|decided|"
    r"settled|fixed)|to be seen|undetermined|rather not (?:have to )?guess|hate to (?:guess|pick|choose|get)|"
    r"flying blind|"
    r"would be my (?:next|first|last|only) |my (?:next|first|last|only|one|remaining|other|main) (?:\w+ )?"
    r"(?:question|concern|worry|issue|point|doubt|query))\b"
)
_BOOKS = re.compile(
    r"\b(?:books?|titles?|candidates?|hits?|results?|entries|records?|novels?|editions?|copies|matches|stories) "
    r"(?:are |is |still |also |that )*(?:remain\w*|left|missing|lack\w*)\b|\bi(?:'ve| have)? (?:left|kept|treated?|"
    r"ignored?)\b|\bi do wonder how\b|\bwonder how any|\bi(?:'m| am) (?:leaving|keeping|treating)\b|\b(?:its|his|"
    r"her|their|whose) (?:\w+ )?N[GLCYF]\b|[\u00a7\u00a4]"
)
# "I'd like ...", "I could do with ...", "I'm keen on ...": the agent's own wish
_WANTS = re.compile(
    r"\b(?:i|we)(?:'d| would| could|'ll| will)? (?:\w+ ){0,2}?(?:need|require|appreciate|value|welcome|benefit|"
    r"profit|love|like|"
    r"do with|be helped by|be (?:\w+ )?(?:\w+) (?:to|for|if|of))\b"
    r"|\b(?:i|we)(?:'d| would| could|'ll| will) (?!(?:go|start|begin|agree|stick|stay|work|recommend|suggest|"
    r"pick)\b)(?:\w+ ){1,5}?(?:with|given|knowing|if) "
    r"(?:an?|the|some|your|more|you|i)\b"
    r"|\bwe (?:\w+ )?(?:ought to|should|must|need to|have to|have yet to|could|might)\b|\blet's (?:talk|discuss|"
    r"hear|settle|agree|fix|say)\b"
    r"|\b(?:i|we)(?:'m| am|'re| are|'d be| would be) (?:\w+ )?(?:interested|keen|eager|curious|anxious|dying) "
    r"(?:in|on|to|for|about|if|whether|as)\b|"
    r"\b(?:i|we)(?:'m| am|'re| are) (?:\w+ )?(?:after|in need of)\b"
    r"|\b(?:i|we) could (?:really |certainly |well )?use\b|\bmy (?:\w+ )?(?:search\w*|work|job|task|choice|"
    r"recommendations?|suggestions?)(?:'d| would| could| will)? (?:\w+ ){0,2}?"
    r"(?:need|require|benefit|profit|gain|improve|be (?:\w+ )?(?:easier|better|quicker|faster))\w*"
)
# "Could do with the genre", "Would love to hear ...", without "I"
_ELLIPTIC = re.compile(
    r"^(?:(?:still|also|just|only|really|now|and|but|so|always) )*(?:could (?:do with|use|really use)|would "
    r"(?:\w+ )?(?:love|like|"
    r"appreciate|welcome|need)|need|lacking|wanting|wondering|hoping|keen|eager|happy to (?:know|hear|learn))\b"
)
# "Your taste in genres is a closed book to me": said to the user about what only the user can say
_ADDRESSES = re.compile(r"\b(?:me|my)\b.*\b(?:you|your)\b|\b(?:you|your)\b.*\b(?:me|my)\b")
_FOR_YOU = re.compile(
    r"\b(?:up|down|over|left) to you\b|\bfor you to (?:say|decide|choose|judge|pick|tell|settle|name)\b|"
    r"\b(?:decision|choice|call|pick)(?:'s| is) yours\b|\byou (?:decide|choose|pick|say)$|\byours? (?:to|alone|"
    r"call|choice|decision)\b|"
    r"\byou must (?:have|know)\b|\bonly you\b|\bmakes? (?:a|the|all the|some) (?:\w+ )?difference\b|\b(?:is|are|"
    r"will be|'s) (?:\w+ ){0,4}?(?:make or break|decisive|crucial|essential|deciding|"
    r"critical|vital|of the essence|the crux|bottleneck|obstacle|hurdle)\b|\bwhen it comes to\b"
)
_OUTCOME = re.compile(
    r"\d|\blet me\b(?! (?:hear|know|have))|\b(?:perfect|fit|rules? out|meets?|satisf\w+|hits?|results?|books|"
    r"titles?|candidates?|novels?|matches|suits?|fits?|meets?|pleased|glad|sorry|thank\w*|"
    r"found|gave|given|told|so i|noted|settled)\b"
)
# "There's room for more wishes", "please be as specific as you can about what you want"
_WISHES = re.compile(
    rf"\b{DEMAND}\b|\bwhat (?:(?:else )?you(?! can\b)|it|the book|matters)\b|\b(?:i|we)(?:'d)? (?:\w+ )?need "
    r"(?:\w+ )?more$"
    r"|\b(?:more|further|additional|extra) (?:\w+ )?from you\b|(?<!one )(?<!two )\b(?:more|further|other|"
    rf"additional|any|some|extra|few|fuller) (?:\w+ )?{WISH}\b|\b{WISH} from you\b"
)
_MISSED = re.compile(
    r"\bfrom you\b|\bi(?:'ve| have| may have| might have)? (?:\w+ )?(?:missed|missing|overlook\w+|forgot\w*|"
    r"neglect\w+|failed)\b"
)
_HANDLED = re.compile(
    r"\b(?:based on|according to|in line with|in view of|in accordance|given|considering|with (?:these|those|"
    r"your|all)|here(?:'s| is| are)|"
    r"thanks?|thank you|hope|sorry|afraid|now that|only|final|quite|tough|both|two|three|command)\b"
    r"|\b(?:meet|met|satisf|fit|match|fulfil|suit|tick|respect|violat|br[eo]ak|compl[yi]|contradict|conform|"
    r"rul(?:e|es|ed) out|leav|left)"
    r"(?:s|es|ed|ing|y|ies|ied|ten)?\b"
    r"|\b(?:i|we)(?:'ve|'ll|'m| have| will| am| are|'re)?(?: \w+){0,2}? (?!need|want|wish|lack|miss|"
    r"guess)(?:know|knew|see|saw|under\w+|\w+ed|\w+ing|noted?|took|take|keep|kept|"
    r"use|apply|have|had|got|find|found|think|go|search|look|check|try)\b"
    r"|\b(?:i|we)(?:'ve| have)(?: now| already| just| also)* (?!no\b|not\b|yet\b|to\b|only\b|never\b|too\b|an?\b|"
    r"the\b|got\b)\w+"
    r"|^(?:so |okay |ok |well |and |[a-z]+, )*(?:no|none|all|you have|you've|you want|these|those|this|that|it|"
    r"there was|there were|your)\b|\b(?:i|we)(?:'ll| will)\b(?! need)"
    r"|\bso far$|\b(?:was|were)\b|\bhow it\b|\bthe book that\b"
)
REFERS_BACK = re.compile(
    r"(?:those|these|both|either|that|this|all (?:three|four|of (?:that|these|those))|(?:it's )?(?:the|your) "
    r"(?:decision|choice|call|pick)|you (?:decide|"
    r"choose|pick|say)|it's (?:up|down) to you)\b"
)
# "I suspect there's more": the user has conditions unsaid
_SENSES = re.compile(
    r"\bthere(?:'s| is| are|'re| must be| may be| might be)(?: surely| probably| perhaps| certainly| also)* "
    r"(?:something|anything|more|other|some|further)\b.*\byou"
    r"|\bi(?:'ve| have| get| got) (?:an? |the )(?:\w+ )?(?:feeling|hunch|suspicion|impression|sense|idea)\b.*\byou"
    r"|\bi(?:'m| am) (?:under|left with|getting) (?:the|an) (?:impression|feeling|sense)\b.*\byou"
    r"|\bi (?:suspect|sense|bet|feel|believe|think|imagine|guess|suppose|assume|presume|expect|dare say|wager|"
    r"fear|'?have (?:an? |the )?(?:\w+ )?(?:feeling|hunch|suspicion|"
    r"impression|sense|idea)|get the (?:feeling|impression|sense)|(?:can't|cannot) (?:\w+ )?(?:\w+ )?(?:sense|"
    r"feeling|suspicion|"
    r"impression))\b.*\b(?:you|your)\b"
)
# "It might be that you'd rather read it in the original"
_SUPPOSES = re.compile(
    r"\b(?:perhaps|maybe|possibly|it (?:might|may|could|can) be that) (?:you|there's (?:an?|"
    r"some))\b(?!.*\b(?:like|love|enjoy) (?:this|it|an?)\b)"
    r"|\byou (?:might|may|could) (?:\w+ )?(?:prefer|want|care|mind|rather|need|have)\b"
)
# A subordinate question about the user's wish: "which languages you read", "whether it should be recent"
_SUBORDINATE = re.compile(
    rf"(?<!^)(?<!, )(?<!is )(?<!are )(?<!of )\b(?:which(?! is| was| are)|what|whose) (?:\w+ ){{0,2}}?{_ANY}[^,;]*?"
    rf"{_WISH}|(?<!^)(?<!, )\b(?:whether|how) (?=[^,;]*{_ANY})[^,;]*?{_WISH}"
    r"|\bN[CYF] (?:you|the book|it) (?:should|may|must|ought)\b"
)
_KNOWN = re.compile(
    r"\b(?:tells?|told|gives?|gave) me (?:everything|all|enough)\b|\bwhat strikes\b"
    r"|\bif you ask me\b|"
    r"(?<!once )(?<!al that )(?<!ant that )(?<!ry that )(?<!better that )(?<!when )(?<!if )(?<!until )(?<!soon "
    r"as )(?<!the more )\b(?:i|we)(?:'ve| have|'ll| will)? "
    r"(?:now |already |also |just |can |first )*(?:know|knew|see|check|verif\w+|look|find|found|"
    r"noted?|remember|recall|understand|understood|respect\w*|considered|kept|keep|took|heed\w*|bear|use[ds]?|"
    r"chose|picked)\b"
    r"|\b(?:let me|i can) (?:check|see|look|filter|search)\b|\bas (?:you|i)\b|\bno matter\b|\bregardless\b"
)


def expresses_need(text: str) -> bool:
    """Tell whether a part of a statement says that the agent lacks or wants something, or would be helped by it."""
    if hangs_on(text) or _COMPARES.search(text):
        return True
    if _KNOWN.search(text) and not (_NOT_KNOWN.search(text) or _GAP.search(text)):
        return False
    return bool(
        _helps(text)
        or _EXTRAPOSED.search(text)
        or _ELLIPTIC.match(text)
        or (
            ((_SENSES.search(text) and not re.search(_ANY, text)) or _SUPPOSES.search(text))
            and not _OUTCOME.search(text)
        )
        or ((_FOR_YOU.search(text) or (_NOUN.search(text) and _ADDRESSES.search(text))) and not _OUTCOME.search(text))
        or (_WANTS.search(text) and not _BOOKS.search(text))
        or ((_NOT_KNOWN.search(text) or _GAP.search(text)) and not _BOOKS.search(text))
        or (_SUBORDINATE.search(text) and not _BOOKS.search(text))
    )


def opens(text: str) -> bool:
    """Tell whether a statement speaks of the user's wishes as of something still to be told, not as dealt with."""
    return bool(_WISHES.search(text)) and (not _HANDLED.search(text) or bool(_MISSED.search(text)))


def hangs_on(text: str) -> bool:
    """Tell whether what the agent can do hangs on something: "once I know the genre, ..."."""
    return bool(_HANGS_ON.search(text))


def _helps(text: str) -> bool:
    """Tell whether something other than the agent or a book would help: "a time frame would let me cut the list"."""
    for modal in _MODAL.finditer(text):
        subject = text[: modal.start()]
        if subject and not _NOT_SUBJECT.search(subject) and _BENEFIT.search(text, modal.end()):
            return True
    return False
