function love.conf(t)
  t.window.width, t.window.height = 128, 128
  t.window.vsync = 0
  for _, name in ipairs({ "audio", "joystick", "sound", "touch", "video" }) do t.modules[name] = false end
end
