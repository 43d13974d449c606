"""
The words that name a field or one of its values in an agent's turn, and how they are marked.

:func:`mark` replaces them in casefolded text by marks of two capital letters, so that the patterns of
:mod:`recfw_books.user.asking` and :mod:`recfw_books.user.intent` speak of fields and values, not of words: ``NG NL NC
NY NF`` for a word that names the genre, language, country, year or format; ``VG VL VC VY VF`` for one of its values;
``VN`` for a word such as *French*, which may be a language or a nation. Casefolded text holds no capital letter, so a
mark cannot be forged.
"""

import re

FIELDS = ("genre", "language", "country", "year", "format")
LETTERS = dict(zip("GLCYF", FIELDS, strict=True))


def either(*alternatives: str) -> str:
    """Return a regular expression that matches any of the alternatives."""
    return f"(?:{'|'.join(alternatives)})"


WORK = either(
    r"books?|stor(?:y|ies)|novels?|fiction|reads?|reading|literature|narratives?|titles?|works?|texts?|things?|stuff",
    r"ones?|tales?|writing",
)
WRITER = r"(?:authors?|writers?|novelists?|poets?|pens?|literature|authorship)"
_END = r"(?= ?$| ?[?,.;!])"
_PUBLISHED = either(
    r"published|written|released|printed|issued|appear(?:ed|s)?|came out|comes? out|been out|date(?:s|d)?|"
    r"publication",
    r"wrote|writing|release|(?:first )?see print",
)
_AGED = "(?:old|new|recent|modern|contemporary|dated|ancient)"
_NUMBER = r"(?:1[0-9]|20)\d\d"

