// Prints the size of each struct that C has too, and the offset of each field, by the names of C.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using Hitmask;

static class Layouts {
    static readonly string[] OnlyHere = { "Lent`1", "MoveResult", "Moves", "Paths`1", "YUp" };

    static void Main() {
        var lines = new List<string>();
        foreach (var type in typeof(World).Assembly.GetTypes()) {
            if (!type.IsValueType || type.IsEnum || type.IsNested || OnlyHere.Contains(type.Name)) continue;
            if (type.GetInterfaces().Length > 0 && type.Name.EndsWith("Id")) continue;
            var name = type.Name.StartsWith("hm_") ? type.Name : "hm_" + Snake(type.Name);
            lines.Add(name + " " + Marshal.SizeOf(type));
            foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) {
                var own = Snake(field.Name);
                // The bytes of an array have a field each.
                var end = own.LastIndexOf('_');
                var item = end > 0 && char.IsDigit(own[own.Length - 1]) ? own.Substring(end + 1) : "";
                if (item != "" && item != "0") continue;
                if (item == "0") own = own.Substring(0, end);
                lines.Add(name + "." + own + " " + Marshal.OffsetOf(type, field.Name));
            }
        }
        lines.Sort(string.CompareOrdinal);
        Console.Write(string.Concat(lines.Select(line => line + "\n")));
    }

    // LineHit as line_hit.
    static string Snake(string name) {
        var snake = new StringBuilder();
        foreach (var letter in name) {
            if (char.IsUpper(letter) && snake.Length > 0) snake.Append('_');
            snake.Append(char.ToLowerInvariant(letter));
        }
        return snake.ToString();
    }
}
