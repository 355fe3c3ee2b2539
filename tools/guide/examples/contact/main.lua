-- Where two rocks overlap, and how they are pushed apart.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local left, right = world:add("rock"), world:add("rock") -- pivots at 0, 0
right:place(36, 10, 0, 1, 1, right:pivot())
local contact, overlap = world:contact(left, right), world:overlap(left, right)
print(("%d pixels, the first at %d, %d"):format(contact.area, contact.x, contact.y))
print(("normal %.2f, %.2f"):format(overlap.nx, overlap.ny))
print(("push out by %d, %d"):format(overlap.dx, overlap.dy))
