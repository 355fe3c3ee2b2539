-- Poses of a compact atlas are drawn when they are first shown, or ahead.
local hitmask = require("hitmask")
local ffi = require("ffi")
local C = hitmask.C
local world = hitmask.world(hitmask.open("art.hitmask"))
-- A function of hitmask.h: figures about the poses that the world has drawn.
local function pose_stats()
  local stats = ffi.new("hm_pose_stats")
  if C.hm_world_pose_stats(world.handle, stats) ~= 0 then error(ffi.string(C.hm_last_error())) end
  return stats
end
world:add("rock")
print(("%d pose is drawn"):format(tonumber(pose_stats().poses)))
-- One item for each angle that will be shown. In a game: some of them in each frame.
local wave = {}
for i = 1, 64 do wave[i] = { sprite = "rock", angle = 2 * math.pi * (i - 1) / 64 } end
local drawn = world:draw_ahead(wave) - 1
print(("%d of %d are ready"):format(drawn, #wave))
local stats = pose_stats()
print(("%d poses take %d bytes"):format(tonumber(stats.poses), tonumber(stats.bytes)))
