namespace Dns.Dnssec;

/// <summary>Where a key is on its way.</summary>
public enum KeyState : byte
{
    /// <summary>It is made, and not published.</summary>
    Generated,

    /// <summary>It is in the zone, or signs it, and waits until caches know it.</summary>
    Published,

    /// <summary>A KSK or CSK whose DS record is to come to the parent.</summary>
    Ready,

    /// <summary>It is in full use.</summary>
    Active,

    /// <summary>Another key takes its place; caches may need it.</summary>
    Retired,

    /// <summary>Nothing can need it any more.</summary>
    Removed,
}

/// <summary>Finds the states of keys.</summary>
public static class KeyStates
{
    /// <summary>The state of a key.</summary>
    public static KeyState Of(ZoneKeys keys, KeyRecord key)
    {
        if (key.IsRemoved) return KeyState.Removed;
        if (key.IsRetiring) return KeyState.Retired;
        if (!key.IsPublished) return key.SignsZone ? KeyState.Published : KeyState.Generated;
        if (key.Role == KeyRole.Zsk) return key.SignsZone ? KeyState.Active : KeyState.Published;
        if (!keys.WantedDs.Contains(key.Id)) return KeyState.Published;
        return keys.SeenDs?.Contains(key.Id) == true ? KeyState.Active : KeyState.Ready;
    }

    /// <summary>The state as commands write it.</summary>
    public static string Text(this KeyState state) => state.ToString().ToLowerInvariant();
}
