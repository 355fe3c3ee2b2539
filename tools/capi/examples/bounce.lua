-- hitmask through LuaJIT's ffi: luajit bounce.lua HEADER LIBRARY
local ffi = require("ffi")
local header, library = assert(arg[1], "header"), assert(arg[2], "library")

-- The header without what LuaJIT's parser does not read.
local file = assert(io.open(header))
local text = file:read("*a")
file:close()
text = text:gsub("#ifdef __cplusplus.-#endif[^\n]*\n", "")
local constants = {}
for name, value in text:gmatch("#define (HM_[%w_]+) (%d+)") do
  constants[name] = tonumber(value)
end
text = text:gsub("#[^\n]*\n", "\n")
ffi.cdef(text)
local hm = ffi.load(library)

local function check(status)
  if status > 1 then
    error(ffi.string(hm.hm_status_text(status)) .. ": " .. ffi.string(hm.hm_last_error()))
  end
  return status == 0
end
assert(hm.hm_abi_version() == constants.HM_ABI_VERSION)

local baker, mask = ffi.new("hm_baker *[1]"), ffi.new("hm_mask *[1]")
local atlas, world = ffi.new("hm_atlas *[1]"), ffi.new("hm_world *[1]")
check(hm.hm_baker_create(baker))
check(hm.hm_mask_disc(6, mask))
check(hm.hm_baker_add_masks(baker[0], "disc", ffi.new("const hm_mask *[1]", { mask[0] }), 1, nil))
check(hm.hm_baker_bake_atlas(baker[0], atlas))
check(hm.hm_world_create(atlas[0], world))

local count = 1000
local ids, at = ffi.new("hm_collider_id[?]", count), ffi.new("hm_placement[?]", count)
local collider = hm.hm_default_collider()
check(hm.hm_atlas_sprite(atlas[0], "disc", ffi.cast("hm_sprite_id *", ffi.cast("char *", collider) + ffi.offsetof("hm_collider", "sprite"))))
for i = 0, count - 1 do
  check(hm.hm_world_insert(world[0], collider, ids + i))
  at[i].x, at[i].y = (i * 37) % 400, (i * 91) % 300
end
check(hm.hm_world_set_placements(world[0], ids, at, count))
check(hm.hm_world_update(world[0]))
local pairs = ffi.new("hm_pairs[1]")
check(hm.hm_world_touching(world[0], pairs))
assert(pairs[0].count > 0 and pairs[0].items[0].a ~= 0)
-- An error of the library is an error of Lua.
local ok, message = pcall(function() check(hm.hm_world_move_to(world[0], 0, 1, 1)) end)
assert(not ok and message:find("stale id"))
print("touching " .. tonumber(pairs[0].count))
check(hm.hm_world_destroy(world[0]))
check(hm.hm_atlas_destroy(atlas[0]))
check(hm.hm_mask_destroy(mask[0]))
check(hm.hm_baker_destroy(baker[0]))
