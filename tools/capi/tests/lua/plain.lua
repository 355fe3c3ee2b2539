-- Tests of hitmask.lua that need no LÖVE: LUA_PATH=... HITMASK_LIBRARY=... luajit plain.lua
local ffi = require("ffi")
local hitmask = require("hitmask")
local checks = 0

local function equal(found, wanted)
  checks = checks + 1
  if found ~= wanted then error(("%s should be %s"):format(tostring(found), tostring(wanted)), 2) end
end

-- Runs a call that must be refused with a message that has this text.
local function refused(text, call, ...)
  checks = checks + 1
  local is_allowed, message = pcall(call, ...)
  if is_allowed or not tostring(message):find(text, 1, true) then
    error(("%s: %s should be refused for: %s"):format(tostring(is_allowed), tostring(message), text), 2)
  end
end

local rock, ship = hitmask.disc(21), hitmask.solid(20, 10)
local odd = hitmask.mask("##.\n#..\n...\n...\n...")
local atlas = hitmask.bake({ rock = rock, ship = { ship, ship, angles = 64, scales = { 1, 2 } }, odd = { odd, scales = { 1, 2 } } })
equal(table.concat(atlas:names(), " "), "odd rock ship")
atlas = hitmask.open_bytes(atlas:bytes())

-- The program of the README.
local world = hitmask.world(atlas)
local a, b = world:add("ship"), world:add("rock", { sensor = true, layers = 3 })
b:place(160, 40, 0.5, 1, 1, 21.5, 21.5)
local hits = {}
for tick = 0, 59 do
  a:place(101 + tick, 40, 0, 1, 1, 10, 5)
  world:update()
  for one, other in world:began() do
    local hit = world:contact(one, other)
    table.insert(hits, ("tick %d: hit at %d, %d"):format(tick, hit.x, hit.y))
    equal(one, a)
    equal(other, b)
  end
end
equal(table.concat(hits, ", "), "tick 29: hit at 139, 36")

