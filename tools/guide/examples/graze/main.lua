-- Bullets that hit a ship, or pass it within 10 px.
local hitmask = require("hitmask")
local ffi = require("ffi")
local C = hitmask.C
local world = hitmask.world(hitmask.open("art.hitmask"))
local ship, bullet = world:add("ship"), world:add("bullet")
local found = ffi.new("hm_grazes[1]")
for _, y in ipairs({ 0, 12, 40 }) do
  bullet:place(0, y, 0, 1, 1, bullet:pivot())
  world:update() -- passes the place on
  -- A function of hitmask.h: the colliders that touch the ship, or come within 10 px.
  local status = C.hm_world_graze(world.handle, ship.id, 10, nil, found)
  if status ~= 0 then error(ffi.string(C.hm_last_error())) end
  local word = "clear"
  if found[0].count > 0 then
    word = found[0].items[0].graze == ffi.C.HM_GRAZE_HIT and "hit" or "near miss"
  end
  print(("y = %d: %s"):format(y, word))
end
