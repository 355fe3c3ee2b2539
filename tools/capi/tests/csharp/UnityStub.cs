// The few types of Unity that the package's sources name, so that a check compiles them without Unity.
namespace UnityEngine {
    public struct Vector2 {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
        public static implicit operator Vector3(Vector2 at) => new Vector3 { x = at.x, y = at.y };
    }
    public struct Vector3 {
        public float x, y, z;
        public static Vector3 zero => default;
    }
    public class Transform {
        public Vector3 position, eulerAngles;
        public int childCount;
        public Transform GetChild(int index) => null;
        public void SendMessage(string name, object value, SendMessageOptions options) { }
    }
    public class MonoBehaviour { public Transform transform; }
    public class TextAsset { public byte[] bytes; }
    public enum SendMessageOptions { DontRequireReceiver }
    public static class Debug { public static void DrawLine(Vector3 from, Vector3 to) { } }
}
