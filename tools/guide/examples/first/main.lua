-- Two sprites, one of which moves: the tick and the pixel of the first contact.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local ship, rock = world:add("ship"), world:add("rock")
-- What love.graphics.draw() gets, with the pivot as the origin of the image.
rock:place(90, 52, 0, 1, 1, rock:pivot())
for tick = 0, 99 do
  ship:place(tick, 40, 0, 1, 1, ship:pivot())
  world:update()
  for a, b in world:began() do
    local hit = world:contact(a, b)
    print(("tick %d: hit at %d, %d"):format(tick, hit.x, hit.y))
  end
end
