-- What a mouse or a finger points at.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local ship, coin = world:add("ship"), world:add("coin")
ship:place(100, 100, 0, 1, 1, ship:pivot())
coin:place(104, 100, 0, 1, 1, coin:pivot())
local names = { [ship] = "the ship", [coin] = "the coin" }
for _, at in ipairs({ { 104, 100, 0 }, { 92, 98, 0 }, { 110, 108, 0 }, { 110, 108, 5 } }) do
  local x, y, radius = unpack(at)
  -- Later colliders are on top.
  local name = names[world:pick(x, y, radius)] or "nothing"
  print(("%d, %d within %d px: %s"):format(x, y, radius, name))
end
