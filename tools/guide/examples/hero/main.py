"""A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys."""

from hitmask import Atlas, World

world = World(Atlas.open("art.hitmask"))
items = world.insert_map("course").items
start = next(item for item in items if item.name == "start")
lift = next(item for item in items if item.name == "lift")
hero = world.insert("hero", start.position)
rules = {"climb": 3, "one_way": 2}
floor = None  # What the hero stands on.
speed, ticks_in_air, has_jumped = 0.0, 0, False
with open("keys.txt") as script:
    keys = "".join(script.read().split())
for tick, key in enumerate(keys):
    left, right, jump, down = key in "<\\", key in ">/", key in "^/\\", key == "v"

    # The lift goes up and down by 1 px per tick.
    x, y = lift.position
    world.move_to(lift.id, (x, y - 80 + abs(tick % 160 - 80)))

    # Sideways first. The belt carries the hero to the left.
    drift = -1 if floor and floor.name == "belt" else 0
    world.move_and_slide(hero, (1.5 * (right - left) + drift, 0), **rules)

    # Coyote time: a jump still works 6 ticks after the hero has left the ground.
    if jump and not has_jumped and ticks_in_air <= 6:
        speed, ticks_in_air, floor = -5.0, 7, None
    elif down and floor and floor.class_ == "one-way":
        # A one-way platform raises what is up to 2 px deep in it, by the rule `rise`. So 3 px down fall through.
        x, y = world.get(hero).at
        world.move_to(hero, (x, y + 3))
        floor = None
    has_jumped = jump

    # In the air the hero falls. On the ground 2 px down keep it on a slope.
    speed = min(speed + 0.25, 6)
    moved = world.move_and_slide(hero, (0, 2 if floor else speed), **rules)
    below = next((id for id, side in moved.contacts if side == "below"), None)
    floor = next((item for item in items if below is not None and item.id == below), None)
    ticks_in_air = 0 if floor else ticks_in_air + 1
    if moved.contacts:
        speed = 0.0  # On the ground, or at a ceiling.
    world.update()
    x, y = moved.position
    print(f"{x:g} {y:g}")
