// A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Maps {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var hero = hm_default_collider();
        hero.sprite = Sprite(atlas, "hero");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert_map(world, Utf8("yard"), new hm_vec2(), out var yard, out var placed));
        Check(hm_world_count(world, out var colliders));
        Console.WriteLine($"{yard.items.count} items, {colliders} colliders");
        hm_map_item* start = null;
        for (var i = 0; i < (int)yard.items.count; i++)
            if (Text(yard.items.items[i].name) == "start") start = &yard.items.items[i];
        if (start == null) throw new ArgumentException("no start");
        (hero.x, hero.y) = (start->position.x, start->position.y);
        Check(hm_world_insert(world, &hero, out var hero_id));
        var motion = new hm_vec2 { x = 0, y = 100 };
        Check(hm_world_move_and_slide(world, hero_id, motion, out var moved));
        Console.WriteLine($"the hero falls to {moved.position.x}, {moved.position.y}");
        // The level is saved anew: a boulder below the hero, and the hill farther away.
        Check(hm_atlas_get_id(atlas, out var old));
        Check(hm_atlas_open(Utf8("art-new.hitmask"), null, out var art_new));
        Check(hm_world_replace_atlas(world, old, art_new, out _));
        Check(hm_world_update_map(world, placed, out var report));
        Console.WriteLine($"{report.inserted.count} inserted, {report.removed.count} removed, {report.changed.count} changed");
        Check(hm_placed_map_destroy(placed));
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(art_new));
        Check(hm_atlas_destroy(atlas));
    }
}
