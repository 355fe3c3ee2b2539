// A world is saved, changed and restored.
using System;
using System.Runtime.InteropServices;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Saves {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var rock = hm_default_collider();
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert(world, &rock, out var id));
        Check(hm_world_update(world));
        Check(hm_world_snapshot(world, out var lent));
        var saved = new byte[(int)lent.count];
        Marshal.Copy((IntPtr)lent.items, saved, 0, saved.Length);
        Check(hm_world_state_hash(world, out var hash));
        Check(hm_world_move_to(world, id, 50, 0));
        Check(hm_world_state_hash(world, out var now));
        Console.WriteLine("moved: " + (now != hash ? "true" : "false"));
        Check(hm_world_restore(world, saved, lent.count));
        Check(hm_world_state_hash(world, out now));
        Console.WriteLine("restored: " + (now == hash ? "true" : "false"));
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
