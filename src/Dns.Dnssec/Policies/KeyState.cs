namespace Dns.Dnssec.Policies;

/// <summary>The state of a key in its life cycle.</summary>
public enum KeyState : byte
{
    /// <summary>Generated, not published.</summary>
    Generated,

    /// <summary>Published or signing, but not in all caches yet.</summary>
    Published,

    /// <summary>A KSK or CSK whose DS record the parent does not have yet.</summary>
    Ready,

    /// <summary>In full use.</summary>
    Active,

    /// <summary>Being replaced; caches may need it.</summary>
    Retired,

    /// <summary>No cache needs it any more.</summary>
    Removed,
}

/// <summary>Derives the states of keys.</summary>
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

    /// <summary>The state as commands print it.</summary>
    public static string Text(this KeyState state) => state.ToString().ToLowerInvariant();
}
