// Two sprites, one of which moves: the tick and the pixel of the first contact.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class First {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider ship = hm_default_collider(), rock = ship;
        ship.sprite = Sprite(atlas, "ship");
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        ship.y = 40;
        (rock.x, rock.y) = (90, 52);
        Check(hm_world_insert(world, &ship, out var ship_id));
        Check(hm_world_insert(world, &rock, out _));
        for (var tick = 0; tick < 100; tick++) {
            Check(hm_world_move_to(world, ship_id, tick, 40));
            Check(hm_world_update(world));
            Check(hm_world_began(world, out var began));
            for (var i = 0; i < (int)began.count; i++) {
                Check(hm_world_contact(world, began.items[i], out var hit));
                Console.WriteLine($"tick {tick}: hit at {hit.point.x}, {hit.point.y}");
            }
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
