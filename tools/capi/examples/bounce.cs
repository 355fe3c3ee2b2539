// The scene of bounce.c in C#: 10,000 sprites that bounce around. Prints the same line.
//
//   mcs -unsafe bounce.cs ../include/Hitmask.cs && LD_LIBRARY_PATH=FOLDER_OF_LIBHITMASK mono bounce.exe
using System;
using Hitmask;

static unsafe class Bounce {
    const int Sprites = 10000, Ticks = 30, Width = 4000, Height = 3000, Ring = 32;

    // SplitMix64.
    static ulong state = 38;
    static uint Below(uint end) {
        unchecked {
            var z = state += 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            z ^= z >> 31;
            return (uint)(((z >> 32) * end) >> 32);
        }
    }

    static IntPtr Bake() {
        var ring = new byte[Ring * Ring * 4];
        for (var y = 0; y < Ring; y++) {
            for (var x = 0; x < Ring; x++) {
                int dx = 2 * x - Ring + 1, dy = 2 * y - Ring + 1, d = dx * dx + dy * dy;
                ring[(y * Ring + x) * 4 + 3] = (byte)(d < Ring * Ring && d > Ring * Ring / 3 ? 255 : 0);
            }
        }
        const string rows = "#........\n####.....\n#######..\n#########\n#######..\n####.....\n#........\n";
        Hm.Check(Hm.hm_baker_create(out var baker));
        Hm.Check(Hm.hm_baker_add_rgba(
            baker, Hm.Utf8("ring"), Ring, Ring, 1, ring, (UIntPtr)ring.Length, null));
        Hm.Check(Hm.hm_mask_from_text(Hm.Utf8(rows), out var arrow));
        Hm.Check(Hm.hm_mask_get(arrow, 0, 0, out var first));
        Hm.Check(Hm.hm_mask_get(arrow, 8, 0, out var last));
        Expect(first == 1 && last == 0, "one byte for each bool");
        Hm.Check(Hm.hm_baker_add_masks(baker, Hm.Utf8("arrow"), new[] { arrow }, (UIntPtr)1, null));
        Hm.Check(Hm.hm_baker_bake_atlas(baker, out var atlas));
        Hm.Check(Hm.hm_mask_destroy(arrow));
        Hm.Check(Hm.hm_baker_destroy(baker));
        return atlas;
    }

    static void Main() {
        Expect(Hm.hm_abi_version() == Hm.HM_ABI_VERSION, "the library of this binding");
        var atlas = Bake();
        Hm.Check(Hm.hm_atlas_sprite(atlas, Hm.Utf8("arrow"), out var arrow));
        Hm.Check(Hm.hm_atlas_sprite(atlas, Hm.Utf8("ring"), out var ring));
        Hm.Check(Hm.hm_world_create(atlas, out var world));
        Hm.Check(Hm.hm_atlas_destroy(atlas)); // the world keeps it
        var ids = new ulong[Sprites];
        var at = new hm_placement_turn[Sprites];
        var speed = new float[Sprites, 2];
        var spin = new ushort[Sprites];
        for (var i = 0; i < Sprites; i++) {
            var collider = Hm.hm_default_collider();
            collider.sprite = i % 2 == 0 ? arrow : ring;
            collider.x = at[i].x = Below(Width);
            collider.y = at[i].y = Below(Height);
            collider.turn = at[i].turn = (ushort)Below(65536);
            collider.use_turn = 1;
            speed[i, 0] = Below(33) / 4f - 4;
            speed[i, 1] = Below(33) / 4f - 4;
            spin[i] = (ushort)Below(2048);
            Hm.Check(Hm.hm_world_insert(world, &collider, out ids[i]));
            Hm.Check(Hm.hm_world_set_user_data(world, ids[i], (ulong)i));
        }
        ulong count = 0;
        hm_pairs began;
        for (var tick = 0; tick < Ticks; tick++) {
            for (var i = 0; i < Sprites; i++) {
                at[i].x += speed[i, 0];
                at[i].y += speed[i, 1];
                if (at[i].x < 0 || at[i].x > Width) speed[i, 0] = -speed[i, 0];
                if (at[i].y < 0 || at[i].y > Height) speed[i, 1] = -speed[i, 1];
                at[i].turn = unchecked((ushort)(at[i].turn + spin[i]));
            }
            Hm.Check(Hm.hm_world_set_placements_turn(world, ids, at, (UIntPtr)Sprites));
            Hm.Check(Hm.hm_world_update(world));
            Hm.Check(Hm.hm_world_began(world, out began));
            count += (ulong)began.count;
        }
        Hm.Check(Hm.hm_world_touching(world, out var touching));
        Hm.Check(Hm.hm_world_state_hash(world, out var hash));
        Console.WriteLine("touching {0}, began {1}, state {2:x16}", touching.count, count, hash);

        CheckStructs(world, ids);
        CheckTexts(world);
        CheckCallbacks(world, ids);
        var placements = new hm_placement[Sprites];
        Tick(world, ids, placements);
        Expect(hits > 0, "all sprites at one place");
        Hm.Check(Hm.hm_world_destroy(world));
    }

