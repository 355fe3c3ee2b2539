-- A bullet hits the body of an ogre, or its eye.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
-- The parts of one body have an owner, so they never meet each other.
local body = world:add("ogre", { owner = 1 })
local eye = world:add("ogre", { owner = 1, plane = "eye" })
local bullet = world:add("bullet")
for _, at in ipairs({ { 0, 0 }, { 8, -13 }, { 30, 0 } }) do
  local x, y = unpack(at)
  bullet:place(x, y, 0, 1, 1, bullet:pivot())
  local hit = {}
  for _, part in ipairs(bullet:touching()) do hit[part] = true end
  local what = hit[eye] and "the eye" or hit[body] and "the body" or "nothing"
  print(("%d, %d: %s"):format(x, y, what))
end
