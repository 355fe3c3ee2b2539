// Positions and atlases of Unity for the classes of hitmask.
using UnityEngine;

namespace Hitmask.Unity {
    /// <summary>Conversions where a game in Unity calls hitmask. Keep a <see cref="YUp"/> with the "Pixels Per Unit" of the
    /// sprites.</summary>
    public static class UnityExtensions {
        /// <summary>Returns a motion, or a position for a query, in pixels.</summary>
        public static Vec2 ToPixels(this YUp up, Vector2 units) => up.ToPixels(units.x, units.y);
        /// <summary>Returns a motion, or a position of a query, in units.</summary>
        public static Vector2 ToVector2(this YUp up, Vec2 pixels) {
            var units = up.ToUnits(pixels);
            return new Vector2(units.X, units.Y);
        }
        /// <summary>Returns where a collider is drawn, in units. `pivot` is that of its sprite.</summary>
        public static Vector2 ToVector2(this YUp up, Vec2 position, Point pivot) {
            var units = up.ToUnits(position, pivot);
            return new Vector2(units.X, units.Y);
        }
        /// <summary>Returns the placement of a collider for a transform. `pivot` is that of its sprite.</summary>
        public static Placement ToPlacement(this YUp up, Transform transform, Point pivot) {
            var at = transform.position;
            return up.ToPlacement(at.x, at.y, transform.eulerAngles.z, pivot);
        }
        /// <summary>Opens an atlas that is an asset: rename sprites.hitmask to sprites.hitmask.bytes.</summary>
        public static Atlas ToAtlas(this TextAsset asset) => Atlas.FromBytes(asset.bytes);
    }
}
