function love.conf(t)
  t.identity, t.window.title = "hitmask-crater", "hitmask: craters"
  t.window.width, t.window.height = 960, 540
  t.modules.audio, t.modules.sound = false, false
end
