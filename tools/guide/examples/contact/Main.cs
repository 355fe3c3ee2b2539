// Where two rocks overlap, and how they are pushed apart.
using System;
using Hitmask;
using static Hitmask.Hm;
using static System.FormattableString;

static unsafe class Contact {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var rock = hm_default_collider();
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        hm_pair pair;
        Check(hm_world_insert(world, &rock, out pair.a));
        (rock.x, rock.y) = (36, 10);
        Check(hm_world_insert(world, &rock, out pair.b));
        if (Check(hm_world_overlap(world, pair, out var overlap))) {
            var contact = overlap.contact;
            var (normal, way) = (overlap.normal, overlap.push_out);
            Console.WriteLine(
                $"{contact.area} pixels, the first at {contact.point.x}, {contact.point.y}");
            Console.WriteLine(Invariant($"normal {normal.x:0.00}, {normal.y:0.00}"));
            Console.WriteLine($"push out by {way.x}, {way.y}");
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
