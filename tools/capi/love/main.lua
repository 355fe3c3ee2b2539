-- A ship, falling rocks, and ground that they dig craters into: hitmask in LÖVE.
--
--   love tools/capi/love                    left, right, up: fly; space: shoot; m: show the masks; escape: end
--   love tools/capi/love 400 picture.png    plays 400 ticks by itself, saves a picture, and ends
--   love tools/capi/love 400 film%03d.png   saves every 4th tick instead, half as large, by its number
--
-- Every sprite is placed by the numbers that draw it, so hits are those that are seen.

local hitmask

local WIDTH, HEIGHT, GROUND = 480, 270, 130 -- in pixels, which are shown twice as large; GROUND is the top of the soil
local random, noise = love.math.random, love.math.noise
local world, terrain, ship, canvas, sky
local things, sparks = {}, {}
local tick, craters, score, show_masks = 0, 0, 0, false
local ticks_to_play, picture

-- The art --------------------------------------------------------------------------------------------------------

local function clamp(x) return math.max(0, math.min(1, x)) end

-- Centre and radius of each, for a rock of radius 1.
local DENTS = { { -0.25, -0.2, 0.3 }, { 0.38, 0.12, 0.22 }, { -0.1, 0.5, 0.2 }, { 0.25, -0.5, 0.15 }, { -0.6, 0.2, 0.14 } }

-- A lump with dents, lit from the upper left.
local function draw_rock(radius, dents)
  local side = 2 * radius + 4
  local data = love.image.newImageData(side, side)
  data:mapPixel(function(x, y)
    local dx, dy = (x - side / 2 + 0.5) / radius, (y - side / 2 + 0.5) / radius
    local distance, angle = math.sqrt(dx * dx + dy * dy), math.atan2(dy, dx)
    local edge = 0.86 + 0.08 * math.sin(3 * angle + radius) + 0.05 * math.sin(5 * angle + 2 * radius)
    if distance > edge then return 0, 0, 0, 0 end
    local light = 0.6 - 0.34 * (dx + dy) / edge
    for _, dent in ipairs(dents) do
      local ex, ey = (dx - dent[1]) / dent[3], (dy - dent[2]) / dent[3]
      if ex * ex + ey * ey < 1 then light = light - 0.14 + 0.24 * (ex + ey) end
    end
    light = math.floor(clamp(light) * 6 + 0.5) / 6
    if distance > edge - 1.2 / radius then light = light * 0.55 end
    return 0.2 + 0.58 * light, 0.17 + 0.48 * light, 0.24 + 0.36 * light, 1
  end)
  return data
end

