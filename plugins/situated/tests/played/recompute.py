"""
The track's figures computed a second time, from an exported file alone: no code of recfw is used here.

What a role said is read from its raw replies; what came into view, and the cart, from the world's events. Labels are
resolved by the markers of the turn, products by the store's own ``products.yaml``.
"""

import json
import math
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean, stdev

import yaml

BOTH = {"move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down"}
BOTH |= {"add_to_cart", "idle"}
LEGAL = {
    "supermarket": {*BOTH, "move_to_fixture", "pick_up_item", "drop_item"},
    "furnishings": {*BOTH, "move_to_store", "move_to_area", "check_item", "do_not_add_to_cart"},
}
SIDED = {"turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down"}


def read(path):
    """Return tasks by id, and trials: (cell, task) -> its events and scores."""
    tasks, trials, current = {}, {}, None
    with Path(path).open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if "task" in line:
                tasks[line["task"]["id"]] = line["task"]
            elif "trial" in line:
                current = trials[line["trial"]["cell"], line["trial"]["task_id"]] = {"events": [], "scores": {}}
            elif "event" in line:
                current["events"].append(line["event"])
            elif "score" in line:
                current["scores"][line["score"]["metric"]] = line["score"]["value"]
    return tasks, trials


def turns_of(events):
    """Return turn -> both roles' last replies (None where no valid one came), turn -> markers, and the cart."""
    last, turns, views, cart, goals = {}, defaultdict(dict), defaultdict(list), [], {}
    spoken, refused = Counter(), 0
    for event in events:
        if event["kind"] == "reply":
            last[event["role"]] = event["reply"]["data"]
            continue
        name, data = event.get("name"), event.get("data")
        if name in {"assistant", "user"}:
            turns[data["turn"]][name] = None if data["neutral"] else last["agent" if name == "assistant" else "user"]
        if name == "assistant" and data["goal"]:
            goals[data["turn"]] = (data["goal"]["kind"], data["goal"]["id"])
        if name == "user":
            cart = data["cart"]
            refused += data["refusal"] is not None
        if name == "observed":
            views[data["turn"]] += data["markers"]
        if name == "violation":
            spoken[data["role"]] += len(data["labels"])
    return turns, views, cart, goals, spoken, refused


def followed(turns, views, kind):
    """Return whether each legal expected action was met by name, and each comparable one by its parameters."""
    names, params = [], []
    for number, turn in sorted(turns.items()):
        wanted = (turn.get("assistant") or {}).get("expected_user_action")
        if not wanted or wanted["name"] not in LEGAL[kind]:
            continue
        calls = (turn.get("user") or {}).get("tool_calls") or [None]
        done = calls[0]
        same = bool(done) and done["name"] == wanted["name"]
        names.append(same)
        asked, given = wanted.get("arguments") or {}, (done or {}).get("arguments") or {}
        if wanted["name"] in SIDED and asked.get("direction") in {"left", "right", "up", "down"}:
            params.append(same and asked["direction"] == given.get("direction"))
        if wanted["name"].startswith("move_to_"):
            what = wanted["name"].removeprefix("move_to_")
            ids = {
                role: {m[role]: m["id"] for m in views[number] if m["kind"] == what} for role in ("assistant", "user")
            }
            target = ids["assistant"].get(asked.get(what))
            if target is not None:
                met = same and ids["user"].get(given.get(what)) == target
                if what == "store" and asked.get("approach"):
                    met = met and asked["approach"] == given.get("approach")
                params.append(met)
    return names, params


def ranked(ranking, cart, reference):
    """Return R@5 and NDCG@10 against the cart, and 1 / rank of the first reference product."""
    gain, seen = 0.0, set()
    for rank, product in enumerate(ranking[:10], 1):
        gain += (product in cart and product not in seen) / math.log2(rank + 1)
        seen.add(product)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, len(cart)) + 1))
    first = next((1 / rank for rank, product in enumerate(ranking[:10], 1) if product in reference), 0.0)
    return len(cart & set(ranking[:5])) / len(cart) if cart else 0.0, gain / best if cart else 0.0, first


def visible(goals, views, homes):
    """Return how many goals there are, and how many came into view within 0 to 5 turns and by the end."""
    waits, count = [], 0
    for number, (kind, place) in goals.items():
        if place is None or number not in views:
            continue
        count += 1
        for later in sorted(turn for turn in views if turn >= number):
            held = {(m["kind"], m["id"]) for m in views[later]}
            if (kind, place) in held or any(k == "product" and place in homes.get(i, ()) for k, i in held):
                waits.append(later - number)
                break
    seen = {f"goals_seen_{h}": float(sum(wait <= h for wait in waits)) for h in range(6)}
    return {"goals": float(count), **seen, "goals_seen_end": float(len(waits))}


def figures(task, events, catalog):
    """Return every figure of one episode."""
    turns, views, cart, goals, spoken, refused = turns_of(events)
    public, reference = task["public"], set(task["private"]["reference"])
    names, params = followed(turns, views, public.get("kind", public["scene"]))
    replies = [turn["assistant"] for turn in turns.values() if turn.get("assistant")]
    lists = [ranked(reply["ranking"], set(cart), reference) for reply in replies]
    entries = [product for reply in replies for product in reply["ranking"]]
    acts = Counter(reply["assistant_actions"][0]["type"] for reply in replies)
    bought, suited, count = bool(cart), float(bool(reference & set(cart))), float(len(turns))
    return {
        "success": float(bought),
        "turns": count,
        "turns_to_purchase": count if bought else None,
        "afr": mean(names) if names else None,
        "lnsr": mean(params) if params else None,
        "recall_at_5": mean(each[0] for each in lists) if lists else 0.0,
        "ndcg_at_10": mean(each[1] for each in lists) if lists else 0.0,
        "rpr": suited,
        "rpr_given_cart": suited if bought else None,
        "r_mrr_at_10": mean(each[2] for each in lists) if lists else None,
        "catalog_validity": mean(product in catalog for product in entries) if entries else None,
        "ranked": float(len(entries)),
        "ranked_known": float(sum(product in catalog for product in entries)),
        **{f"act_{name}": float(acts[name]) for name in ("Greet", "Navigate", "Recommend", "ConfirmPurchase")},
        "labels_assistant": float(spoken["assistant"]),
        "labels_user": float(spoken["user"]),
        "actions_refused": float(refused),
        **visible(goals, views, public.get("homes", {})),
    }


def products(folder):
    """Return the ids in a store's products.yaml."""
    return {each["id"] for each in yaml.safe_load((folder / "products.yaml").read_text(encoding="utf-8"))}


def spread(values):
    """Return the mean of the four subset means with their sample SD; over all where not all four have a value."""
    held = {name: [each for each in found if each is not None] for name, found in values.items()}
    held = {name: found for name, found in held.items() if found}
    if len(held) == 4:
        means = [mean(found) for found in held.values()]
        return mean(means), stdev(means)
    every = [each for found in held.values() for each in found]
    return (mean(every), None) if every else (None, None)
