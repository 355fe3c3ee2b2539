-- Tests of hitmask.lua in LÖVE:
--
--   LUA_PATH='tools/capi/love/?.lua' HITMASK_LIBRARY=... love tools/capi/tests/lua tools/capi

local hitmask

local function refused(text, call, ...)
  local is_allowed, message = pcall(call, ...)
  assert(not is_allowed and message:find(text, 1, true), message)
end

-- An image without symmetry: a hook of opaque pixels, and pixels that are half transparent.
local function hook(format)
  local image = love.image.newImageData(13, 8, format)
  image:mapPixel(function(x, y)
    local is_solid = x < 3 or y > 5 or x + y == 9
    return 1, 1, 1, is_solid and 1 or (x == 7 and 0.4 or 0)
  end)
  return image
end

local function images()
  local image = hook()
  local mask = hitmask.mask(image)
  local count = 0
  image:mapPixel(function(x, y, r, g, b, a)
    assert(mask:get(x, y) == (a > 0.5))
    if a > 0.5 then count = count + 1 end
    return r, g, b, a
  end)
  assert(mask:count() == count and hitmask.mask(image, 100):count() > count)
  assert(hitmask.mask(mask:image_data()):text() == mask:text())
  for _, format in ipairs({ "rgba16", "rgba16f", "rgba32f" }) do
    local other = hook(format)
    refused("must have the format rgba8, not " .. format, hitmask.mask, other)
    refused("must have the format rgba8", hitmask.bake, { hook = other })
    -- As the message says.
    local copy = love.image.newImageData(other:getDimensions())
    copy:mapPixel(function(x, y) return other:getPixel(x, y) end)
    assert(hitmask.mask(copy):text() == mask:text())
  end
  refused("not Image:", hitmask.mask, love.graphics.newImage(image))
  refused("not ByteData:", hitmask.mask, love.data.newByteData(4))
  image:release()
  refused("not ImageData: NULL", hitmask.mask, image)
  local atlas = hitmask.bake({ hook = hook() })
  local file = love.filesystem.newFileData(atlas:bytes(), "hook.hitmask")
  assert(hitmask.open_bytes(file):names()[1] == "hook")
end

-- Draws with love.graphics and compares every pixel with the mask of the collider.
local function drawing()
  local data = hook()
  local world = hitmask.world(hitmask.bake({ hook = data }, { scales = { 1, 2 } }))
  local image, collider = love.graphics.newImage(data), world:add("hook")
  image:setFilter("nearest", "nearest")
  local canvas = love.graphics.newCanvas(100, 100)
  local step, sum, count = 2 * math.pi / 64, 0, 0
  local function compare(x, y, r, sx, sy, ox, oy)
    canvas:renderTo(function()
      love.graphics.clear(0, 0, 0, 0)
      love.graphics.setBlendMode("replace", "premultiplied")
      love.graphics.draw(image, x, y, r, sx, sy, ox, oy)
    end)
    local drawn = hitmask.mask(canvas:newImageData())
    collider:place(x, y, r, sx, sy, ox, oy)
    local mask, left, top = collider:mask()
    local solid = mask:count()
    drawn:blit(mask, left, top, "toggle")
    assert(solid > 20)
    return drawn:count() / solid
  end
  for _, scale in ipairs({ 1, 2 }) do
    for _, flips in ipairs({ { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } }) do
      for _, origin in ipairs({ { 0, 0 }, { 6.5, 4 }, { 3, -2 }, { 13, 8 } }) do
        local sx, sy, ox, oy = scale * flips[1], scale * flips[2], origin[1], origin[2]
        -- The origin at the corner of a pixel, or as the image has it.
        local x, y = 50 + ox * scale % 1, 50 + oy * scale % 1
        for turn = 0, 63 do
          local wrong = compare(x, y, turn * step, sx, sy, ox, oy)
          sum, count = sum + wrong, count + 1
          -- Quarter turns about the middle of an edge have no whole pixels.
          if turn == 0 or turn % 16 == 0 and ox ~= 6.5 then
            assert(wrong == 0, ("turn %d, %g %g %g %g: %g"):format(turn, sx, sy, ox, oy, wrong))
          end
        end
      end
    end
  end
  -- A position snaps to whole pixels, and most pixels of the hook are at its border.
  assert(sum / count < 0.2, sum / count)
end

-- A body of a sprite falls on an outline.
local function physics()
  love.physics.setMeter(32)
  local world = love.physics.newWorld(0, 320)
  local mask = hitmask.mask(hook())
  local body = love.physics.newBody(world, 50, 50, "dynamic")
  local polygons = mask:polygons()
  for _, polygon in ipairs(polygons) do love.physics.newFixture(body, love.physics.newPolygonShape(polygon)) end
  local ground = love.physics.newBody(world, 0, 0)
  local solid = hitmask.solid(200, 50)
  solid:blit(hitmask.disc(30), 20, -40, "erase")
  for _, outline in ipairs(solid:outlines({ origin = { 0, -100 } })) do
    love.physics.newFixture(ground, love.physics.newChainShape(true, outline))
  end
  for _ = 1, 200 do world:update(1 / 60) end
  local _, y = body:getPosition()
  assert(#polygons > 1 and y > 80 and y < 125 and not body:isAwake(), y)
end

function love.load(args)
  hitmask = require("hitmask")
  local folder = args[1]
  images()
  physics()
  drawing()
  dofile(folder .. "/tests/lua/plain.lua")
  dofile(folder .. "/examples/bounce.lua")
  love.event.quit(0)
end

function love.errorhandler(message)
  io.stderr:write(debug.traceback(message), "\n")
  os.exit(1)
end
