-- 10,000 sprites that bounce around, as in bounce.c, for LuaJIT and LÖVE. Prints a hash of the final state, which
-- is not that of bounce.c: angles are radians here and turns there, and round to other steps.
--
--   LUA_PATH='tools/capi/love/?.lua' HITMASK_LIBRARY=lib/libhitmask.so luajit tools/capi/examples/bounce.lua
local ffi = require("ffi")
local hitmask = require("hitmask")

local SPRITES, TICKS, WIDTH, HEIGHT, RING = 10000, 30, 4000, 3000, 32

-- SplitMix64.
local state = 38ULL
local function below(limit)
  state = state + 0x9e3779b97f4a7c15ULL
  local z = bit.bxor(state, bit.rshift(state, 30)) * 0xbf58476d1ce4e5b9ULL
  z = bit.bxor(z, bit.rshift(z, 27)) * 0x94d049bb133111ebULL
  z = bit.rshift(bit.bxor(z, bit.rshift(z, 31)), 32)
  return tonumber(bit.rshift(z * limit, 32))
end

local rgba = ffi.new("uint8_t[?]", RING * RING * 4)
for y = 0, RING - 1 do
  for x = 0, RING - 1 do
    local dx, dy = 2 * x - RING + 1, 2 * y - RING + 1
    local d = dx * dx + dy * dy
    rgba[(y * RING + x) * 4 + 3] = d < RING * RING and d > (RING * RING - RING * RING % 3) / 3 and 255 or 0
  end
end
local arrow = hitmask.mask([[
  #........
  ####.....
  #######..
  #########
  #######..
  ####.....
  #........
]])
local ring = { width = RING, height = RING, rgba = ffi.string(rgba, RING * RING * 4) }
local world = hitmask.world(hitmask.bake({ arrow = arrow, ring = ring }))

local sprites = {}
for i = 1, SPRITES do
  local name = i % 2 == 1 and "arrow" or "ring"
  local sprite = { x = below(WIDTH), y = below(HEIGHT), turn = below(65536) }
  sprite.vx, sprite.vy, sprite.spin = below(33) / 4 - 4, below(33) / 4 - 4, below(2048)
  sprite.collider = world:add(name)
  -- Drawn about the centre of the image. Positions are those of bounce.c: corners of pixels.
  sprite.ox, sprite.oy = sprite.collider:pivot()
  sprites[i] = sprite
end
local began = 0
for tick = 1, TICKS do
  for _, it in ipairs(sprites) do
    it.x, it.y = it.x + it.vx, it.y + it.vy
    if it.x < 0 or it.x > WIDTH then it.vx = -it.vx end
    if it.y < 0 or it.y > HEIGHT then it.vy = -it.vy end
    it.turn = (it.turn + it.spin) % 65536
    it.collider:place(it.x + it.ox % 1, it.y + it.oy % 1, it.turn * (2 * math.pi / 65536), 1, 1, it.ox, it.oy)
  end
  world:update()
  for _ in world:began() do
    began = began + 1
  end
end
local touching = 0
for _ in world:touching() do
  touching = touching + 1
end
print(("touching %d, began %d, state %s"):format(touching, began, world:state_hash()))