# Words that only look like a field's ("new search", "how old are you", "reading history").
_NOISE = either(
    r"about the (?:type|kind|sort) of (?:book|read|thing)(?= (?:that )?you)|translated (?:by|for)",
    r"on the (?:subject|topic) of|where (?:that|this|it) came from|that is to say|once and for all|in other words",
    rf"(?:approx|approximately|roughly){_END}|(?:some|any) kind of (?=limit|restriction|preference)",
    r"reading (?:history|list|log|record)|old[- ]fashioned|once more|good old|(?:a )?long time|it'?s history",
    r"(?:how old|(?:of )?what age|which age) (?:are|is|were) (?:you|the (?:reader|child|kid|recipient)|she|he|they)",
    r"(?:your|reader'?s?'?|the child's|what) age(?: group| range)?|years? of age|(?<!thousand )years? old",
    r"(?<=whenever you )need a new (?=book)|(?:brand[- ])?new (?=(?:search|suggestion|proposal|candidate|idea|"
    r"query|attempt|try|pick|list|filter|"
    r"round|start)\b)",
    r"where (?:are|were|do) you (?:from|live|come from|based)|(?:up to|out of) date|to date",
    r"(?:been|out of|still|stays?|remain\w*|go(?:ne|es)?) (?:in |out of )?print(?! or)|(?:bad|strong|foul|crude|"
    r"explicit|coarse|simple|plain|difficult|easy) language|(?:in|of) the same vein|at (?:the same|this|any) "
    r"time|in (?:any|this|that|your|which) (?:case|event)",
    r"of (?:this|that) (?:sort|kind|type)|for (?:the|my|your) shel(?:f|ves)",
)
_GENRE_VALUES = either(
    r"sci-?fi|science[- ]fiction|sf(?= |$|[,/?])|space opera|historical (?:fiction|novels?|romances?)|"
    r"short stor(?:y|ies)",
    r"literary (?:fiction|novels?)|non[- ]?fiction(?:al)?|true crime|young[- ]adult|fairy[- ]?tales?|graphic novels?",
    r"(?:love|ghost|made-up|real|true) stor(?:y|ies)|self[- ]help|magic(?:al)? realism|(?:family )?sagas?|whodun\w+",
    r"(?:war|spy|crime|detective|horror|adventure|sea|fantasy|mystery|romance|romantic|gothic) "
    r"(?:novels?|stor(?:y|ies)|books?|fiction|tales?)",
    r"coming[- ]of[- ]age|travel (?:writing|books?)|children'?s'? (?:books?|literature|fiction)|children's",
    r"(?:for|aimed at|meant for) (?:children|kids|adults|grown-?ups|teens|teenagers)|alternat(?:e|"
    r"ive) histor(?:y|ies)",
    r"(?:novels?|stor(?:y|ies))(?=,? (?:or|vs\.?|versus) (?:\w+ ){0,3}?(?:factual|fact|non-?fiction|essay|memoir|"
    r"biograph|"
    r"poe(?:m|t)|stor(?:y|ies)|plays?))|factual|facts?(?=,? (?:or|vs\.?)|$)|plays?(?=,? or\b)|(?<=or )(?:plays?|"
    r"novels?)(?= ?[?]| ?$)",
    r"(?<!contemporary )(?<!modern )(?<!classic )(?<!older )(?<!recent )(?<!translated )"
    r"fiction(?=,? or\b| ?/|,? vs| at all)",
    rf"(?:(?<=or )|(?<=be )|(?<=it )|(?<=mean )|(?<=want )|(?<=like )|(?<=prefer )|(?<=read ))fiction{_END}|"
    r"(?:modernist|speculative|pulp|popular) fiction",
)
_GENRE = either(
    rf"(?:kinds?|types?|sorts?|styles?|class|branch|manners?) (?:of|'a) (?:a )?(?:\w+ ){{0,1}}?(?!things?\b){WORK}",
    r"(?:particular|specific|certain|what|which|other) (?:kind|sort|type)s?(?= ?$)|(?:kinds?|types?|"
    r"sorts?)(?= (?:would|do|are|is|did|should) (?:you|it))|(?:field|area|branch|domain|discipline)s? of "
    r"(?:interest|writing|knowledge|study|learning)",
    r"(?:section|shelf|shelves|aisle|department)s?(?: of the (?:shop|store|library|bookshop|bookstore))?",
    rf"(?:is|be|it|book|novel|story|something) (?:all )?about(?: (?=what|which)|{_END}|(?=[;.]))",
    r"^about what|what (?:is|should|would|must|shall) (?:it|the (?:book|story|novel)) (?:be )?about",
    r"(?<=what )(?:\w+ ){0,5}?read about",
)
_LANGUAGE = either(
    r"(?:mother|original|source|native) tongues?|(?:other|foreign|second|original|source|target)[- ]language",
    rf"(?:written|read|originally|be|reading) in(?:{_END}|(?=;| and\b| or\b))",
    r"(?<=what )(?:do|can|would|should) you (?:speak|read in)",
    rf"in (?:the |its |their |an? )?(?:original|translation)s?(?! (?:language|tongue))|(?:the|an) originals?{_END}",
)
_COUNTRY_VALUES = either(
    r"(?:anglophone|francophone|\w+[- ]speaking) (?:world|countr(?:y|ies)|authors?|writers?)|elsewhere|british isles",
    r"(?:latin|south|north|central) america\w*|(?:sub-saharan|north|west|east|south|southern) africa(?:n)?",
    r"middle east(?:ern)?|(?:eastern|western|northern|southern|central) europe(?:an)?|far east|new zealand(?:ers?)?",
    r"united states(?: of america)?|united kingdom|great britain|u\.?s\.?a|u\.s|the us|(?<=from )us|u\.?k",
    r"soviet(?: union| russia)?|saudi arabia|sri lanka|(?:south|north) korea(?:n)?|hong kong|costa rica(?:n)?",
    r"ivory coast|puerto ric(?:o|an)|czech republic|bosnia(?: and herzegovina)?|(?:old|new|third) world",
    r"(?:from|close to) home|from abroad|from overseas|(?:a )?foreign (?:authors?|writers?|novelists?)|compatriot",
    r"countrym[ae]n|(?<=from )the (?:east|west|north|south)|(?:east|west)(?= or )",
)
_COUNTRY = either(
    r"parts? of the (?:world|globe|planet|earth)|corners? of the (?:world|globe|earth)|home ?(?:country|land)",
    r"places? of (?:publication|origin|birth)|country of (?:origin|publication|birth)|"
    r"background of the (?:author|writer)",
    rf"where(?= (?:and|or) (?:when|in what|what (?:year|period)))|(?<=tell me )where(?= and)|^where{_END}",
    r"(?:where|wherever) (?!(?:do|should|can|shall|would|could|must) (?:i|we)\b)(?:[\w'-]+ ){0,9}?"
    + either(
        r"(?:is|be|comes?|hails?|coming|originate[sd]?|originating) from|published|from|hails?|born|"
        r"written|originates?",
        r"printed|comes?(?! up)",
    ),
    r"(?:and |or )?from where|where ?from|whence|(?:from|in) what place|whereabouts|places? in the world",
    r"(?:from|in) (?:a |any |some )?(?:certain|particular|specific|which) (?:place|part)s?",
    r"from (?:any|some)where|(?:wrong|right|same) place|whose (?:\w+ )?literature|national literatures?",
)
_YEAR_VALUES = either(
    r"(?:\w+ )?thousand years old",
    r"(?:the )?(?:nineteen |eighteen |19|18|')?"
    r"(?:twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|noughties)",
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:eight|nine|seven|six|fif|four|thir)teenth|twentieth|twenty-first|this|last|present"
    r"|current|previous)[- ](?:century|year|decade)s?",
    r"(?:pre|post|inter)-?war|(?:before|after|since|between|until|during) (?:the )?(?:first |second |"
    r"great |world |two )*"
    r"wars?(?: one| two| ii?)?|(?:of the )?present[- ]day",
    r"(?:before|after|since|until|till|by|from|around|in|than|of|up to|between|to|late|early|mid|post|pre|"
    r"prior to|-)[ -]?"
    rf"(?:the )?(?:early |late |mid-?)?{_NUMBER}s?(?:(?: ?- ?| and | to |/){_NUMBER})?(?: or (?:later|"
    r"earlier|after|before))?",
    r"(?:1[4-9]|20)\d\ds?|(?:last|past|recent) (?:few |couple of |\w+ )?(?:years?|decades?|months?)|"
    r"(?:hot|fresh|straight|right) off the press(?:es)?|(?:golden )?oldies?|"
    r"(?:published|written|released|printed|came out|come out|appeared) (?:\w+ )?too (?:early|late|recently|long ago)",
    r"in (?:recent|modern|my|our) times?|these days|(?:freshly|newly|recently) (?:printed|published|"
    r"written|released)",
    r"(?:published|written|released) (?:quite |very |fairly |more )?(?:recently|lately)",
    r"(?:somewhat|rather|fairly|something|anything|much|very|more|less|bit|little|quite|really|be|prefer|"
    r"in|was|is|it|its|it's"
    rf") {_AGED}(?![- ](?:york|zealand|orleans|delhi|one)\b)",
    r"(?:brand[- ])?(?:old|new|recent)(?:(?= (?:or|vs|versus|and|rather|releases?|publications?|classics?|"
    rf"masters?|{WORK})\b)"
    rf"|{_END}|(?= ?[/-]))|(?<=\bor )(?:old|new|recent)|(?<=/)(?:old|new)",
    rf"{_AGED}(?= enough)|(?:(?<=too )|(?<=not )|(?<=so )){_AGED}(?! far)",
    r"(?:written|published|from|of) (?:in )?the past|(?:closer|nearer) to (?:our|the present|"
    r"this)(?: own)?(?: \w+)?|in (?:your|my|our) lifetimes?",
    rf"(?:turn|end|start|beginning) of the (?:century|millennium)|older|newer|(?<=or )(?:later|earlier){_END}",
)
_YEAR = either(
    r"how (?:\w+ )?(?:old|new|recent|modern|far back|long ago|early|late|dated|fresh|ancient|contemporary)",
    r"time(?=-?wise)|timewise|time[- ]?(?:frames?|ranges?|spans?|windows?|periods?|slots?|brackets?|"
    r"of (?:publication|writing|release|origin))",
    r"(?:publication|publishing|release) (?:window|span|time|range|date|year|period|era)s?|"
    r"range of (?:years|dates)|(?:years?|dates?|decades?) (?:range|span)s?",
    r"(?:age|vintage|newness|recency) of (?:the|a|your) \w+|cut-?off(?: (?:year|date))?s?",
    r"(?:earliest|latest|oldest|newest)(?: acceptable| possible)?(?: publication)?(?: (?:year|date))?",
    r"(?:from |of |what |which |any )(?:roughly |about )?(?:what |which )?(?:points? in )?time",
    rf"when (?!(?:i|we|you)\b)(?:[\w'-]+ ){{0,9}}?(?:from|{_PUBLISHED})",
    rf"(?:from|since|until|before|after|than) when|(?<=and )when{_END}|^when{_END}|(?<=where )(?:and|or) when",
    r"when(?= (?:\w+ ){0,4}?(?:it|the book|the novel|this|that) (?:was|is|were|should|must|has|had)\b)",
    rf"{_PUBLISHED} (?:\w+ ){{0,3}}?(?:before|after|between|around|earlier|later|when)",
    r"(?:before|after|since|until) which(?= you)|(?:further|farther|(?:\w+ )?far) back(?! to you)|back in time|"
    r"cast the net in time",
)
_FORMAT_VALUES = either(
    r"hard[ -]?(?:covers?|backs?|bound|cop(?:y|ies))|paper[ -]?backs?|soft[ -]?covers?|large[- ]print|mass[- ]market",
    r"audio[ -]?(?:books?|version|edition|cd|format)?s?|e-?books?|e-?readers?|e-?pubs?|printed (?:page|"
    r"book|cop)\w*|pdfs?",
    r"physical (?:books?|cop(?:y|ies))|on the page|(?:on|in) (?:paper|screen|print|a screen|your phone|"
    r"a tablet|a phone)",
    r"(?:read(?:ing)?|look at|hold(?:ing)?)(?: it| them)?,? or (?:\w+ ){0,2}?(?:listen\w*|hear(?:ing)?)(?: to)?",
    r"(?:listen\w*|hear(?:ing)?)(?: to)?(?: it| them)?,? or (?:\w+ ){0,2}?read(?:ing)?|listen(?:ing)? to(?! "
    r"(?:me|my|the advice|music)\b)|(?<=to )listen",
    r"(?:with )?(?:your )?ears or (?:with )?(?:your )?eyes|(?:with )?(?:your )?eyes or (?:with )?(?:your )?ears",
    r"listen(?:ing)?(?= to (?:it|books?|them|your|a)\b)|(?:be|been|you|while) listening",
)
_FORMAT = either(
    r"how (?:would|do|will|should) you (?:prefer|like|want|take) (?:your|it|the) (?:books?|reading|reads?|copy|"
    r"novels?)\b",
    r"how (?:would|do|will|are|did|should) (?:you|it|the book) (?!describe|rate|rank)(?:\w+ ){0,4}?"
    r"(?:read|reading|consume|consuming|have it|take it|come|be delivered|enjoy (?:it|books|your books|"
    r"the book|your reading))",
    r"how you(?:'ll|'d|'re)? (?!describe|rate|rank)(?:\w+ ){0,4}?(?:read|reading|consume|consuming|listen|have "
    r"it)(?: it)?",
)
# Marked first, in this order: what is made of several words, or depends on its neighbours.
_PHRASES = tuple(
    (re.compile(rf"(?<![\w-]){pattern}(?!\w)"), to)
    for pattern, to in (
        (rf"(?<=year)( (?:\w+ ){{1,8}}?(?:published|written|released|appear|come out)) in{_END}", r"\1"),
        (
            r"(?:(?<=book is )|(?<=book be )|(?<=it is )|(?<=it be ))(?:\w+ ){1,2}years old",
            "VY",
        ),
        (_NOISE, "so"),
        (_GENRE_VALUES, "VG"),
        (_GENRE, "NG"),
        (_LANGUAGE, "NL"),
        (_COUNTRY_VALUES, "VC"),
        (_COUNTRY, "NC"),
        (_YEAR_VALUES, "VY"),
        (_YEAR, "NY"),
        (_FORMAT_VALUES, "VF"),
        (_FORMAT, "NF"),
    )
)
_WORDS = {
    "NG": (
        "categories category genre genre's genres sub-genre sub-genres subgenre subgenres subject subject-matter "
        "subjects theme themes topic topics"
    ),
    "NL": (
        "bilingual language language's languages lingo originally-written tongue tongues translate translated "
        "translating translation translations untranslated"
    ),
    "NC": (
        "civilisation civilisations civilization civilizations continent continents countries country country's "
        "flag flags geographic geographical geography homeland nation nationalities nationality nations origin "
        "origins passport passports provenance region regions"
    ),
    "NY": (
        "age centuries century date dates decade decades epoch epochs era eras period periods publication "
        "timeframe timeline timespan vintage year years"
    ),
    "NF": ("binding bindings device devices edition editions format formats media medium"),
    "VG": (
        "adventure adventures autobiography biographies biography comedies comedy comic crime cyberpunk detective "
        "drama dramas dystopia dystopian dystopias erotica espionage essay essays fable fables fantasies fantasy "
        "folklore gothic historical history horror humor humour literary memoir memoirs mysteries mystery myth "
        "myths noir nonfiction philosophy poem poems poetry romance romances romantic satire satires spy "
        "steampunk supernatural suspense thriller thrillers utopian western westerns whodunit ya"
    ),
    "VL": (
        "afrikaans anglophone arabic basque bengali cantonese catalan esperanto farsi francophone gaelic galician "
        "hebrew hindi latin malayalam mandarin marathi punjabi quechua sanskrit swahili tagalog tamil telugu urdu "
        "yiddish"
    ),
    "VN": (
        "albanian armenian bulgarian chinese croatian czech danish dutch english estonian finnish french georgian "
        "german greek hungarian icelandic indonesian irish italian japanese korean latvian lithuanian macedonian "
        "malay mongolian nepali norwegian persian polish portuguese romanian russian serbian slovak slovene "
        "slovenian somali spanish swedish thai tibetan turkish ukrainian vietnamese welsh"
    ),
    "VC": (
        "abroad africa african africans albania algeria algerian america american americans angola argentina "
        "argentine argentinian armenia asia asian asians australia australian australians austria austrian "
        "austrians azerbaijan balkan baltic bangladesh bangladeshi belarus belgian belgium bolivia bolivian "
        "bosnian brazil brazilian brazilians britain british briton britons brits bulgaria cameroon canada "
        "canadian canadians caribbean chile chilean china colombia colombian congo congolese croatia cuba cuban "
        "cypriot cyprus czechia czechoslovak czechoslovakia dane danes denmark ecuador ecuadorian egypt egyptian "
        "england englishman estonia ethiopia ethiopian europe european europeans filipino finland finn finns "
        "foreign france frenchman germans germany ghana ghanaian greece guatemala haiti holland hungarians "
        "hungary iceland india indian indians indonesia iran iranian iraq iraqi ireland irishman israel israeli "
        "italians italy jamaica jamaican japan jordanian kazakhstan kenya kenyan korea latvia lebanese lebanon "
        "lithuania luxembourg luxembourgish macedonia malaysia malaysian mali malta maltese mexican mexicans "
        "mexico moldova mongolia montenegro moroccan morocco mozambique nepal netherlands nicaragua nigeria "
        "nigerian nigerians nordic norway overseas pakistan pakistani palestine palestinian panama paraguay "
        "persia peru peruvian philippines poland pole poles portugal romania rome russia russians saudi "
        "scandinavia scandinavian scot scotland scots scottish senegal senegalese serbia singapore singaporean "
        "slavic slovakia slovenia somalia spain spaniards sudan sudanese swede sweden swedes swiss switzerland "
        "syria syrian taiwan taiwanese tanzania thailand tibet trinidad trinidadian tunisia tunisian turk turks "
        "uganda ugandan uk ukraine uruguay uruguayan usa ussr uzbekistan venezuela venezuelan vietnam wales "
        "yugoslav yugoslavia zimbabwe zimbabwean"
    ),
    "VY": (
        "1800s 1900s ancient antiquity classic classics contemporary edwardian elizabethan latest medieval modern "
        "pre-modern recent renaissance victorian"
    ),
    "VF": (
        "electronic electronically audible audio audiobook audiobooks digital digitally e-book e-books e-format "
        "e-ink earphones ebook "
        "ebooks ereader hardback hardbacks hardcover hardcovers hb headphones kindle kobo paper paperback "
        "paperbacks pb phone physical print printed softcover tablet"
    ),
}
_MARKS = {word: mark for mark, words in _WORDS.items() for word in words.split()}
WORDS = frozenset(_MARKS)
_WORD = re.compile(r"[a-z\u00c0-\u024f0-9]+(?:['/-][a-z\u00c0-\u024f]+)*")


def _marked(match: re.Match[str]) -> str:
    word = match[0]
    found = _MARKS.get(word) or _MARKS.get(word.removesuffix("'s"))
    if found or not ("-" in word or "/" in word):
        return found or word
    return "".join(_MARKS.get(piece, piece) for piece in re.split(r"([-/])", word))


def mark(text: str) -> str:
    """Return casefolded, written-out text with the words of fields and values marked."""
    for pattern, to in _PHRASES:
        text = pattern.sub(to, text)
    return _WORD.sub(_marked, text)
