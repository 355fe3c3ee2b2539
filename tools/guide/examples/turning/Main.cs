// A ship that turns and grows, and a coin near it.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Turning {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider ship = hm_default_collider(), coin = ship;
        ship.sprite = Sprite(atlas, "ship");
        coin.sprite = Sprite(atlas, "coin");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert(world, &ship, out var turning));
        coin.y = 18;
        Check(hm_world_insert(world, &coin, out _));
        foreach (var degrees in new[] { 0, 45, 90 }) {
            foreach (var scale in new[] { 1, 2 }) {
                var angle = (float)(degrees * Math.PI / 180);
                Check(hm_world_place(world, turning, 0, 0, angle, scale));
                Check(hm_world_update(world));
                Check(hm_world_touching(world, out var pairs));
                Console.WriteLine($"{degrees} degrees, scale {scale}: {pairs.count} pairs");
            }
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