-- A ship that points to the right.
local function draw_ship()
  local rows = {
    ".######.................",
    ".#oooo###...............",
    "..#ooooo###.............",
    "..#rroooooo####.........",
    "##rrrooooooooo####......",
    "#ddddwwwwwwwwcccww###...",
    "#ddddwwwwwwwccccbwwww###",
    "#ddddwwwwwwwwbbbwwwww###",
    "##rrrooooooooo####......",
    "..#rroooooo####.........",
    "..#ooooo###.............",
    ".#oooo###...............",
    ".######.................",
  }
  local colors = {
    ["#"] = { 0.12, 0.14, 0.22 }, o = { 0.93, 0.55, 0.2 }, r = { 0.76, 0.25, 0.22 }, d = { 0.35, 0.38, 0.47 },
    w = { 0.86, 0.88, 0.93 }, c = { 0.55, 0.88, 0.98 }, b = { 0.24, 0.55, 0.78 },
  }
  local data = love.image.newImageData(#rows[1], #rows)
  data:mapPixel(function(x, y)
    local color = colors[rows[y + 1]:sub(x + 1, x + 1)]
    if not color then return 0, 0, 0, 0 end
    return color[1], color[2], color[3], 1
  end)
  return data
end

local function draw_shot()
  local data = love.image.newImageData(7, 3)
  data:mapPixel(function(x, y) return 1, 1 - x * 0.02, 0.5 + x * 0.07, (y == 1 or x > 1 and x < 6) and 1 or 0 end)
  return data
end

-- Hills with grass and layers of soil.
local function draw_ground()
  local data = love.image.newImageData(WIDTH, HEIGHT - GROUND)
  data:mapPixel(function(x, y)
    local top = 20 + 62 * noise(x / 130, 7.3) + 9 * noise(x / 17, 2.1)
    local depth = y - top
    if depth < 0 then return 0, 0, 0, 0 end
    local cave = noise(x / 34, y / 20, 5.5)
    if depth > 14 and cave > 0.83 then return 0, 0, 0, 0 end
    local grain = 0.9 + 0.2 * noise(x * 0.7, y * 0.7)
    if depth < 2 then return 0.58 * grain, 0.79 * grain, 0.32 * grain, 1 end
    if depth < 5 + 3 * noise(x * 0.35, 1) then return 0.29 * grain, 0.55 * grain, 0.27 * grain, 1 end
    local band = math.floor(depth / 13 + 1.6 * noise(x / 45, depth / 30)) % 3
    local light = (0.58 - 0.0018 * depth + 0.06 * band) * grain
    if cave > 0.77 and depth > 12 then light = light * 0.72 end
    return 0.85 * light, 0.6 * light, 0.46 * light, 1
  end)
  return data
end

local function draw_sky()
  local data = love.image.newImageData(WIDTH, HEIGHT)
  data:mapPixel(function(x, y)
    local down = math.floor(y / HEIGHT * 24) / 24
    local r, g, b = 0.08 + 0.5 * down ^ 1.6, 0.08 + 0.24 * down, 0.2 + 0.22 * down
    local far = 112 + 44 * noise(x / 70, 40) + 8 * noise(x / 11, 41)
    if y > far then return 0.2 + 0.12 * down, 0.15 + 0.09 * down, 0.3, 1 end
    local star = love.math.noise(x * 12.9, y * 78.2, 3)
    if star > 0.965 and y < 150 then return 0.9, 0.9, 1 - 0.2 * down, 1 end
    return r, g, b, 1
  end)
  return love.graphics.newImage(data)
end

-- The game -------------------------------------------------------------------------------------------------------

local function add(kind, name, image, x, y, r, vx, vy, spin)
  local thing = { kind = kind, image = image, x = x, y = y, r = r, vx = vx, vy = vy, spin = spin or 0 }
  thing.ox, thing.oy = image:getWidth() / 2, image:getHeight() / 2
  thing.collider = world:add(name)
  thing.collider.thing = thing
  things[thing] = true
  return thing
end

local function remove(thing)
  things[thing] = nil
  thing.collider:remove()
end

local images = {}

local function add_rock()
  local size = random(1, 3)
  local image = images["rock" .. size]
  local rock = add("rock", "rock" .. size, image, random(20, WIDTH - 20), -40, random() * 6.3, random() * 0.8 - 0.4,
    0.5 + random() * 0.7, random() * 0.06 - 0.03)
  rock.reach = 7 + 7 * size
end

local function spark(x, y, count, r, g, b)
  for _ = 1, count do
    local angle, speed = random() * 6.3, 0.3 + random() * 2
    table.insert(sparks, {
      x = x, y = y, vx = math.cos(angle) * speed, vy = math.sin(angle) * speed - 0.6, age = random(0, 12), r = r, g = g, b = b,
    })
  end
end

-- Digs a crater into the mask of the ground, and the same pixels out of its image.
local function dig(x, y, radius)
  local cx, cy = math.floor(x), math.floor(y) - GROUND
  terrain.collider:fill_disc(cx, cy, radius, false)
  local reach = radius + 3
  local x0, y0 = math.max(0, cx - reach), math.max(0, cy - reach)
  local x1, y1 = math.min(WIDTH, cx + reach + 1), math.min(HEIGHT - GROUND, cy + reach + 1)
  if x0 >= x1 or y0 >= y1 then return end
  terrain.data:mapPixel(function(px, py, r, g, b, a)
    local distance = (px - cx) ^ 2 + (py - cy) ^ 2
    if distance <= radius ^ 2 then return 0, 0, 0, 0 end
    if distance <= reach ^ 2 then return r * 0.72, g * 0.64, b * 0.66, a end
    return r, g, b, a
  end, x0, y0, x1 - x0, y1 - y0)
  terrain.image:replacePixels(terrain.data)
  craters = craters + 1
end

local function place(thing)
  thing.collider:place(thing.x, thing.y, thing.r, 1, 1, thing.ox, thing.oy)
end

local function shoot()
  local c, s = math.cos(ship.r), math.sin(ship.r)
  local shot = add("shot", "shot", images.shot, ship.x + c * 15, ship.y + s * 15, ship.r, ship.vx + c * 4, ship.vy + s * 4)
  shot.age = 0
end

-- The keys, or a pilot without hands.
local function controls()
  if not ticks_to_play then
    local key = love.keyboard.isDown
    return (key("right") and 1 or 0) - (key("left") and 1 or 0), key("up"), false
  end
  local way = math.atan2(95 + 20 * math.sin(tick / 70) - ship.y, 90 + 300 * (0.5 + 0.5 * math.sin(tick / 130)) - ship.x)
  local off = (way - ship.r + math.pi) % (2 * math.pi) - math.pi
  return off > 0.1 and 1 or off < -0.1 and -1 or 0, math.abs(off) < 0.8, tick % 24 == 0
end

local function fly()
  local turn, is_thrusting, is_shooting = controls()
  ship.r = ship.r + turn * 0.06
  ship.thrusts = is_thrusting
  if is_thrusting then
    ship.vx, ship.vy = ship.vx + math.cos(ship.r) * 0.06, ship.vy + math.sin(ship.r) * 0.06
  end
  ship.vx, ship.vy = ship.vx * 0.985, (ship.vy + 0.018) * 0.985
  if is_shooting then shoot() end
end

-- What happens to a pair that began to touch: `one` is the thing, and `other` what it touches.
local function hit(one, other)
  if not things[one] then return end
  local contact = world:contact(one.collider, other.collider)
  local x, y = contact and contact.x or one.x, contact and contact.y or one.y
  if one.kind == "shot" and other.kind ~= "ship" then
    remove(one)
    spark(x, y, 6, 1, 0.9, 0.5)
    if other.kind == "ground" then dig(x, y, 6) end
  elseif one.kind == "rock" and (other.kind == "ground" or other.kind == "shot") then
    remove(one)
    spark(x, y, 26, 0.9, 0.7, 0.5)
    if other.kind == "ground" then dig(x, y, one.reach) else score = score + 1 end
  end
end

local function step()
  tick = tick + 1
  if tick % 22 == 1 then add_rock() end
  fly()
  for thing in pairs(things) do
    thing.x, thing.y, thing.r = thing.x + thing.vx, thing.y + thing.vy, thing.r + thing.spin
    if thing.kind == "rock" then thing.vy = thing.vy + 0.008 end
    if thing.age then thing.age = thing.age + 1 end
    local is_out = thing.x < -50 or thing.x > WIDTH + 50 or thing.y > HEIGHT + 50 or thing.y < -60
    if is_out and thing ~= ship or thing.age and thing.age > 120 then
      remove(thing)
    else
      place(thing)
    end
  end
  ship.x, ship.y = math.max(12, math.min(WIDTH - 12, ship.x)), math.max(12, math.min(HEIGHT - 12, ship.y))
  place(ship)

  world:update()
  for a, b in world:began() do
    hit(a.thing, b.thing)
    hit(b.thing, a.thing)
  end
  -- The ship bounces off what it overlaps.
  for _, other in ipairs(ship.collider:touching()) do
    local overlap = other.thing.kind ~= "shot" and world:overlap(ship.collider, other)
    if overlap then
      ship.x, ship.y = ship.x + overlap.dx, ship.y + overlap.dy
      local speed = ship.vx * overlap.nx + ship.vy * overlap.ny
      if speed < 0 then
        ship.vx, ship.vy = ship.vx - 1.5 * speed * overlap.nx, ship.vy - 1.5 * speed * overlap.ny
      end
      ship.flash = 8
      place(ship)
    end
  end
  ship.flash = math.max(0, ship.flash - 1)

  for i = #sparks, 1, -1 do
    local it = sparks[i]
    it.x, it.y, it.vy, it.age = it.x + it.vx, it.y + it.vy, it.vy + 0.05, it.age + 1
    if it.age > 34 then table.remove(sparks, i) end
  end
end

function love.load(args)
  hitmask = require("hitmask")
  ticks_to_play, picture = tonumber(args[1]), args[2]
  love.math.setRandomSeed(12)
  love.graphics.setDefaultFilter("nearest", "nearest")
  canvas, sky = love.graphics.newCanvas(WIDTH, HEIGHT), draw_sky()

  -- One bake for all sprites, from the pixels that are drawn.
  local art = { ship = draw_ship(), shot = draw_shot() }
  for size = 1, 3 do art["rock" .. size] = draw_rock(5 + 5 * size, DENTS) end
  world = hitmask.world(hitmask.bake(art))
  for name, data in pairs(art) do images[name] = love.graphics.newImage(data) end

  terrain = { kind = "ground", data = draw_ground() }
  terrain.image = love.graphics.newImage(terrain.data)
  terrain.collider = world:add(hitmask.mask(terrain.data), { fixed = true })
  terrain.collider.thing = terrain
  terrain.collider:place(0, GROUND)
  ship = add("ship", "ship", images.ship, 120, 60, -0.3, 0, 0)
  ship.flash = 0
end

local time = 0

function love.update(dt)
  if ticks_to_play then
    step()
    return
  end
  time = math.min(time + dt, 0.1)
  while time >= 1 / 60 do
    time = time - 1 / 60
    step()
  end
end

-- Draws the pixels of the masks over the sprites.
local function draw_masks()
  for thing in pairs(things) do
    local mask, x, y = thing.collider:mask()
    love.graphics.setColor(0.3, 1, 0.5, 0.8)
    love.graphics.draw(love.graphics.newImage(mask:image_data()), x, y)
  end
end

local function save(data)
  local file = assert(io.open(picture:format(tick), "wb"))
  file:write(data:encode("png"):getString())
  file:close()
end

function love.draw()
  love.graphics.setCanvas(canvas)
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(sky)
  love.graphics.draw(terrain.image, 0, GROUND)
  if ship.thrusts then
    local c, s = math.cos(ship.r), math.sin(ship.r)
    for i = 1, 7 do
      local back, side = 12 + i * 1.6, (random() - 0.5) * (8 - i)
      love.graphics.setColor(1, 1 - i * 0.1, 0.4 - i * 0.05, 1 - i * 0.1)
      love.graphics.rectangle("fill", math.floor(ship.x - c * back - s * side), math.floor(ship.y - s * back + c * side), 2, 2)
    end
  end
  for thing in pairs(things) do
    love.graphics.setColor(1, 1, 1)
    if thing.flash and thing.flash > 0 then love.graphics.setColor(1, 0.45, 0.4) end
    love.graphics.draw(thing.image, thing.x, thing.y, thing.r, 1, 1, thing.ox, thing.oy)
  end
  for _, it in ipairs(sparks) do
    love.graphics.setColor(it.r, it.g, it.b, 1 - it.age / 36)
    love.graphics.rectangle("fill", math.floor(it.x), math.floor(it.y), 1, 1)
  end
  if show_masks then draw_masks() end
  love.graphics.setCanvas()
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(canvas, 0, 0, 0, love.graphics.getWidth() / WIDTH, love.graphics.getHeight() / HEIGHT)
  love.graphics.setColor(1, 1, 1, 0.85)
  love.graphics.print(("rocks shot: %d    craters: %d    sprites: %d"):format(score, craters, world:count() - 1), 16, 12)

  if not ticks_to_play then return end
  local is_film = picture:find("%%")
  if is_film and tick % 4 == 0 then save(canvas:newImageData()) end
  if tick >= ticks_to_play then
    ticks_to_play = math.huge
    love.graphics.captureScreenshot(function(data)
      if not is_film then save(data) end
      print(("tick %d: %d rocks shot, %d craters"):format(tick, score, craters))
      love.event.quit()
    end)
  end
end

function love.keypressed(key)
  if key == "space" then shoot() end
  if key == "m" then show_masks = not show_masks end
  if key == "escape" then love.event.quit() end
end
