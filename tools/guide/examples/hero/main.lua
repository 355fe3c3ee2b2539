-- A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local items, named = world:add_map("course"), {}
for _, item in ipairs(items) do named[item.name] = item end
local start, lift = named.start, named.lift
local hero = world:add("hero")
hero:place(start.x, start.y, 0, 1, 1, hero:pivot())
local rules = { climb = 3, one_way = 2 }
local floor -- What the hero stands on.
local tick, speed, ticks_in_air, has_jumped = 0, 0, 0, false
for key in io.open("keys.txt"):read("*a"):gmatch("%S") do
  local function is(keys) return keys:find(key, 1, true) ~= nil end
  local left, right, jump, down = is("<\\"), is(">/"), is("^/\\"), is("v")

  -- The lift goes up and down by 1 px per tick.
  local height = 80 - math.abs(tick % 160 - 80)
  lift.collider:place(lift.x, lift.y - height, 0, 1, 1, lift.collider:pivot())
  tick = tick + 1

  -- Sideways first. The belt carries the hero to the left.
  local run = (right and 1.5 or 0) - (left and 1.5 or 0) - (floor == named.belt and 1 or 0)
  local x, y = hero:slide(run, 0, rules)

  -- Coyote time: a jump still works 6 ticks after the hero has left the ground.
  if jump and not has_jumped and ticks_in_air <= 6 then
    speed, ticks_in_air, floor = -5, 7, nil
  elseif down and floor and floor.class == "one-way" then
    -- A one-way platform raises what is up to 2 px deep in it, by the rule rise. So 3 px down fall through.
    hero:place(x, y + 3, 0, 1, 1, hero:pivot())
    floor = nil
  end
  has_jumped = jump

  -- In the air the hero falls. On the ground 2 px down keep it on a slope.
  speed = math.min(speed + 0.25, 6)
  local contacts
  x, y, contacts = hero:slide(0, floor and 2 or speed, rules)
  floor = nil
  for _, contact in ipairs(contacts) do
    for _, item in ipairs(items) do
      if contact.side == "below" and item.collider == contact.collider then floor = item end
    end
  end
  ticks_in_air = floor and 0 or ticks_in_air + 1
  if #contacts > 0 then speed = 0 end -- On the ground, or at a ceiling.
  world:update()
  print(("%g %g"):format(x, y))
end
