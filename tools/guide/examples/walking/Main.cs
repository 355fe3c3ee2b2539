// A hero walks over the ground and up a slope.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Walking {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider hero = hm_default_collider(), ground = hero, slope = hero;
        hero.sprite = Sprite(atlas, "hero");
        ground.sprite = Sprite(atlas, "ground");
        slope.sprite = Sprite(atlas, "slope");
        Check(hm_world_create(atlas, out var world));
        ground.@fixed = slope.@fixed = 1;
        (ground.x, ground.y, slope.x, slope.y) = (160, 108, 160, 84);
        (hero.x, hero.y) = (60, 50);
        Check(hm_world_insert(world, &ground, out _));
        Check(hm_world_insert(world, &slope, out _));
        Check(hm_world_insert(world, &hero, out var hero_id));
        var (right, down) = (new hm_vec2 { x = 3 }, new hm_vec2 { y = 8 });
        for (var i = 0; i < 40; i++) { // 3 px to the right, and 8 px down for gravity.
            Check(hm_world_move_and_slide(world, hero_id, right, out _));
            Check(hm_world_move_and_slide(world, hero_id, down, out _));
        }
        Check(hm_world_get(world, hero_id, out hero));
        Console.WriteLine($"the hero stands at {hero.x}, {hero.y}");
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
