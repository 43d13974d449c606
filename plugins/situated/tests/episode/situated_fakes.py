"""A store without a server and without collision, and eyes that see whatever lies ahead: for tests of rules."""

import math

from attrs import define, evolve, field

from recfw.model.view import Picture
from recfw_situated.driver.store import Done, Moved
from recfw_situated.views.labels import ASSISTANT, USER
from recfw_situated.views.observe import Labeller
from recfw_situated.views.sights import Sight, Sights

FAR = 1500.0


@define
class FakeStore:
    """A store in memory; ``walls`` makes every walk stop after so many cm."""

    scene: object
    at: object = None
    stuck: float = math.inf
    calls: list = field(factory=list)

    def __attrs_post_init__(self):
        self.at = self.scene.start

    async def move(self, forward, right):
        length = math.hypot(forward, right)
        share = min(1.0, self.stuck / length) if length else 0.0
        yaw = math.radians(self.at.yaw)
        dx = (forward * math.cos(yaw) - right * math.sin(yaw)) * share
        dy = (forward * math.sin(yaw) + right * math.cos(yaw)) * share
        self.at = evolve(self.at, x=self.at.x + dx, y=self.at.y + dy)
        return Moved(self.at, length * share, share < 1.0)

    async def turn(self, degrees):
        self.at = evolve(self.at, yaw=(self.at.yaw + degrees + 180.0) % 360.0 - 180.0)
        return self.at

    async def look(self, degrees):
        self.at = evolve(self.at, pitch=self.at.pitch + degrees)
        return self.at

    async def follow(self, path, yaw=None):
        x, y = path[-1]
        self.at = evolve(self.at, x=x, y=y, yaw=self.at.yaw if yaw is None else yaw)
        return Moved(self.at, 1.0, False)

    async def pick(self, instance):
        self.calls.append(("pick", instance))
        return Done(True)

    async def drop(self):
        self.calls.append(("drop",))
        return Done(True)

    async def show_item(self, instance):
        self.calls.append(("show", instance))
        return Done(True)

    async def cart(self, instance=None):
        self.calls.append(("cart", instance))
        return Done(True)


@define
class FakeWatch:
    """Sees every place and product within 15 m and 90 degrees of straight ahead, through walls."""

    store: FakeStore
    labeller: Labeller
    pose: object = None
    seen: dict = field(factory=dict)
    captures: int = 0

    def __attrs_post_init__(self):
        self.pose = self.store.at

    async def observe(self, turn, state):
        sights = Sights(self.pose, tuple(sorted(self._all(state), key=lambda s: (s.distance, s.kind, s.id))))
        self.seen = {role: self.labeller.observe(sights, role) for role in (USER, ASSISTANT)}

    def _all(self, state):
        scene, found = self.store.scene, {}
        gone = {state.held, *state.cart}
        for one in scene.instances:
            if one.id not in gone:
                sight = self._sight("product", one.product, one.position, one.id)
                if sight and (one.product not in found or sight.distance < found[one.product].distance):
                    found[one.product] = sight
        places = [("fixture", f.id, f.box.center) for f in scene.fixtures]
        places += [("store", s.id, s.box.center) for s in scene.stores] + [("area", a.id, a.point) for a in scene.areas]
        return [*found.values(), *filter(None, (self._sight(*place) for place in places))]

    def _sight(self, kind, name, point, instance=""):
        dx, dy = point[0] - self.pose.x, point[1] - self.pose.y
        bearing = (math.degrees(math.atan2(dy, dx)) - self.pose.yaw + 180.0) % 360.0 - 180.0
        distance = math.hypot(dx, dy)
        return Sight(kind, name, distance, bearing, 99, instance) if abs(bearing) <= 90 and distance <= FAR else None

    def move(self, pose):
        self.pose = pose

    def handle(self, kind, turn):
        return f"{kind}-{turn}"

    def handles(self, turn):
        return {role: self.handle(role, turn) for role in (USER, ASSISTANT)}

    async def picture(self, handle):
        self.captures += 1
        return Picture(handle.encode(), "image/png")
