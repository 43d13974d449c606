"""A store of a handful of items for tests of the servers: known values, no index, no model."""

from recfw_orchestration.data.records import (
    Business,
    CheckIn,
    Page,
    Product,
    Review,
    Sentiment,
    Stats,
    Tip,
    Venue,
    Visits,
)

MONDAY, SATURDAY = 0, 5


def product(item_id, title, category="Headphones", price=50.0, brand="Orla"):
    """Return a product."""
    words = f"{title} by {brand}"
    return Product(
        item_id, title, brand, category, ("Electronics", category), price, words, ("light",), {"Colour": "black"}, ()
    )


def business(item_id, name, lat=35.0, *, level=2, hours=None, closed=False, attributes=None):
    """Return a business of Tarn, which is open on Mondays, 8 to 17, and on Saturday nights until 2."""
    week = {MONDAY: ((480, 1020),), SATURDAY: ((1080, 1560),), 6: ()} if hours is None else hours
    about = {"OutdoorSeating": True, "WiFi": "free", "Parking": {"lot": True, "street": False}}
    return Business(
        item_id,
        name,
        "1 Mill Lane",
        "Tarn",
        "ZZ",
        lat,
        10.0,
        level,
        ("Cafes", "Food"),
        about if attributes is None else attributes,
        week,
        closed,
    )


def venue(item_id, category="Park", lat=40.0, city="NYC"):
    """Return a venue."""
    return Venue(item_id, f"{category} {item_id}", category, lat, -73.9, city)


ITEMS = {
    "electronics": {
        one.item_id: one
        for one in (
            product("p1", "Quiet Headphones", price=80.0),
            product("p2", "Loud Headphones", price=None),
            product("p3", "Small Camera", "Cameras", 250.5, "Fennick"),
        )
    },
    "local": {
        one.item_id: one
        for one in (
            business("b1", "Corner Cafe"),
            business("b2", "Far Cafe", 35.01, level=None, hours={}, attributes={"OutdoorSeating": False}),
            business("b3", "Shut Cafe", 35.02, closed=True),
        )
    },
    "places": {one.item_id: one for one in (venue("v1"), venue("v2", "Cafe", 40.01), venue("v3", "Park", 40.02))},
}
REVIEWS = [
    Review("r1", "p1", "u1", 5.0, "Good", "Very comfortable and quiet.", "2024-03-01T10:00", 1),
    Review("r2", "p1", "u2", 2.0, "Bad", "The battery died.", "2024-02-01T10:00", 7),
    Review("r3", "p2", "u1", 4.0, "Fine", "Loud enough.", "2024-01-01T10:00", 0),
    Review("r4", "b1", "u1", 4.5, "Nice", "Good food.", "2024-01-01T10:00", 0),
]
CHECK_INS = [
    CheckIn("v1", "u1", "2012-04-07T09:10", "2012-04-07T13:10"),
    CheckIn("v2", "u1", "2012-04-06T08:10", "2012-04-06T12:10"),
]


class SmallData:
    """What servers ask of a store, over the items above."""

    digest, domains = "small", ("electronics", "local", "places")

    def count(self, table, domain):
        return len(ITEMS[domain])

    def item(self, domain, item_id):
        return ITEMS[domain].get(item_id)

    def item_ids(self, domain):
        return sorted(ITEMS[domain])

    def known_user(self, domain, user_id):
        return user_id in ("u1", "u2")

    def categories(self, domain):
        return {"electronics": ("Cameras", "Electronics", "Headphones"), "local": ("Cafes", "Food")}.get(
            domain, ("Cafe", "Park")
        )

    def cities(self):
        return ("Tarn",)

    def reviews_of(self, domain, item_id):
        return [review for review in REVIEWS if review.item_id == item_id]

    def reviews_by(self, domain, user_id):
        return [review for review in REVIEWS if review.user_id == user_id and review.item_id in ITEMS[domain]]

    def tips_of(self, item_id):
        return [Tip("b1", "u2", "Sit outside.", "2024-01-05T12:00", 3)] if item_id == "b1" else []

    def checkins_by(self, user_id):
        return CHECK_INS if user_id == "u1" else []

    def visits(self, item_id):
        hours, days = [0] * 24, [0] * 7
        hours[9], days[SATURDAY] = {"v1": 6, "v2": 1, "v3": 2}.get(item_id, 0), 3
        hours[20] = 4
        return Visits(sum(hours), 5, tuple(hours), tuple(days))

    def stats(self, domain, item_id):
        means = {"p1": (3.5, 2), "p2": (4.0, 1), "b1": (4.5, 1)}
        mean, n = means.get(item_id, (None, 0))
        return Stats(mean, n, (0, n, 0, 0, 0), None)

    def sentiment(self, domain, item_id, aspect=None):
        return Sentiment(1 / 3, 2, 1, 3) if item_id == "p1" else Sentiment(0.0, 0, 0, 0)

    def search(self, domain, query, keep=None, limit=10):
        words = query.lower().split()
        found = []
        for item_id, item in sorted(ITEMS[domain].items()):
            hits = sum(word in f"{item.name} {item.category}".lower() for word in words)
            if (hits or not words) and (keep is None or keep(item)):
                found.append((item_id, float(hits)))
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:limit], len(found)

    def search_reviews(self, domain, phrase, item_ids=None, limit=10):
        words = phrase.lower().split()
        found = [
            (review, 1.0)
            for review in REVIEWS
            if review.item_id in (ITEMS[domain] if item_ids is None else item_ids)
            and all(word in review.text.lower() for word in words)
        ]
        return found[:limit], len(found)

    def search_pages(self, query, domain=None, limit=10):
        page = self.page("w1")
        return ([(page, 1.0)], 1) if "headphones" in query.lower() else ([], 0)

    def page(self, page_id):
        text = "A guide. " * 30 + "Which headphones are quiet? " + "More. " * 60
        return Page("w1", "electronics", "Headphones compared", text, ("p1", "p2")) if page_id == "w1" else None

    def similar(self, domain, item_id, basis="content", limit=10):
        return [(other, 0.5) for other in sorted(ITEMS[domain]) if other != item_id][:limit]

    def near(self, domain, lat, lon, radius_km):
        return [(item_id, float(n)) for n, item_id in enumerate(sorted(ITEMS[domain])) if n <= radius_km]

    def recommend(self, domain, user_id, keep=None, exclude=(), limit=10):
        kept = [i for i, item in sorted(ITEMS[domain].items()) if (keep is None or keep(item)) and i not in exclude]
        return [(item_id, 1.0 / (place + 1)) for place, item_id in enumerate(kept)][:limit]

    def rank(self, domain, user_id, item_ids):
        return [(item_id, 1.0 / (place + 1)) for place, item_id in enumerate(sorted(item_ids))]
