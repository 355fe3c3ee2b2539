-- Physics alone: no window, no sound.
function love.conf(t)
  for name in pairs(t.modules) do
    t.modules[name] = name == "physics" or name == "event" or name == "math" or name == "timer"
  end
end
