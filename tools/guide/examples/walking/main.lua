-- A hero walks over the ground and up a slope.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local function add(name, x, y, fields)
  local collider = world:add(name, fields)
  collider:place(x, y, 0, 1, 1, collider:pivot())
  return collider
end
add("ground", 160, 108, { fixed = true })
add("slope", 160, 84, { fixed = true })
local hero = add("hero", 60, 50)
for _ = 1, 40 do
  -- 3 px to the right, and 8 px down for gravity.
  hero:slide(3, 0)
  hero:slide(0, 8)
end
print(("the hero stands at %d, %d"):format(hero:position()))
