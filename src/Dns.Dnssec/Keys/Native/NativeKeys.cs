namespace Dns.Dnssec;

/// <summary>Whether the native library is here.</summary>
internal static class NativeKeys
{
    internal static bool IsAvailable => false;
}
