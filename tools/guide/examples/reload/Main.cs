// New art in a running game: a coin that has grown touches its neighbour.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Reload {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var coin = hm_default_collider();
        coin.sprite = Sprite(atlas, "coin");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert(world, &coin, out _));
        coin.x = 16;
        Check(hm_world_insert(world, &coin, out _));
        Check(hm_world_update(world));
        Check(hm_world_touching(world, out var touching));
        Console.WriteLine($"before: {touching.count} pairs touch");
        // Colliders keep their ids, places and pairs.
        Check(hm_atlas_get_id(atlas, out var old));
        Check(hm_atlas_open(Utf8("art-new.hitmask"), null, out var art_new));
        Check(hm_world_replace_atlas(world, old, art_new, out _));
        Check(hm_world_update(world));
        Check(hm_world_touching(world, out touching));
        Console.WriteLine($"after: {touching.count} pairs touch");
        Check(hm_atlas_destroy(art_new));
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
