// A first hit in C#: two sprites, one of which moves. Prints what the guide says.
//
//   mcs -unsafe First.cs Hitmask.cs && mono First.exe     with libhitmask.so beside the program
using System;
using Hitmask;

static unsafe class First {
    static void AddDisc(IntPtr baker, string name, uint radius) {
        Hm.Check(Hm.hm_mask_disc(radius, out var mask));
        Hm.Check(Hm.hm_baker_add_masks(baker, Hm.Utf8(name), new[] { mask }, (UIntPtr)1, null));
        Hm.Check(Hm.hm_mask_destroy(mask));
    }

    // The art of a game comes from an atlas: Hm.hm_atlas_open(Hm.Utf8("sprites.hitmask"), null, out var atlas).
    static IntPtr Bake() {
        Hm.Check(Hm.hm_baker_create(out var baker));
        AddDisc(baker, "ball", 16);
        AddDisc(baker, "rock", 30);
        Hm.Check(Hm.hm_baker_bake_atlas(baker, out var atlas));
        Hm.Check(Hm.hm_baker_destroy(baker));
        return atlas;
    }

    static ulong Insert(IntPtr world, ulong sprite, float x, float y) {
        var collider = Hm.hm_default_collider();
        collider.sprite = sprite;
        collider.x = x;
        collider.y = y;
        Hm.Check(Hm.hm_world_insert(world, &collider, out var id));
        return id;
    }

    static void Main() {
        var atlas = Bake();
        ulong ball = Hm.Sprite(atlas, "ball"), rock = Hm.Sprite(atlas, "rock");
        Hm.Check(Hm.hm_world_create(atlas, out var world));
        var moving = Insert(world, ball, 0, 40);
        Insert(world, rock, 120, 60);
        for (var tick = 0; tick < 200; tick++) {
            Hm.Check(Hm.hm_world_move_to(world, moving, tick, 40)); // x, y of the centre in pixels
            Hm.Check(Hm.hm_world_update(world)); // once per tick
            Hm.Check(Hm.hm_world_began(world, out var began)); // lent until the next update
            for (ulong i = 0; i < (ulong)began.count; i++) {
                Hm.Check(Hm.hm_world_contact(world, began.items[i], out var hit));
                Console.WriteLine("tick {0}: {1} px, the first at {2}, {3}", tick, hit.area, hit.point.x, hit.point.y);
            }
        }
        Hm.Check(Hm.hm_world_destroy(world));
        Hm.Check(Hm.hm_atlas_destroy(atlas));
    }
}
