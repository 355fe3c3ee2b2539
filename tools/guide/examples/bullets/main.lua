-- Bullets that fly 900 px per tick hit what lies between.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local rock = world:add("rock")
rock:place(500, 0, 0, 1, 1, rock:pivot())
for _, y in ipairs({ 0, -21, -23 }) do
  local bullet = world:add("bullet")
  bullet:place(0, y, 0, 1, 1, bullet:pivot())
  -- 900 px in one tick: every pixel of the way is tested.
  local hit = bullet:cast(900, 0)
  print(("y = %d: %s"):format(y, hit and "stops at x = " .. hit.dx or "flies on"))
  bullet:remove()
end
