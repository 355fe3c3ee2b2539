-- The outline of a ship as convex pieces for a physics engine.
local hitmask = require("hitmask")
local atlas = hitmask.open("art.hitmask")
-- Within 1 px of the pixels, about the pivot, in metres of 32 px.
local shape = atlas:shape("ship", { max_error = 1, scale = 1 / 32 })
-- Outlines are flat lists {x1, y1, x2, y2, ...}. Those of holes have negative area.
local area = 0
for _, outline in ipairs(shape.outlines) do
  local x, y = outline[#outline - 1], outline[#outline]
  for i = 1, #outline, 2 do
    area = area + (x * outline[i + 1] - outline[i] * y) / 2
    x, y = outline[i], outline[i + 1]
  end
end
print(("%d polygon, %.2f square metres"):format(#shape.outlines, area))
for _, piece in ipairs(shape.pieces) do
  print(("a convex piece of %d corners"):format(#piece / 2))
end
