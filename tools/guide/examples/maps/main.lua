-- A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local yard = world:add_map("yard")
print(("%d items, %d colliders"):format(#yard, world:count()))
local start
for _, item in ipairs(yard) do
  if item.name == "start" then start = item end
end
local hero = world:add("hero")
hero:place(start.x, start.y, 0, 1, 1, hero:pivot())
local x, y = hero:slide(0, 100)
print(("the hero falls to %d, %d"):format(x, y))
-- The level is saved anew: a boulder below the hero, and the hill farther away.
world:replace_atlas(hitmask.open("art-new.hitmask"))
local report = world:update_map(yard)
print(("%d inserted, %d removed, %d changed"):format(#report.inserted, #report.removed, #report.changed))
