// Prints the size of each struct of Hitmask.cs, and the offset of each field.
using System;
using System.Runtime.InteropServices;

static class Layouts {
    static void Main() {
        foreach (var type in typeof(Layouts).Assembly.GetTypes()) {
            if (!type.IsValueType || type.IsEnum || !type.Name.StartsWith("hm_")) continue;
            Console.WriteLine("{0} {1}", type.Name, Marshal.SizeOf(type));
            foreach (var field in type.GetFields()) {
                Console.WriteLine("{0}.{1} {2}", type.Name, field.Name, Marshal.OffsetOf(type, field.Name));
            }
        }
    }
}
