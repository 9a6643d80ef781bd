namespace Dns.Dnssec.Service;

/// <summary>
/// Finds keys of this server that a saved version has and the store lacks: with others the zone would be bogus where
/// the parent has DS records of the lost ones, while the saved version validates.
/// </summary>
internal sealed class LostKeys(ZoneSlot slot, ZoneSigning owner, ZoneKeys keys, KeySets? bundle)
{
    /// <param name="kept">The saved version; null = none.</param>
    /// <exception cref="SigningFailedException">Keys are lost.</exception>
    internal void ThrowIfAny(Zone source, Zone? kept, ZoneFailure? copyProblem)
    {
        if (keys.Keys.Count == 0 && kept is null && copyProblem is not null)
            throw new SigningFailedException($"its keys are lost, and its signed copy cannot be read: {copyProblem}");
        if (kept is null) return;
        ServedKeys served = ServedKeysReader.Read(kept, default);
        KeyIds foreign = ServedKeysReader.Read(source, default).Keys;
        bool isOlder = keys.Keys.Count > 0;
        // A key that only signs data is replaced within a TTL; what signs the keys is known to the parent.
        KeyIds lost = (isOlder ? served.KeySigners : served.Keys).Without(foreign);
        if (isOlder) lost = IsNewerThan(kept) ? KeyIds.None : lost.Without(lost.Where(IsKnown).ToArray());
        if (lost.Count == 0) return;
        throw new SigningFailedException(isOlder ? DescribeOlder(kept, lost)
            : $"its keys are lost: its signed copy has {string.Join(", ", lost)}, the key folder has none of the "
                + "zone: expected the key files and their state back from a backup; to sign with new keys, remove the "
                + $"DS records at the parent, give the source a serial above {kept.Serial}, and start again without "
                + "the files of the zone in the folders of keys and signed copies");
    }

    private string DescribeOlder(Zone kept, KeyIds lost)
    {
        string what = $"its keys are older than its signed copy, which is signed with {string.Join(", ", lost)}: ";
        if (lost.All(HasFile))
            return what + $"the files of these keys are in the key folder, but its {ZoneFileNames.Of(slot.Name)}"
                + $"{KeyStore.StateExtension} does not name them: expected that of the newest backup, or a start "
                + "without that file, which uses all keys of the zone in the folder";
        string only = keys.Published.Count > 0 ? $"only {string.Join(", ", keys.Published)}" : "none that is in use";
        return what + $"the key folder has {only}: expected the newest backup of keys and state; if the DS records at "
            + $"the parent are of a key that the folder has, give the source a serial above {kept.Serial}, and start "
            + "again without the files of the zone in the folder of signed copies";
    }

    private bool HasFile(KeyId id)
    {
        try
        {
            owner.Keys.Open(slot.Name, id).Dispose();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    private bool IsKnown(KeyId id) => keys.Find(id) is not null || bundle?.Find(id) is not null;

    /// <summary>
    /// Whether the keys have changed since a version was signed, which may then have some that are long forgotten, or
    /// it has expired.
    /// </summary>
    private bool IsNewerThan(Zone kept)
    {
        // The signatures of an offline KSK are of the bundle, or without one of the copy itself.
        if (keys.Slot is not null && bundle is null) return true;
        if (keys.HighestSerial is { } highest
            && SerialNumber.IsGreater(highest, unchecked(kept.Serial + SerialGuard.MostLostVersions))) return true;
        (DateTimeOffset signed, DateTimeOffset ends) = ServedKeysReader.TimesOfKeys(kept, owner.Now);
        // A version that has expired validates no more.
        return ends <= owner.Now
            || keys.Keys.Any(key => key.Published > signed || key.Retired > signed || key.Removed > signed);
    }
}
