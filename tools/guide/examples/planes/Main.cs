// A bullet hits the body of an ogre, or its eye.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Planes {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider ogre = hm_default_collider(), bullet = ogre;
        ogre.sprite = Sprite(atlas, "ogre");
        bullet.sprite = Sprite(atlas, "bullet");
        Check(hm_world_create(atlas, out var world));
        ogre.owner = 1; // The parts of one body have an owner, so they never meet each other.
        Check(hm_world_insert(world, &ogre, out _));
        var is_plane = Check(hm_atlas_plane(atlas, ogre.sprite, Utf8("eye"), out ogre.plane));
        if (!is_plane) throw new ArgumentException("no eye");
        Check(hm_world_insert(world, &ogre, out var eye));
        Check(hm_world_insert(world, &bullet, out var bullet_id));
        foreach (var at in new[] { (x: 0, y: 0), (x: 8, y: -13), (x: 30, y: 0) }) {
            Check(hm_world_move_to(world, bullet_id, at.x, at.y));
            Check(hm_world_touching_with(world, bullet_id, out var hit));
            var what = hit.count == UIntPtr.Zero ? "nothing" : "the body";
            for (var i = 0; i < (int)hit.count; i++)
                if (hit.items[i] == eye) what = "the eye";
            Console.WriteLine($"{at.x}, {at.y}: {what}");
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
