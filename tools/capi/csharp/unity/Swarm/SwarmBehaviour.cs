// Places a collider for each child of this object, and says which children touch. The children are sprites of one kind, with
// the pivot in their centre.
using UnityEngine;
using Hitmask;
using Hitmask.Unity;

public sealed class SwarmBehaviour : MonoBehaviour {
    // sprites.hitmask.bytes, written by `hitmask bake art --output sprites.hitmask.bytes`.
    public TextAsset atlasFile;
    public string spriteName = "drone";
    public float pixelsPerUnit = 100;

    World world;
    YUp up;
    Point pivot;
    ColliderId[] ids;
    Placement[] placements;

    void Start() {
        up = new YUp(pixelsPerUnit);
        using (var atlas = atlasFile.ToAtlas()) {
            world = new World(atlas);
            var sprite = atlas.Sprite(spriteName);
            pivot = atlas.Pivot(sprite);
            ids = new ColliderId[transform.childCount];
            placements = new Placement[ids.Length];
            for (var i = 0; i < ids.Length; i++) {
                ids[i] = world.Insert(new Collider(sprite));
                world.SetUserData(ids[i], (ulong)i);
            }
        }
    }

    // After the game has moved the children.
    void LateUpdate() {
        for (var i = 0; i < ids.Length; i++) placements[i] = up.ToPlacement(transform.GetChild(i), pivot);
        world.SetPlacements(ids, placements);
        world.Update();
        foreach (var pair in world.Began()) {
            if (!world.TryContact(pair, out var hit)) continue;
            var other = transform.GetChild((int)world.UserData(pair.B));
            transform.GetChild((int)world.UserData(pair.A)).SendMessage("OnPixelsTouch", other, SendMessageOptions.DontRequireReceiver);
            Debug.DrawLine(Vector3.zero, up.ToVector2(new Vec2(hit.Point.X, hit.Point.Y)));
        }
    }

    void OnDestroy() => world?.Dispose();
}
