"""Every profile field changes what the rule-based user says or does."""

from attrs import evolve, fields

from recfw_situated.profiles.records import Profile, Traits
from recfw_situated.tasks.records import Acceptance, Disclosure, Goal, Wish
from recfw_situated.users.shopper import Shopper

TRAITS = Traits(3, 3, 3, 3, 3)
PROFILE = Profile(
    "s01", "supermarket", "Test shopper", "I test stores.", "tests", "woman", "25 to 34", "working full time", "tester",
    "just me", "a studio", "by bus", "a small fridge", TRAITS, "curious", "medium", "medium", "low", "medium", "high",
    "medium",
)  # fmt: skip
GOAL = Goal(
    "One cereal.", ("cereal",), "a breakfast cereal", "quick breakfasts", (Wish("crunchy", "crunchy"),),
    (Wish("sweet", "sweet"),), 5.0, "strict", Disclosure("category", ("use", "budget", "unwanted:0", "need:0")),
    Acceptance("after rejection", "none", "reject"),
)  # fmt: skip
GOOD = {"name": "Crisp Cereal Flakes", "category": "cereal", "price": 4.5, "tags": ["crunchy"], "attributes": {}}
SWEET = {**GOOD, "name": "Sugar Stars", "tags": ["crunchy", "sweet"]}
SOFT = {**GOOD, "name": "Soft Oats", "tags": []}


def seen(*products, places=()):
    """Return what is visible: products in reach, places."""
    listed = [{"handle": str(n), "name": p["name"], "distance": 100, "bearing": 0, "reach": True}
              for n, p in enumerate(products, 1)]  # fmt: skip
    fixtures = [{"handle": chr(64 + n), "name": name, "distance": 500, "bearing": 0, "approaches": ["nearest", "front"]}
                for n, name in enumerate(places, 1)]  # fmt: skip
    return {"products": listed, "fixtures": fixtures, "stores": [], "areas": []}


def script():
    """Return what happens in a long, varied episode: utterances, views, things in hand."""
    reject = "I recommend the Sugar Stars."
    yield "Hello, what are you looking for?", seen(), None
    yield "Who is it for, where do you live, how did you get here?", seen(), None
    for words in ("Who is it for?", "Where do you live?", "How did you come here, by car?", "Do you have storage?"):
        yield words, seen(), None
    yield "Tell me about yourself.", seen(), None
    for _ in range(12):
        yield "Please walk to Bakery.", seen(places=("Bakery",)), None
    yield "Nice weather.", seen(GOOD), None
    yield reject, seen(SWEET), None
    yield "Have a look.", seen(SWEET), SWEET
    yield "The Soft Oats?", seen(SOFT), None
    yield "Have a look.", seen(SOFT), SOFT
    yield "I recommend the Crisp Flakes.", seen(GOOD), None
    yield "I recommend the Crisp Flakes, since it costs $4.50.", seen(GOOD), None
    for _ in range(4):
        yield "It fits.", seen(GOOD), GOOD
    for _ in range(14):
        yield "Nice weather.", seen(), None


def behaviour(profile, goal=GOAL):
    """Return all that a shopper says and does in the episode."""
    shopper = Shopper("supermarket", profile, goal, 5)
    done = []
    for utterance, visible, held in script():
        facts = {"utterance": utterance, "visible": visible, "held": held, "checked": None, "last": None}
        said, call, _ = shopper.respond(facts)
        done.append((said, call.name, dict(call.arguments)))
    return done


OTHERS = {
    "persona": ["I break stores."], "gender": ["man"], "age_group": ["65 or older"], "employment": ["retired"],
    "occupation": ["pilot"], "household": ["the two of us"], "housing": ["a farm"], "transport": ["on foot"],
    "storage": ["a pantry"], "behaviour_style": ["direct", "deliberate", "sociable", "hesitant"],
    "patience": ["low", "high"], "price_sensitivity": ["low", "high"], "explanation_seeking": ["high"],
    "substitute_willingness": ["low"], "navigation_following": ["low"], "talkativeness": ["low", "high"],
}  # fmt: skip
CHATTY = evolve(PROFILE, behaviour_style="sociable")


def test_every_field_changes_behaviour():
    """Changing one field alone, to each of its other kinds of value, changes the episode."""
    for name, values in OTHERS.items():
        base = CHATTY if name == "persona" else PROFILE
        for value in values:
            assert behaviour(base) != behaviour(evolve(base, **{name: value})), (name, value)


def test_every_trait_changes_behaviour():
    """Each of the Big Five, low or high, changes the episode of a shopper whose style leaves room for it."""
    plain = evolve(PROFILE, behaviour_style="deliberate", navigation_following="medium")
    for name in (each.name for each in fields(Traits)):
        changed = [behaviour(evolve(plain, traits=evolve(TRAITS, **{name: value}))) for value in (1, 5)]
        assert any(each != behaviour(plain) for each in changed), name


def test_no_field_is_forgotten():
    """All fields are covered but those that only name the profile or frame its errands."""
    covered = {*OTHERS, "traits"}
    assert {"id", "scene", "role", "theme"} == {each.name for each in fields(Profile)} - covered


def test_price_sensitivity_asks_for_something_cheaper_and_tells_the_budget_first():
    """A price-sensitive shopper asks once for something cheaper before it spends most of its budget."""
    said = {
        level: [each[0] for each in behaviour(evolve(PROFILE, price_sensitivity=level))] for level in ("low", "high")
    }
    asked = {level: sum("anything cheaper" in words for words in lines) for level, lines in said.items()}
    assert {"low": 0, "high": 1} == asked
