-- 10,000 rocks that drift apart, and all pairs that touch.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
-- 100 rows of 100 rocks.
local rocks = {}
for i = 0, 9999 do rocks[i] = world:add("rock") end
local function count(pairs)
  local n = 0
  for _ in pairs do n = n + 1 end
  return n
end
for tick = 0, 2 do
  for i = 0, 9999 do
    rocks[i]:place(i % 100 * (40 + tick), math.floor(i / 100) * (41 + tick))
  end
  world:update()
  local touching, began, ended = count(world:touching()), count(world:began()), count(world:ended())
  print(("tick %d: %d pairs touch, %d began, %d ended"):format(tick, touching, began, ended))
end
