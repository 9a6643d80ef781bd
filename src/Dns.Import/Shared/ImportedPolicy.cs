using System.Xml;

namespace Dns.Import.Shared;

/// <summary>A policy of DNSSEC as it is written in settings, while it is translated.</summary>
internal sealed class ImportedPolicy(ImportedSettings settings, ConfigStatement statement, string name)
{
    /// <summary>What is said of each signed zone.</summary>
    public const string SerialOfFile = "its signed version has a greater serial than its file: before the first start, "
        + "give the file one above that, or secondaries keep the old version";

    private static readonly Dictionary<string, DnssecAlgorithm> ForeignNames = new(StringComparer.OrdinalIgnoreCase)
    {
        ["ecdsa256"] = DnssecAlgorithm.EcdsaP256Sha256, ["ecdsa384"] = DnssecAlgorithm.EcdsaP384Sha384,
    };

    public string Name => name;

    public string Subject => $"policy {name}";

    public ConfigStatement Statement => statement;

    /// <summary>Its settings: text, numbers and flags.</summary>
    public SortedDictionary<string, object> Values { get; } = new(StringComparer.Ordinal);

    /// <summary>Sets the algorithm, and the bits where it is one of RSA.</summary>
    public void SetAlgorithm(ConfigStatement at, string text, string? bits)
    {
        DnssecAlgorithm algorithm = AlgorithmOf(text);
        string known = Enum.IsDefined(algorithm) ? DnssecAlgorithms.NameOf(algorithm) : "";
        if (!DnssecAlgorithms.SigningNames.Contains(known))
        {
            settings.Diagnostics.Block(at, Subject, $"algorithm {text}: keys are not made of it");
            return;
        }
        Values["Algorithm"] = known;
        if (!DnssecAlgorithms.IsRsa(algorithm) || bits is null) return;
        if (int.TryParse(bits, NumberStyles.None, CultureInfo.InvariantCulture, out int length)
            && length is >= DnssecPolicy.LeastRsaBits and <= DnssecPolicy.MostRsaBits) Values["RsaBits"] = length;
        else settings.Diagnostics.Change(at, Subject, $"keys of {bits} bits: they have {DnssecPolicy.LeastRsaBits}");
    }

    /// <summary>Sets a time: seconds, TTL-style (<c>1d12h</c>) or ISO 8601; <c>unlimited</c> is 0.</summary>
    public void SetTime(ConfigStatement at, string setting, string? text)
    {
        DnssecPolicy policy = DnssecPolicy.Default;
        if (text is not null && TryReadTime(text, out long seconds)
            && seconds <= int.MaxValue && DurationText.Format(TimeSpan.FromSeconds(seconds)) is { } written
            && DnssecPoliciesSetting.Policy.TrySet(setting, SettingKind.Text, written, ref policy))
            Values[setting] = written;
        else settings.Diagnostics.Block(at, Subject,
            $"{at.Key} {text}: {DnssecPoliciesSetting.Policy.ExpectedOf(setting)}", ImportLimit.OfImporter);
    }

    /// <summary>Adds it to the settings, unless what it says cannot be together.</summary>
    public void Add()
    {
        DnssecPolicy policy = DnssecPolicy.Default;
        foreach (var (setting, value) in Values)
        {
            SettingKind kind =
                value is string ? SettingKind.Text : value is int ? SettingKind.Number : SettingKind.Flag;
            string text = Convert.ToString(value, CultureInfo.InvariantCulture)!;
            DnssecPoliciesSetting.Policy.TrySet(setting, kind, text, ref policy);
        }
        foreach (var (setting, message) in policy.FindErrors())
        {
            settings.Diagnostics.Block(statement, Subject, $"{setting}: {message}", ImportLimit.OfImporter);
            Values.Remove(setting);
        }
        settings.AddPolicy(this);
    }

    /// <summary>The algorithm of a name or number; 0 if it is none.</summary>
    internal static DnssecAlgorithm AlgorithmOf(string text)
    {
        bool isName = ForeignNames.TryGetValue(text, out DnssecAlgorithm algorithm) ||
            DnssecAlgorithms.TryParse(text, out algorithm);
        if (isName) return algorithm;
        return byte.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out byte number)
            ? (DnssecAlgorithm)number : 0;
    }

    internal static bool TryReadTime(string text, out long seconds)
    {
        seconds = 0;
        if (text.Equals("unlimited", StringComparison.OrdinalIgnoreCase)) return true;
        if (TtlText.TryParse(Encoding.UTF8.GetBytes(text), out uint read))
        {
            seconds = read;
            return true;
        }
        text = text.ToUpperInvariant();
        if (!text.StartsWith('P')) return false;
        try
        {
            // A week has no letter there.
            TimeSpan time = text.EndsWith('W') && int.TryParse(text.AsSpan(1, text.Length - 2), out int weeks)
                ? TimeSpan.FromDays(7L * weeks) : XmlConvert.ToTimeSpan(text);
            seconds = (long)time.TotalSeconds;
            return seconds >= 0;
        }
        catch (Exception error) when (error is FormatException or OverflowException)
        {
            return false;
        }
    }
}
