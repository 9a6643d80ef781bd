namespace Dns.Dnssec.Policies;

/// <content>The bundles of zones with an offline KSK.</content>
public sealed partial class KeyStore
{
    /// <summary>The extension of bundle files.</summary>
    public const string BundleExtension = ".keybundle";

    private const string ReturnKsks = "; if its KSK was offline, \"dnsd keys import\" of every KSK of the bundle, or "
        + "a policy with OfflineKsk again";

    /// <summary>The file with the bundle of a zone.</summary>
    public string BundlePathOf(DomainName zone) => Path.Combine(Folder, ZoneFileNames.Of(zone) + BundleExtension);

    /// <inheritdoc/>
    public KeySets? LoadBundle(DomainName zone)
    {
        string path = BundlePathOf(zone);
        try
        {
            if (ReadText(path, 2 * KeySetText.MaxOctets) is not { } text) return null;
            if (!KeySetText.TryRead(text, isBundle: true, out KeySets? bundle, out TextFault? fault))
                throw new IOException($"{path}: {fault}");
            if (KeySetCheck.FindFault(bundle, zone) is { } setFault)
                throw new IOException($"{path}: {KeyReplyText.Of(setFault)}");
            return bundle;
        }
        catch (UnauthorizedAccessException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    /// <summary>Marks a stored key as retired: no later request uses it; a bundle that has it stays valid.</summary>
    private ZoneKeys WithRetired(DomainName zone, KeyRecord key, ZoneKeys keys)
    {
        WriteTimes(zone, key with { Retired = key.Created });
        return keys.With(key);
    }

    /// <inheritdoc/>
    public void SaveBundle(KeySets bundle)
    {
        foreach (Dnskey key in bundle.Slots.SelectMany(slot => slot.Ksks).Distinct())
        {
            string path = PathOf(bundle.Zone, KeySlot.IdOf(key)) + KeyFile.PublicExtension;
            if (_files.Exists(path)) continue;
            new KeyFile { Zone = bundle.Zone, Public = key }.Write(Folder, _files);
            Index.Add(Path.GetFileName(path));
        }
        DurableFile.Write(BundlePathOf(bundle.Zone), Encoding.UTF8.GetBytes(KeySetText.Format(bundle)),
            isPrivate: true, _files);
    }
}
