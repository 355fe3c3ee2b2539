-- A coin falls onto terrain, which loses a crater each time.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
-- Terrain is a mask of the world. Without an origin, place() says where its top left pixel is.
local terrain, coin = world:add(hitmask.solid(300, 100)), world:add("coin")
terrain:place(0, 200)
coin:place(150, 100, 0, 1, 1, coin:pivot())
for _ = 1, 3 do
  local hit = coin:cast(0, 300)
  print(("the coin falls to y = %d"):format(100 + hit.dy))
  terrain:fill_disc(math.floor(hit.x), math.floor(hit.y) - 200, 20, false)
end
