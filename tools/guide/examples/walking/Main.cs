// A hero walks over the ground and up a slope.
using System;
using Hitmask;

static class Walking {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            world.Insert(new Collider(atlas.Sprite("ground")) { Position = (160, 108), Fixed = true });
            world.Insert(new Collider(atlas.Sprite("slope")) { Position = (160, 84), Fixed = true });
            var hero = world.Insert(new Collider(atlas.Sprite("hero")) { Position = (60, 50) });
            for (var i = 0; i < 40; i++) { // 3 px to the right, and 8 px down for gravity.
                world.MoveAndSlide(hero, (3, 0));
                world.MoveAndSlide(hero, (0, 8));
            }
            Console.WriteLine($"the hero stands at {world.Get(hero).Position}");
        }
    }
}