-- A level. Its box at (1040, 8.25) is mirrored and turned by 90 degrees.
local function beside(path) return (debug.getinfo(1, "S").source:match("^@(.*)[/\\]") or ".") .. "/" .. path end
local yard = hitmask.world(hitmask.open(beside("../yard.hitmask")))
local items = yard:add_map("levels/yard", 1000, 0.25)
local ground, start, box = unpack(items)
equal(#items, 3)
equal(table.concat({ ground.id, start.id, box.id }, " "), "solid/0,0 things/1 things/4")
equal(table.concat({ ground.name, ground.class, ground.x, ground.y, ground.width, ground.height }, " "), "solid chunk 1000 0.25 64 8")
equal(table.concat({ start.name, start.class, start.x, start.y, start.width, tostring(start.collider) }, " "), "start  1007.5 -2.75 0 nil")
equal(table.concat({ box.name, box.class, box.x, box.y, box.properties.damage, box.properties.Zahl }, " "), "box crate 1040 8.25 3 π")
equal(yard:query_point(1040, 8.25)[1], box.collider)
equal(yard:query_point(1000, 0.25)[1], ground.collider)
equal(table.concat({ ground.collider:position() }, " "), "968 -3.75")
-- place() of what position() returns moves nothing.
local function placed(item)
  local _, left, top = item.collider:mask()
  return left .. " " .. top
end
for _, numbers in ipairs({ { ground, 0, 1 }, { box, math.pi / 2, -1 } }) do
  local item, r, sx = unpack(numbers)
  local before, left, top = placed(item), item.collider:position()
  item.collider:place(left + 9, top, r, sx, 1)
  equal(placed(item) ~= before, true)
  item.collider:place(left, top, r, sx, 1)
  equal(placed(item), before)
end
local wave = {}
for i = 1, 8 do wave[i] = { sprite = "crate", angle = i * math.pi / 4, flip_x = i > 4, frame = 1, layers = 2 } end
-- The box of the level shows the pose of the first ones.
local first = yard:draw_ahead(wave, 0)
equal(first, 3)
while first <= #wave do first = yard:draw_ahead(wave, 0.5, first) end
equal(first, 9)
equal(yard:draw_ahead(wave, 0), 9)
equal(yard:draw_ahead({}), 1)
refused("no sprite", yard.draw_ahead, yard, { { sprite = "crat" } })
refused("invalid angle", yard.draw_ahead, yard, { wave[1], { sprite = "crate", angle = 0 / 0 } })
refused("item 1", yard.draw_ahead, yard, { wave[1], { sprite = "crate", scale = -1 } })
refused("seconds", yard.draw_ahead, yard, wave, -1)
refused("first", yard.draw_ahead, yard, wave, 1, 10)
local before = yard:state_hash()
equal(#yard:add_map("empty"), 0)
refused('their maps: "empty", "levels/yard"', yard.add_map, yard, "yard")
refused("is not finite", yard.add_map, yard, "levels/yard", 0 / 0)
refused("is not finite", yard.add_map, yard, "empty", 0, 1 / 0)
refused("null pointer", yard.add_map, yard)
equal(yard:state_hash(), before)
for _, item in ipairs(items) do
  if item.collider then item.collider:remove() end
end
equal(yard:count(), 0)

-- An edit of the level: the ground moves, the box goes, and a lamp comes.
yard = hitmask.world(hitmask.open(beside("../yard.hitmask")))
local level, other = yard:add_map("levels/yard", 1000, 0.25), yard:add_map("levels/yard")
yard:update()
equal(#yard:update_map(level).changed, 0)
ground, start, box = unpack(level)
equal(yard:replace_atlas(hitmask.open(beside("../yard-edited.hitmask"))), 0)
local report = yard:update_map(level)
equal(table.concat({ #report.inserted, #report.removed, #report.changed, #report.kept }, " "), "1 1 1 0")
equal(report.removed[1], box)
equal(level[1].id .. " " .. level[1].name, "things/7 lamp")
equal(report.inserted[1], level[1])
equal(report.changed[1] == level[2] and level[2].collider, ground.collider)
equal(table.concat({ ground.collider:position() }, " "), "976 -2.75")
equal(level[3].x == 1009 and #level, 3)
equal(yard:query_point(1020, -7.75)[1], level[1].collider)
refused("stale id", box.collider.touching, box.collider)
yard:update()
for one, another in yard:ended() do equal(one == box.collider or another == box.collider, true) end
-- What the game has placed and removed stays so, with the origin that it has given.
ground.collider:place(500, 600, 0, 1, 1, 5, 6)
level[1].collider:remove()
report = yard:update_map(level)
equal(table.concat({ #report.inserted, #report.removed, #report.changed, #report.kept }, " "), "0 0 0 2")
equal(report.kept[1] == level[1] and report.kept[1].collider, nil)
equal(table.concat({ ground.collider:position() }, " "), "500 600")
refused("must be of the type map", yard.update_map, yard, { unpack(items) })
refused("must be of the type map", yard.update_map, yard)
refused("another world", yard.update_map, hitmask.world(yard.atlas), level)
refused("must be of the type atlas", yard.replace_atlas, yard, level)
refused("resolution", yard.replace_atlas, yard, hitmask.bake({ rock = rock }, { resolution = 2 }))
equal(#yard:update_map(other).removed, 1)
level:destroy()
refused("destroyed", yard.update_map, yard, level)

-- Masks of placed colliders have the pixels that love.graphics.draw() draws.
local function drawn(collider)
  local mask, left, top = collider:mask()
  local width, height = mask:size()
  local all = {}
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      if mask:get(x, y) then table.insert(all, (x + left) .. "," .. (y + top)) end
    end
  end
  return table.concat(all, " ")
end
local it = world:add("odd")
it:place(10, 20)
equal(drawn(it), "10,20 11,20 10,21")
it:place(10, 20, 0, -1, 1)
equal(drawn(it), "8,20 9,20 9,21")
it:place(10, 20, 0, 1, -1)
equal(drawn(it), "10,18 10,19 11,19")
it:place(10, 20, math.pi)
equal(drawn(it), "9,18 8,19 9,19")
it:place(10, 20, math.pi / 2, 1, 1, 0, 5)
equal(drawn(it), "13,20 14,20 14,21")
it:place(10, 20, 0, 2)
equal(drawn(it), "10,20 11,20 12,20 13,20 10,21 11,21 12,21 13,21 10,22 11,22 10,23 11,23")
local x, y = it:position()
equal(x .. " " .. y, "10 20")
refused("shear 0.5, 0", it.place, it, 1, 1, 0, 1, 1, 0, 0, 0.5, 0)
refused("scales 1 and 2 differ", it.place, it, 1, 1, 0, 1, 2)
refused("scale 0: not above 0", it.place, it, 1, 1, 0, 0)
refused("scale 9 is not baked", it.place, it, 1, 1, 0, 9)
refused("is not finite", it.place, it, 0 / 0, 1)
refused("is not finite", it.place, it, 1, 1, 1 / 0)
refused("out of range", it.place, it, 1e12, 1)
refused("arithmetic", it.place, it, nil, 1)
refused("arithmetic", it.place, it, {}, 1)
equal(drawn(it), "10,20 11,20 12,20 13,20 10,21 11,21 12,21 13,21 10,22 11,22 10,23 11,23")
it:remove()

-- So do those at scales where the centres of pixels fall on edges of texels, in every quarter turn and flip.
local sizes, scales = { { 5, 5 }, { 3, 2 }, { 2, 3 }, { 10, 7 }, { 6, 1 } }, { 1.1, 1.5, 3, 6, 10, 12 }
local solids = {}
for i, size in ipairs(sizes) do solids["s" .. i] = { hitmask.solid(size[1], size[2]), angles = 4, scales = scales } end
local scaled = hitmask.world(hitmask.bake(solids))
for i, size in ipairs(sizes) do
  it = scaled:add("s" .. i)
  for _, scale in ipairs(scales) do
    for turns = 0, 3 do
      for flips = 0, 3 do
        local sx, sy = flips % 2 == 0 and scale or -scale, flips < 2 and scale or -scale
        it:place(10, 20, turns * math.pi / 2, sx, sy)
        -- The corner opposite to (10, 20), which a quarter turn moves from (x, y) to (-y, x).
        local width, height = size[1] * sx, size[2] * sy
        for _ = 1, turns do width, height = -height, width end
        local mask, left, top = it:mask()
        local drawn_width, drawn_height = mask:size()
        for _, axis in ipairs({ { 10, width, left, drawn_width }, { 20, height, top, drawn_height } }) do
          local at, extent, from, drawn_extent = unpack(axis)
          local side = math.floor(math.abs(extent) + 0.5)
          if math.abs(math.abs(extent) - side) < 1e-9 then
            equal(from .. " to " .. from + drawn_extent, at + math.min(extent < 0 and -side or 0, 0) .. " to " ..
              at + math.max(extent > 0 and side or 0, 0))
          end
        end
      end
    end
  end
  it:remove()
end

-- At any resolution, images and masks begin where they are drawn.
for _, resolution in ipairs({ 0.5, 2, 4 }) do
  local solids = { five = hitmask.solid(5, 3), six = hitmask.solid(6, 4) }
  local fine = hitmask.world(hitmask.bake(solids, { resolution = resolution }))
  for name, what in pairs({ five = "five", six = "six", terrain = hitmask.solid(5, 4) }) do
    it = fine:add(what)
    it:place(10, 20)
    local _, left, top = it:mask()
    equal(left .. " " .. top, 10 * resolution .. " " .. 20 * resolution)
    if name == "six" then
      it:place(10, 20, 0, -1)
      local mask, x0 = it:mask()
      equal(x0 + mask:size(), 10 * resolution)
    end
  end
end

-- Fields of colliders.
b:set({ enabled = false, accuracy = "box" })
world:update()
for one, other in world:ended() do
  equal(one == a and other == b, true)
end
b:set({ enabled = true, sensor = false })
refused("unknown field height; known are accuracy, ", b.set, b, { height = 1 })
refused("unknown accuracy exacct; known are box, ", b.set, b, { accuracy = "exacct" })
refused("the field owner of hm_collider cannot be me", b.set, b, { owner = "me" })
refused("the field layers of hm_collider cannot be 4294967296", b.set, b, { layers = 2 ^ 32 })
refused("the field min_width of hm_collider cannot be 0.5", b.set, b, { min_width = 0.5 })
refused("the field min_width of hm_collider cannot be nan", b.set, b, { min_width = 0 / 0 })
refused('no plane "shield"', b.set, b, { plane = "shield" })
refused("frame must be a whole number from 1 to 2, not 9", a.set, a, { frame = 9 })
refused("frame must be a whole number from 1 to 2, not 0", a.set, a, { frame = 0 })
a:set({ frame = 2 })
equal(a:touching()[1], b)

-- Questions.
equal(world:pick(160, 40), b)
equal(world:pick(1000, 1000), nil)
equal(world:query_point(160, 40, { except = b })[1], a)
equal(#world:query_point(160, 40, { layers = 2 }), 1)
equal(#world:query_rect(0, 0, 500, 500), 2)
equal(#world:query_circle(0, 0, 5), 0)
local ray = world:ray(160, 0, 160, 100)
equal(ray.collider == b and ray.x == 160 and ray.y == 20 and ray.ny < -0.9, true)
equal(world:ray(0, 0, 0, 1), nil)
local nearest, distance = world:nearest(160, 0, 100)
equal(nearest == b and distance > 18 and distance < 20, true)
equal(world:overlap(a, b).depth > 0, true)
equal(world:explain(a, b):find("touch") ~= nil, true)
equal(#world:query_rect(160.5, 20.5, 0.1, 0.1), 1)
equal(#world:query_rect(-0.5, -0.5, 0.5, 0.5), 0)
refused("hm_filter has no field layer; hitmask.h lists its fields", world.query_point, world, 0, 0, { layer = 1 })
refused("is not finite", world.query_point, world, 0 / 0, 0)

-- Motions.
a:place(0, 40, 0, 1, 1, 10, 5)
local hit = a:cast(400, 0)
equal(hit.collider == b and hit.dx > 120 and hit.dx < 135 and hit.nx < 0 and hit.side, "right")
equal(a:cast(0, -400), nil)
local _, _, slid = a:slide(400, 0)
equal(slid[1].collider == b and slid[1].side, "right")
a:place(0, 40, 0, 1, 1, 10, 5)
x, y, hit = a:move(400, 0)
equal(x .. " " .. y, hit.dx .. " 40")
x, y, hit = a:move(-50, 0)
equal(hit, nil)

-- Arrays for C, as the guide says. What changes a field afterwards keeps the place.
local ids, places_of = ffi.new("hm_collider_id[?]", 2, a.id, b.id), ffi.new("hm_placement[?]", 2)
places_of[0].x, places_of[1].x, places_of[1].y = 300, 300, 300
equal(hitmask.C.hm_world_set_placements(world.handle, ids, places_of, 2), 0)
b:set({ layers = 1 })
equal(world:pick(300, 0) == a and world:pick(300, 300) == b, true)
b:place(160, 40, 0.5, 1, 1, 21.5, 21.5)

-- Terrain.
local ground = world:add(hitmask.solid(100, 50))
ground:place(0, 100)
equal(drawn(ground):sub(1, 6), "0,100 ")
ground:fill_disc(50, 0, 10)
ground:fill_rect(0, 0, 5, 5, false)
ground:blit(odd, 0, 0, "draw")
refused("unknown operation paint; known are draw, ", ground.blit, ground, odd, 0, 0, "paint")
equal(world:ray(50, 90, 50, 150).y, 111)
equal(ground:mask():get(0, 0) and not ground:mask():get(2, 2), true)
refused("only the collider of a mask", a.fill_disc, a, 1, 1, 1)
refused("mask", ground.place, ground, 0, 0, 1)
refused("mask", ground.place, ground, 0, 0, 0, 2)
refused("mask", world.add, world, hitmask.disc(2), { frame = 2 })

-- Shapes.
local area = 0
for _, polygon in ipairs(rock:polygons({ max_error = 0.5 })) do
  equal(#polygon >= 6 and #polygon <= 16, true)
  local x0, y0 = polygon[#polygon - 1], polygon[#polygon]
  for i = 1, #polygon, 2 do
    local x1, y1 = polygon[i], polygon[i + 1]
    area, x0, y0 = area + (x0 * y1 - x1 * y0) / 2, x1, y1
  end
end
equal(math.abs(area / rock:count() - 1) < 0.05, true)
local ring = rock:outlines()
equal(#ring == 1 and #ring[1] >= 12, true)
refused("hm_shape_options has no field error", rock.polygons, rock, { error = 1 })
refused("max_error", rock.polygons, rock, { max_error = -1 })

local body = atlas:shape("rock", { y_up = 1 })
equal(#body.outlines == 1 and #body.pieces >= 1, true)
local left, right = math.huge, -math.huge
for i = 1, #body.outlines[1], 2 do
  left, right = math.min(left, body.outlines[1][i]), math.max(right, body.outlines[1][i])
end
equal(math.abs(left + right) <= 0.5 and right - left > 40, true)
refused("did you mean \"rock\"?", atlas.shape, atlas, "rcok")
refused("frame", atlas.shape, atlas, "rock", { frame = 0 })
refused("frame 8 does not exist", atlas.shape, atlas, "rock", { frame = 9 })
refused("max_error", atlas.shape, atlas, "rock", { max_error = -1 })

-- A slot that is used again: events name the collider that had it.
local small = hitmask.world(atlas)
local first, second = small:add("rock"), small:add("rock")
small:update()
first:remove()
local third = small:add("rock")
equal(third.slot, first.slot)
for _ = 1, 3 do
  local pair = {}
  small:update()
  for one, other in small:ended() do
    pair.ended = one == first and other == second
  end
  for one, other in small:began() do
    pair.began = one == third and other == second
    small:update() -- what was lent ends
  end
  if pair.began then equal(pair.ended, true) end
end
equal(small:count(), 2)

-- Wrong types, freed handles, and objects of another world.
refused("of this world", world.contact, world, first, second)
refused("of this world", world.contact, world, a, nil)
refused("must be of the type atlas", hitmask.world, "sprites.hitmask")
refused('no sprite "tree"; it has odd, rock, ship', world.add, world, "tree")
refused("must be of the type mask", world.add, world, 7)
refused("an image must be an ImageData", hitmask.mask, 7)
refused("an image must be an ImageData", hitmask.mask, io.stdout)
refused("must be a string or a Data", hitmask.mask, { width = 1, height = 1, rgba = 5 })
refused("bytes", hitmask.mask, { width = 2, height = 1, rgba = "abcd" })
refused("'x'", hitmask.mask, "x")
refused("must be of the type mask", rock.blit, rock, atlas, 0, 0, "draw")
refused("must be a string or a Data", hitmask.open_bytes, nil)
refused("not an atlas", hitmask.open_bytes, "nonsense")
refused("cannot read none.hitmask", hitmask.open, "none.hitmask")
refused("px and frame 1 1 x 1 px", hitmask.bake,
  { x = { { width = 1, height = 1, rgba = "abcd" }, { width = 1, height = 2, rgba = "abcdefgh" } } })
refused("hm_bake_settings has no field angels", hitmask.bake, { x = { rock, angels = 1 } })
refused("invalid number of angle steps 0", hitmask.bake, { x = { rock, angles = 0 } })
refused("hm_mask", hitmask.C.hm_mask_fill, world.handle)
refused("convert", world.update, { handle = 7, moves = 0 })
second:remove()
refused("stale id", second.place, second, 1, 1)
refused("stale id", second.remove, second)
refused("stale id", second.touching, second)
equal(small:explain(second, third), nil)
small:destroy()
refused("destroyed", small.update, small)
refused("destroyed", small.add, small, "rock")
refused("destroyed", small.destroy, small)
refused("stale handle", third.place, third, 1e12, 1)
refused("stale handle", third.place, third, 1, 1)
odd:destroy()
refused("destroyed", odd.count, odd)
refused("destroyed", world.add, world, odd)
atlas:destroy()
refused("destroyed", hitmask.world, atlas)
world:add("ship", { frame = 2 }):remove() -- the world keeps its atlas
refused("the limit of 32767 a side", hitmask.disc, 1e9)

-- Numbers that LuaJIT would cut to what a type holds.
local clear = { width = 1, height = 1, rgba = "\255\255\255\0" }
refused("alpha must be a whole number from 0 to 255, not 0.5; math.floor() makes one", hitmask.mask, clear, 0.5)
refused("alpha must be a whole number", hitmask.mask, clear, 300)
refused("the field alpha of hm_bake_settings cannot be 0.5", hitmask.bake, { clear = clear }, { alpha = 0.5 })
refused("the width must be a whole number", hitmask.solid, 0 / 0, 5)
refused("the height must be a whole number", hitmask.solid, 5, -1)
refused("the radius must be a whole number", hitmask.disc, 2.5)
refused("x must be a whole number", rock.get, rock, 0.5, 1)
refused("y must be a whole number", rock.set, rock, 1, 2 ^ 31, true)
refused("x + width must be a whole number", rock.fill_rect, rock, 2 ^ 31 - 1, 0, 1, 1, true)
refused("x must be a whole number", ground.fill_disc, ground, -0.5, 0, 3)
refused("the radius must be a whole number", ground.fill_disc, ground, 0, 0, 0 / 0)
refused("the operation must be a whole number from 0 to 3", ground.blit, ground, rock, 0, 0, 256)
refused("bake() needs a table of images by name", hitmask.bake, nil)
refused("the name 1 of a sprite must be a string", hitmask.bake, { clear })
refused("scales must be a list, not 2", hitmask.bake, { x = { rock, scales = 2 } })
refused("a pivot must be a list { x, y }", hitmask.bake, { x = { rock, pivot = { x = 1, y = 2 } } })
refused("the angle nan is not finite", a.place, a, 0, 0, 0 / 0)

-- A message begins with the line of the game.
for _, fault in ipairs({
  function() world:add("tree") end,
  function() a:place(0, 0, 0, 99) end,
  function() hitmask.bake({ x = { rock, angles = 0 } }) end,
}) do
  local _, message = pcall(fault)
  equal(message:find("^[^\n]*plain.lua:%d+: hitmask: ") ~= nil, true)
end

-- Objects that are collected destroy their handles: more than the table of handles holds.
for _ = 1, 200 do
  for _ = 1, 100 do hitmask.disc(3) end
  collectgarbage()
end
equal(rock:count() > 0, true)

-- Rollback: a save, a late input, a load. The objects of colliders stay.
local game = hitmask.world(hitmask.bake({ rock = rock, ship = ship }))
local hero, wall = game:add("ship"), game:add("rock")
hero:place(10, 10, 0, 1, 1)
wall:place(200, 10, 0, 1, 1)
game:update()
local save = game:copy()
local start = game:state_hash()
equal(save:state_hash(), start)
equal(save:first_difference(game), nil)
hero:place(190, 10, 0, 1, 1)
equal(save:first_difference(game):find("position.x", 1, true) ~= nil, true)
game:update()
equal(game:began()(), hero)
local late = game:state_hash()
local shot = game:add("rock")
wall:remove()
game:update()
game:assign(save)
equal(game:state_hash(), start)
equal(game:first_difference(save), nil)
equal(table.concat({ hero:position() }, " "), "10 10")
equal(table.concat({ wall:position() }, " "), "200 10")
refused("stale id", shot.touching, shot)
hero:place(190, 10, 0, 1, 1)
game:update()
equal(game:state_hash(), late)
equal(select(2, game:began()()), wall)
-- A save takes over colliders that have come since, and gives them back.
shot = game:add("rock")
save:assign(game)
equal(save:count(), 3)
shot:remove()
game:assign(save)
equal(#shot:touching(), 0)
game:assign(game)
equal(game:first_difference(save), nil)
local hash = game:state_hash()
refused("atlas", game.assign, game, yard)
refused("must be of the type world", game.assign, game, atlas)
refused("must be of the type world", game.first_difference, game, nil)
equal(game:state_hash(), hash)

-- A saved game goes on in a new world as in the old one. Its colliders are known by their slots.
local function played(world, ship, stone)
  ship:place(190.5, 10, 0.75, -2, 2, 10, 5)
  world:update()
  local met = {}
  for one, other in world:began() do table.insert(met, one.slot .. "+" .. other.slot) end
  for one, other in world:ended() do table.insert(met, one.slot .. "-" .. other.slot) end
  stone:fill_disc(4, 4, 3, false)
  stone:place(185, 12, 0, 1, 1, 4, 4)
  return table.concat(met, " ") .. " " .. world:state_hash() .. " " .. table.concat({ ship:position() }, " ")
end
local ruins = hitmask.bake({ rock = rock, ship = { ship, angles = 64, scales = { 1, 2 } } })
local level = hitmask.world(ruins)
local pilot, stone, gone = level:add("ship", { layers = 3 }), level:add(hitmask.solid(9, 9)), level:add("rock")
pilot:place(40, 10, 0.5, -2, 2, 10, 5)
stone:place(190, 10, 0, 1, 1, 4, 4)
gone:place(40, 10, 0, 1, 1, 21, 21)
level:update()
gone:remove()
level:update()
local stored = level:snapshot()
local fresh = hitmask.world(ruins)
fresh:add("rock")
local all = fresh:restore(stored)
equal(fresh:state_hash(), level:state_hash())
equal(fresh:count(), 2)
for _, own in ipairs({ pilot, stone }) do
  equal(placed({ collider = all[own.slot] }), placed({ collider = own }))
end
local one, other = fresh:ended()()
equal(one.slot + other.slot, pilot.slot + gone.slot)
refused("stale id", gone.slot == one.slot and one.touching or other.touching, gone.slot == one.slot and one or other)
-- A later hour of the same game goes back to the save: the objects stay.
local wanted = played(level, pilot, stone)
equal(played(fresh, all[pilot.slot], all[stone.slot]), wanted)
local back = level:restore(stored)
equal(back[pilot.slot], pilot)
equal(played(level, pilot, stone), wanted)
local kept_hash = level:state_hash()
refused("snapshot", level.restore, level, "no snapshot")
refused("snapshot", level.restore, level, stored:sub(1, -2))
refused("must be a string", level.restore, level, 7)
refused("atlas", yard.restore, yard, stored)
equal(level:state_hash(), kept_hash)

-- Any arguments give a result or a Lua error.
local random = 38
local function below(limit)
  random = random * 16807 % 2147483647
  return random % limit
end
local tiny = hitmask.bake({ rock = rock, ship = { ship, ship } })
local places, pile = hitmask.world(tiny), {}
local function restock()
  pile = { places:add("rock"), places:add("ship"), places:add(hitmask.solid(9, 9)), hitmask.disc(4), tiny, places, world, odd }
end
restock()
local values = {
  0, 1, 2, -1, 0.5, 7, 40, 1e5, -1e5, 1e9, 1e300, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 53, "", "rock", "ship", "draw", "exact", "#.#",
  true, false, {}, { 1, 2 }, { frame = 1 }, { layers = -1 }, { except = a }, { scale = "x" }, { rgba = "abcd", width = 1, height = 1 },
  { rgba = "abcd", width = 1e9, height = -1 }, { rock = rock }, { x = {} }, print, io.stdout, 1ULL, ffi.new("hm_rect"),
  ffi.cast("hm_world *", 0), ffi.cast("hm_mask *", 64), coroutine.create(print),
}
local function any()
  local kind = below(4)
  if kind == 0 then return pile[below(#pile) + 1] end
  if kind == 1 then return nil end
  return values[below(#values) + 1]
end
local functions = {}
for name, value in pairs(hitmask) do
  if type(value) == "function" and name ~= "load" then table.insert(functions, name) end
end
table.sort(functions)
local allowed, total = 0, 0
for round = 1, 20000 do
  local object = pile[below(#pile) + 1]
  local methods = {}
  for name in pairs(getmetatable(object)) do
    if name:sub(1, 2) ~= "__" then table.insert(methods, name) end
  end
  table.sort(methods)
  local method = methods[below(#methods) + 1]
  if method ~= "destroy" or below(50) == 0 then
    local is_allowed, result = pcall(object[method], object, any(), any(), any(), any(), any(), any(), any())
    -- Lists of pairs.
    if is_allowed and type(result) == "function" then pcall(function() for _ in result do end end) end
    total, allowed = total + 1, allowed + (is_allowed and 1 or 0)
  end
  if below(4) == 0 then pcall(hitmask[functions[below(#functions) + 1]], any(), any(), any()) end
  if round % 100 == 0 then
    if not pcall(places.update, places) or not pcall(tiny.names, tiny) then
      tiny = hitmask.bake({ rock = rock:count() > 0 and rock or hitmask.disc(3), ship = { ship, ship } })
      places = hitmask.world(tiny)
    end
    for _, it in ipairs(pile) do
      if it.world == places then pcall(it.remove, it) end
    end
    restock()
  end
end
equal(allowed > total / 20 and allowed < total, true)
print(checks .. " checks")
