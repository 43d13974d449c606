"""The first half of building a store: rows are numbered, repeats go, each user's latest interaction is held out."""

import sqlite3
from collections.abc import Callable

import orjson

from recfw_orchestration.data.codec import pack
from recfw_orchestration.data.records import Domain, Venue
from recfw_orchestration.data.schema import first_key, span_of

PRIVATE = "Home (private)"
"""The category of venues that are people's homes: none of them is ever in a store."""

Dropped = dict[str, dict[str, int]]
"""Kind of row -> why it was left out -> how many."""


def fill(db: sqlite3.Connection, domain: Domain, told: Callable[[str], None]) -> Dropped:
    """Copy a domain's rows from the attached ``staged`` into the store; return what was left out, and why."""
    told(f"{domain}: items")
    dropped: Dropped = {"item": _items(db, domain)}
    told(f"{domain}: interactions")
    if domain == "places":
        dropped["checkin"] = _visits_of_users(db, domain)
    else:
        dropped["review"] = _reviews(db, domain)
        dropped["tip"] = _tips(db, domain)
        dropped["checkin"] = _anonymous_visits(db, domain)
    _categories(db, domain)
    return dropped


def _count(db: sqlite3.Connection, asked: str, given: tuple[object, ...] = ()) -> int:
    found: int = db.execute(asked, given).fetchone()[0]
    return found