    static ulong hits;
    static void OnHit(hm_pair pair) { hits++; }

    static void Tick(IntPtr world, ulong[] ids, hm_placement[] placements) {
        // Arrays are pinned during the call and read in place.
        Hm.Check(Hm.hm_world_set_placements(world, ids, placements, (UIntPtr)ids.Length));
        Hm.Check(Hm.hm_world_update(world));
        Hm.Check(Hm.hm_world_began(world, out var began));
        for (ulong i = 0; i < (ulong)began.count; i++) OnHit(began.items[i]); // valid until the next update
    }

    // What one side writes the other side reads, in every field that this binding names.
    static void CheckStructs(IntPtr world, ulong[] ids) {
        var collider = Hm.hm_default_collider();
        Expect(sizeof(hm_collider) == 80, "sizes of C");
        Expect(collider.scale == 1 && collider.layers == 1 && collider.collides_with == 0xffffffff, "defaults");
        Expect(collider.enabled == 1 && collider.@fixed == 0 && collider.use_turn == 0, "default flags");
        Hm.Check(Hm.hm_world_get(world, ids[1], out var placed));
        Expect(placed.sprite != 0 && placed.use_turn == 1 && placed.scale == 1 && placed.enabled == 1, "a placed one");
        var settings = Hm.hm_default_bake_settings();
        Expect(settings.angles == 64 && settings.alpha == 128 && settings.scales == null, "settings by value");
        // A struct by value, and one that the library fills.
        Hm.Check(Hm.hm_world_touching(world, out var pairs));
        for (ulong i = 0; i < 100; i++) {
            var touches = Hm.Check(Hm.hm_world_contact(world, pairs.items[i], out var contact));
            Expect(touches && contact.area > 0 && contact.rect.x0 <= contact.point.x && contact.point.x < contact.rect.x1
                && contact.rect.y0 <= contact.point.y && contact.point.y < contact.rect.y1, "a contact");
        }
        Expect(!Hm.Check(Hm.hm_world_contact(world, new hm_pair { a = ids[0] }, out var none)) && none.area == 0, "none");
    }

    static void CheckTexts(IntPtr world) {
        var collider = new hm_collider();
        var message = "";
        try { Hm.Check(Hm.hm_world_insert(world, &collider, out var id)); }
        catch (HitmaskException refused) { message = refused.Message; }
        Expect(message.Contains("hm_default_collider"), message);
        try { Hm.Check(Hm.hm_atlas_open(Hm.Utf8("niño.hitmask"), null, out var atlas)); }
        catch (HitmaskException refused) { message = refused.Message; }
        Expect(message.Contains("niño.hitmask"), message);
    }

    // The library keeps the address for later calls, so the program keeps the delegate from the garbage collector.
    static readonly hm_log_callback KeptLog = (user, level, message) => logged = Hm.Text(message);
    static string logged = "";

    static void CheckCallbacks(IntPtr world, ulong[] ids) {
        // A delegate that is used during one call needs no field. It must not throw.
        ulong asked = 0, wrong = 0;
        Hm.Check(Hm.hm_world_update_with(world, (user, pair, dataA, dataB) => {
            asked++;
            if (ids[dataA] != pair.a || ids[dataB] != pair.b || user != (IntPtr)7) wrong++;
            return (byte)(asked % 2);
        }, (IntPtr)7));
        Hm.Check(Hm.hm_world_touching(world, out var pairs));
        Expect(asked > 100 && wrong == 0 && (ulong)pairs.count == (asked + 1) / 2, "half of the pairs");

        Hm.Check(Hm.hm_set_log(KeptLog, IntPtr.Zero));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Hm.Check(Hm.hm_baker_create(out var baker));
        Hm.Check(Hm.hm_baker_add_rgba(baker, Hm.Utf8("ghost"), 2, 2, 1, new byte[16], (UIntPtr)16, null));
        Hm.Check(Hm.hm_baker_bake_atlas(baker, out var atlas));
        Expect(logged.Contains("ghost"), "a warning about a sprite without pixels: " + logged);
        Hm.Check(Hm.hm_set_log(null, IntPtr.Zero));
        Hm.Check(Hm.hm_atlas_destroy(atlas));
        Hm.Check(Hm.hm_baker_destroy(baker));
    }

    static void Expect(bool holds, string what) {
        if (!holds) throw new Exception(what);
    }
}
