-- Colliders in a circle, on a ray, and nearest to a point.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
for i = 0, 9 do
  local coin = world:add("coin")
  coin:place(20 * i, 0, 0, 1, 1, coin:pivot())
end
print(("%d coins in the blast"):format(#world:query_circle(60, 0, 30)))
local hit = world:ray(-50, 3, 300, 3)
if hit then print(("the ray ends at %d, %d"):format(hit.x, hit.y)) end
local coin, distance = world:nearest(80, 50, 100)
if coin then print(("the nearest pixel is %.2f px away"):format(distance)) end
