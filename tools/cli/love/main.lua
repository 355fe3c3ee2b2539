-- Drops sprites onto terrain and writes what touches, without a window:
--
--   hitmask export art --format lua --output sprites.lua
--   hitmask export terrain.png --format lua --output terrain.lua
--   love tools/cli/love sprites.lua terrain.lua samples.txt
--
-- Lines of the output: body ID NAME KIND; tick N; at ID X Y ANGLE; touch ID ID; rest ID AWAKE SPEED.
-- Positions are in pixels, angles in radians, clockwise on screen. A ghost passes through everything.

local TICKS, TICKS_PER_SAMPLE, STEP = 1500, 25, 1 / 60

-- Makes a body of the convex pieces of a frame.
local function body(world, kind, frame, x, y)
  local made = love.physics.newBody(world, x, y, kind)
  for _, piece in ipairs(frame.pieces) do
    love.physics.newFixture(made, love.physics.newPolygonShape(piece), 1):setFriction(0.8)
  end
  return made
end

local function simulate(sprites, terrain, out)
  love.physics.setMeter(32)
  local world, bodies = love.physics.newWorld(0, 9.81 * 32, true), {}
  local function add(made, name, kind)
    table.insert(bodies, { body = made, kind = kind })
    made:setUserData(#bodies)
    out:write(("body %d %s %s\n"):format(#bodies, name, kind))
  end

  local _, ground = next(terrain.sprites)
  ground = ground.frames[1]
  local width, height = unpack(ground.size)
  add(body(world, "static", ground, unpack(ground.pivot)), "terrain", "terrain")

  local names = {}
  for name, sprite in pairs(sprites.sprites) do
    if #sprite.frames[1].pieces > 0 then table.insert(names, name) end
  end
  table.sort(names)
  local left, bottom = 40, 150
  for i, name in ipairs(names) do
    local frame = sprites.sprites[name].frames[1]
    if left + frame.size[1] > width - 40 then left, bottom = 40, bottom - 300 end
    local made = body(world, "dynamic", frame, left + frame.size[1] / 2, bottom - frame.size[2] / 2)
    made:setAngle(0.3 * i)
    made:setAngularDamping(2)
    made:setLinearDamping(0.2)
    add(made, name, "solid")
    left = left + frame.size[1] + 10

    local ghost = body(world, "dynamic", frame, width / 2, height / 2)
    for _, fixture in ipairs(ghost:getFixtures()) do fixture:setSensor(true) end
    ghost:setGravityScale(0)
    ghost:setSleepingAllowed(false)
    ghost:setAngularVelocity(0.2 + 0.1 * i)
    add(ghost, name, "ghost")
  end

  for tick = 1, TICKS do
    for i, each in ipairs(bodies) do
      if each.kind == "ghost" then
        local turn = tick * STEP * 0.3 + i
        local reach = math.min(width, height) * 0.35
        each.body:setLinearVelocity(-math.sin(turn) * reach, math.cos(turn) * reach)
      end
    end
    world:update(STEP)
    if tick % TICKS_PER_SAMPLE == 0 then
      -- A step tests contacts before it moves bodies. A step of no time tests those of the new positions.
      world:update(0)
      out:write(("tick %d\n"):format(tick))
      for id, each in ipairs(bodies) do
        local x, y = each.body:getPosition()
        out:write(("at %d %.9g %.9g %.9g\n"):format(id, x, y, each.body:getAngle()))
      end
      local seen = {}
      for _, contact in ipairs(world:getContacts()) do
        if contact:isTouching() then
          local a, b = contact:getFixtures()
          a, b = a:getBody():getUserData(), b:getBody():getUserData()
          local pair = ("touch %d %d\n"):format(math.min(a, b), math.max(a, b))
          if not seen[pair] then out:write(pair) end
          seen[pair] = true
        end
      end
    end
  end
  for id, each in ipairs(bodies) do
    local vx, vy = each.body:getLinearVelocity()
    if each.kind == "solid" then
      out:write(("rest %d %s %.9g\n"):format(id, each.body:isAwake(), math.sqrt(vx * vx + vy * vy)))
    end
  end
end

function love.load(args)
  local out = assert(io.open(args[3], "w"))
  simulate(dofile(args[1]), dofile(args[2]), out)
  out:close()
  love.event.quit(0)
end

-- The built-in handler needs a window.
function love.errorhandler(message)
  io.stderr:write(debug.traceback(message), "\n")
  os.exit(1)
end
