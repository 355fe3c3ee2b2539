// A bullet hits the body of an ogre, or its eye.
using System;
using Hitmask;

static class Planes {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            // The parts of one body have an owner, so they never meet each other.
            var ogre = new Collider(atlas.Sprite("ogre")) { Owner = 1 };
            world.Insert(ogre);
            ogre.Plane = atlas.Plane(ogre.Sprite, "eye");
            var eye = world.Insert(ogre);
            var bullet = world.Insert(new Collider(atlas.Sprite("bullet")));
            foreach (var at in new Vec2[] { (0, 0), (8, -13), (30, 0) }) {
                world.MoveTo(bullet, at);
                var what = "nothing";
                foreach (var hit in world.TouchingWith(bullet))
                    what = hit == eye ? "the eye" : what == "nothing" ? "the body" : what;
                Console.WriteLine($"{at}: {what}");
            }
        }
    }
}
