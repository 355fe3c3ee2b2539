-- A ship that turns and grows, and a coin near it.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local turning, coin = world:add("ship"), world:add("coin")
coin:place(0, 18, 0, 1, 1, coin:pivot())
for _, degrees in ipairs({ 0, 45, 90 }) do
  for _, scale in ipairs({ 1, 2 }) do
    turning:place(0, 0, math.rad(degrees), scale, scale, turning:pivot())
    world:update()
    local pairs = 0
    for _ in world:touching() do pairs = pairs + 1 end
    print(("%d degrees, scale %d: %d pairs"):format(degrees, scale, pairs))
  end
end
