-- A world is saved to a file, and goes on in a new world, as in a fresh process.
local hitmask = require("hitmask")
local world = hitmask.world(hitmask.open("art.hitmask"))
local rock = world:add("rock")
world:update()
-- In LÖVE, love.filesystem.write() and read() do the same.
local file = assert(io.open("saved-by-lua.world", "wb"))
file:write(world:snapshot())
file:close()
local hash = world:state_hash()
rock:place(50, 0, 0, 1, 1, rock:pivot())
print("moved: " .. tostring(world:state_hash() ~= hash))
-- A fresh process needs no more than the atlas and the file.
local fresh = hitmask.world(hitmask.open("art.hitmask"))
file = assert(io.open("saved-by-lua.world", "rb"))
fresh:restore(file:read("*a"))
file:close()
print("restored: " .. tostring(fresh:state_hash() == hash))