def _items(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    if domain == "places":
        return _venues(db, domain)
    read = _count(db, "SELECT count(*) FROM staged.items WHERE domain = ?", (domain,))
    # Of several records of one id the first counts.
    db.execute(
        """
        INSERT INTO items (key, domain, item_id, record)
        SELECT ? - 1 + row_number() OVER (ORDER BY item_id), domain, item_id, record FROM staged.items
        WHERE no IN (SELECT min(no) FROM staged.items WHERE domain = ? GROUP BY item_id)
        """,
        (first_key(domain), domain),
    )
    return {"the same id as an earlier record": read - _count(db, "SELECT changes()")}


def _venues(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    """Make each venue of its check-ins: the category and the coordinates that most of them name (ties: the least)."""
    common = """
        SELECT item_id, {0} FROM (
            SELECT item_id, {0}, row_number() OVER (PARTITION BY item_id ORDER BY count(*) DESC, {0}) AS place
            FROM staged.sightings GROUP BY item_id, {0})
        WHERE place = 1 ORDER BY item_id
    """
    named = db.execute(common.format("category"))
    placed = db.cursor().execute(common.format("lat, lon, city"))
    private = 0
    rows: list[tuple[int, Domain, str, bytes]] = []
    for (item_id, category), (_, lat, lon, city) in zip(named, placed, strict=True):
        if category == PRIVATE:
            private += 1
        else:
            venue = Venue(item_id, f"{category} {item_id[-6:]}", category, lat, lon, city)
            rows.append((first_key(domain) + len(rows), domain, item_id, pack(venue)))
    db.executemany("INSERT INTO items (key, domain, item_id, record) VALUES (?, ?, ?, ?)", rows)
    return {"a private home": private}


_PAIRED = """
CREATE TEMP TABLE kept AS
SELECT no, item, user_id, row_number() OVER (PARTITION BY user_id ORDER BY time DESC, id DESC) AS place,
    count(*) OVER (PARTITION BY user_id) AS of_user
FROM (
    SELECT r.no AS no, i.key AS item, r.user_id AS user_id, r.time AS time, r.review_id AS id,
        row_number() OVER (PARTITION BY r.user_id, r.item_id ORDER BY r.time DESC, r.review_id DESC) AS again
    FROM staged.reviews AS r JOIN main.items AS i ON i.domain = r.domain AND i.item_id = r.item_id
    WHERE r.domain = ?)
WHERE again = 1
"""


def _reviews(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    read = _count(db, "SELECT count(*) FROM staged.reviews WHERE domain = ?", (domain,))
    joined = """
        SELECT count(*) FROM staged.reviews AS r
        JOIN main.items AS i ON i.domain = r.domain AND i.item_id = r.item_id WHERE r.domain = ?
    """
    known = _count(db, joined, (domain,))
    _drop_temporary(db)
    db.execute(_PAIRED, (domain,))
    kept = _count(db, "SELECT count(*) FROM kept")
    _users(db, domain)
    db.execute(
        """
        INSERT INTO held_out SELECT u.key, k.item, r.time, r.rating FROM kept AS k
        JOIN staged.reviews AS r ON r.no = k.no JOIN main.users AS u ON u.domain = ? AND u.user_id = k.user_id
        WHERE k.place = 1 AND k.of_user > 1 ORDER BY u.key
        """,
        (domain,),
    )
    held = _count(db, "SELECT changes()")
    db.execute(
        """
        INSERT INTO reviews
        SELECT ? - 1 + row_number() OVER (ORDER BY r.review_id, r.no), k.item, u.key, r.review_id, r.rating, r.title,
            r.text, r.time, r.helpful
        FROM kept AS k JOIN staged.reviews AS r ON r.no = k.no
        JOIN main.users AS u ON u.domain = ? AND u.user_id = k.user_id
        WHERE NOT (k.place = 1 AND k.of_user > 1) ORDER BY r.review_id, r.no
        """,
        (first_key(domain), domain),
    )
    _rate(db, domain)
    return {
        "no record of its item": read - known,
        "a later review by the same user of the same item": known - kept,
        "held out: its user's latest": held,
    }


def _drop_temporary(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE IF EXISTS temp.kept")


def _users(db: sqlite3.Connection, domain: Domain) -> None:
    """Number the users of ``kept``, with what their source says of them."""
    # Of several profiles of one user the first counts.
    db.execute(
        """
        INSERT INTO users
        SELECT ? - 1 + row_number() OVER (ORDER BY k.user_id), ?, k.user_id, s.record
        FROM (SELECT DISTINCT user_id FROM kept) AS k
        LEFT JOIN (
            SELECT user_id, record, min(no) FROM staged.users WHERE domain = ? GROUP BY user_id
        ) AS s ON s.user_id = k.user_id
        """,
        (first_key(domain), domain, domain),
    )


def _rate(db: sqlite3.Connection, domain: Domain) -> None:
    """Put counts, histogram and trend of the ratings beside the items."""
    span = span_of(domain)
    counted = ", ".join(f"sum(rating >= {n - 0.5} AND rating < {n + 0.5}) AS h{n}" for n in range(1, 6))
    db.execute(
        f"""
        UPDATE items SET n = s.n, total = s.total, h1 = s.h1, h2 = s.h2, h3 = s.h3, h4 = s.h4, h5 = s.h5
        FROM (SELECT item, count(*) AS n, sum(rating) AS total, {counted} FROM reviews
            WHERE key >= ? AND key < ? GROUP BY item) AS s
        WHERE items.key = s.item
        """,  # noqa: S608 - our own numbers
        span,
    )
    db.execute(
        """
        UPDATE items SET trend = s.late - s.early FROM (
            SELECT r.item, avg(r.rating) FILTER (WHERE julianday(r.time) >= l.edge) AS late,
                avg(r.rating) FILTER (WHERE julianday(r.time) < l.edge) AS early
            FROM reviews AS r JOIN (
                SELECT item, julianday(max(time)) - 90 AS edge FROM reviews WHERE key >= ? AND key < ?
                GROUP BY item
            ) AS l ON l.item = r.item GROUP BY r.item) AS s
        WHERE items.key = s.item AND s.late IS NOT NULL AND s.early IS NOT NULL
        """,
        span,
    )


def _tips(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    """Copy tips, without those that a user left where his or her held-out interaction took place."""
    if domain != "local":
        return {}
    read = _count(db, "SELECT count(*) FROM staged.tips")
    known = _count(
        db, "SELECT count(*) FROM staged.tips AS t JOIN items AS i ON i.domain = ? AND i.item_id = t.item_id", (domain,)
    )
    db.execute(
        """
        INSERT INTO tips
        SELECT ? - 1 + row_number() OVER (ORDER BY t.item_id, t.time, t.user_id, t.text, t.no), i.key, t.user_id,
            t.text, t.time, t.likes
        FROM staged.tips AS t JOIN items AS i ON i.domain = ? AND i.item_id = t.item_id
        LEFT JOIN users AS u ON u.domain = ? AND u.user_id = t.user_id
        LEFT JOIN held_out AS h ON h.user = u.key AND h.item = i.key
        WHERE h.user IS NULL
        """,
        (first_key(domain), domain, domain),
    )
    left = _count(db, "SELECT changes()")
    return {"no record of its item": read - known, "beside its user's held-out review": known - left}


_VISITED = """
CREATE TEMP TABLE kept AS
SELECT no, item, user_id, row_number() OVER (PARTITION BY user_id ORDER BY utc DESC, item DESC) AS place,
    count(*) OVER (PARTITION BY user_id) AS of_user
FROM (
    SELECT min(c.no) AS no, i.key AS item, c.user_id AS user_id, c.utc AS utc
    FROM staged.checkins AS c JOIN main.items AS i ON i.domain = c.domain AND i.item_id = c.item_id
    WHERE c.domain = ? GROUP BY c.user_id, c.item_id, c.utc)
"""


def _visits_of_users(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    read = _count(db, "SELECT count(*) FROM staged.checkins WHERE domain = ?", (domain,))
    distinct = _count(
        db,
        "SELECT count(*) FROM (SELECT 1 FROM staged.checkins WHERE domain = ? GROUP BY user_id, item_id, utc)",
        (domain,),
    )
    _drop_temporary(db)
    db.execute(_VISITED, (domain,))
    kept = _count(db, "SELECT count(*) FROM kept")
    _users(db, domain)
    db.execute(
        """
        INSERT INTO held_out SELECT u.key, k.item, c.time, NULL FROM kept AS k JOIN staged.checkins AS c ON c.no = k.no
        JOIN main.users AS u ON u.domain = ? AND u.user_id = k.user_id
        WHERE k.place = 1 AND k.of_user > 1 ORDER BY u.key
        """,
        (domain,),
    )
    held = _count(db, "SELECT changes()")
    db.execute(
        """
        INSERT INTO checkins
        SELECT ? - 1 + row_number() OVER (ORDER BY c.utc, k.item, u.key), k.item, u.key, c.time, c.utc
        FROM kept AS k JOIN staged.checkins AS c ON c.no = k.no
        JOIN main.users AS u ON u.domain = ? AND u.user_id = k.user_id
        WHERE NOT (k.place = 1 AND k.of_user > 1) ORDER BY c.utc, k.item, u.key
        """,
        (first_key(domain), domain),
    )
    _tally_visits(db, domain)
    return {
        "the same user, venue and moment again": read - distinct,
        "at a private home": distinct - kept,
        "held out: its user's latest": held,
    }


def _anonymous_visits(db: sqlite3.Connection, domain: Domain) -> dict[str, int]:
    read = _count(db, "SELECT count(*) FROM staged.checkins WHERE domain = ?", (domain,))
    distinct = _count(
        db, "SELECT count(*) FROM (SELECT 1 FROM staged.checkins WHERE domain = ? GROUP BY item_id, utc)", (domain,)
    )
    db.execute(
        """
        INSERT INTO checkins
        SELECT ? - 1 + row_number() OVER (ORDER BY utc, item), item, NULL, time, utc FROM (
            SELECT i.key AS item, c.time AS time, c.utc AS utc FROM staged.checkins AS c
            JOIN main.items AS i ON i.domain = c.domain AND i.item_id = c.item_id
            WHERE c.domain = ? GROUP BY i.key, c.utc)
        """,
        (first_key(domain), domain),
    )
    left = _count(db, "SELECT changes()")
    _tally_visits(db, domain)
    return {"the same place and moment again": read - distinct, "no record of its item": distinct - left}


def _tally_visits(db: sqlite3.Connection, domain: Domain) -> None:
    """Count each item's check-ins by local hour and weekday."""
    asked = """
        SELECT item, count(*), count(DISTINCT user), group_concat(CAST(substr(time, 12, 2) AS INTEGER)),
            group_concat((CAST(strftime('%w', substr(time, 1, 10)) AS INTEGER) + 6) % 7)
        FROM checkins WHERE key >= ? AND key < ? GROUP BY item
    """
    rows = []
    for item, n, visitors, hours, weekdays in db.execute(asked, span_of(domain)):
        rows.append((item, n, visitors, orjson.dumps(_counts(hours, 24)), orjson.dumps(_counts(weekdays, 7))))
    db.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", rows)


def _counts(joined: str, size: int) -> list[int]:
    counts = [0] * size
    for number in joined.split(","):
        counts[int(number)] += 1
    return counts


def _categories(db: sqlite3.Connection, domain: Domain) -> None:
    path = "$.category" if domain == "places" else "$.categories"
    db.execute(
        """
        INSERT INTO categories SELECT ?, c.value, count(*) FROM items AS i, json_each(CAST(i.record AS TEXT), ?) AS c
        WHERE i.domain = ? AND c.value <> '' GROUP BY c.value
        """,
        (domain, path, domain),
    )
