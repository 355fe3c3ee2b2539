-- A first hit in LÖVE: main.lua, in a folder with hitmask.lua and the shared library. Run it with `love FOLDER`.
local hitmask = require("hitmask")

-- The images of a game come from files: love.image.newImageData("ball.png").
local function disc(radius, red, green, blue)
  local data = love.image.newImageData(2 * radius, 2 * radius)
  data:mapPixel(function(x, y)
    local dx, dy = x + 0.5 - radius, y + 0.5 - radius
    return red, green, blue, dx * dx + dy * dy < radius * radius and 1 or 0
  end)
  return data
end

local images, world, ball, rock = {}
local x, y = 0, 40

function love.load()
  local data = { ball = disc(16, 1, 0.6, 0.2), rock = disc(30, 0.5, 0.5, 0.6) }
  for name, pixels in pairs(data) do images[name] = love.graphics.newImage(pixels) end
  world = hitmask.world(hitmask.bake(data))
  ball, rock = world:add("ball"), world:add("rock")
  rock:place(120, 60)
end

function love.update()
  x = x + 1
  ball:place(x, y) -- what love.graphics.draw(image, x, y) gets
  world:update() -- once per tick
  for a, b in world:began() do
    local hit = world:contact(a, b)
    print(("hit at x = %d: %d px, the first at %d, %d"):format(x, hit.area, hit.x, hit.y))
    love.event.quit()
  end
end

function love.draw()
  love.graphics.draw(images.rock, 120, 60)
  love.graphics.draw(images.ball, x, y)
end
