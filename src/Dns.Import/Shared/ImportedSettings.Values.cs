namespace Dns.Import.Shared;

/// <summary>Single settings, from the forms in which other servers write them.</summary>
internal sealed partial class ImportedSettings
{
    /// <summary>Takes a number over. One beyond the bounds of our setting becomes the nearest that it takes.</summary>
    public void SetNumber(ConfigStatement statement, string path, int least, int most) =>
        SetScaled(statement, path, least, most, 1);

    /// <summary>Takes over a number of parts of our unit, or of times of it, rounded up.</summary>
    public void SetScaled(ConfigStatement statement, string path, int least, int most, int parts, int times = 1)
    {
        if (!long.TryParse(statement.Value, NumberStyles.None, CultureInfo.InvariantCulture, out long value)
            || value > long.MaxValue / 100 - parts)
            Diagnostics.Change(statement, "", $"{statement.Key}: not a number, Dns:{path} takes {least} to {most}",
                ImportLimit.OfImporter);
        else Set(statement, path, (int)Nearest(statement, path, (value * times + parts - 1) / parts, least, most));
    }

    /// <summary>Takes over a time in seconds, which may have a unit, such as <c>1m</c>.</summary>
    public void SetSeconds(ConfigStatement statement, string path, int least, int most)
    {
        if (TtlText.TryParse(Encoding.UTF8.GetBytes(statement.Value ?? ""), out uint seconds))
            Set(statement, path, (int)Nearest(statement, path, seconds, least, most));
        else Diagnostics.Change(statement, "", $"{statement.Key}: not a time, Dns:{path} takes {least} to {most}",
            ImportLimit.OfImporter);
    }

    /// <summary>Takes a number over; of several the smallest.</summary>
    public void SetSmallest(ConfigStatement statement, string path, int least, int most)
    {
        object? before = Values.GetValueOrDefault(path);
        SetNumber(statement, path, least, most);
        if (before is int smaller && smaller < (int)Values[path]) Values[path] = smaller;
    }

    public void SetSize(ConfigStatement statement, string path)
    {
        if (TryParseSize(statement.Value, out long bytes)) SetSize(statement, path, bytes);
        else Diagnostics.Change(statement, "", $"{statement.Key}: not an amount of memory, see Dns:{path}",
            ImportLimit.OfImporter);
    }

    /// <summary>Takes over an amount of memory; if the machine has less, the largest permitted part of it.</summary>
    public void SetSize(ConfigStatement statement, string path, long bytes)
    {
        const int most = ServerMemory.MaxCachePercent;
        bool isMore = bytes > ServerMemory.Bytes / 100 * most;
        if (isMore) Diagnostics.Change(statement, "",
            $"{statement.Key} {statement.Value}: more than {most}% of this machine's memory, Dns:{path} is {most}%");
        Set(statement, path, isMore ? $"{most}%" : SizeText.Format(Nearest(statement, path, bytes,
            Dns.Forwarding.CacheOptions.LeastBytes, 1L << 40)));
    }

    /// <summary>Reads a size as BIND, NSD and Unbound write it: bytes, or a number with k, m or g.</summary>
    public static bool TryParseSize(string? text, out long bytes)
    {
        bytes = 0;
        if (text is not { Length: > 0 }) return false;
        int shift = char.ToLowerInvariant(text[^1]) switch { 'k' => 10, 'm' => 20, 'g' => 30, _ => 0 };
        bool isNumber = long.TryParse(shift > 0 ? text.AsSpan(..^1) : text, NumberStyles.None,
            CultureInfo.InvariantCulture, out bytes);
        if (!isNumber || bytes > long.MaxValue >> shift) return false;
        bytes <<= shift;
        return true;
    }

    /// <summary>Takes a time over: seconds, or numbers with units.</summary>
    public void SetTime(ConfigStatement statement, string path, TimeSpan most)
    {
        if (ReadTime(statement, path, most) is { } time) Set(statement, path, time);
    }

    /// <summary>Reads a time as settings write it; null, and a diagnostic, if it is none.</summary>
    public string? ReadTime(ConfigStatement statement, string path, TimeSpan most)
    {
        if (TtlText.TryParse(Encoding.UTF8.GetBytes(statement.Value ?? ""), out uint seconds))
            return DurationText.Format(
                TimeSpan.FromSeconds(Nearest(statement, path, seconds, 0, (long)most.TotalSeconds)));
        Diagnostics.Change(statement, "", $"{statement.Key}: not a time, see Dns:{path}", ImportLimit.OfImporter);
        return null;
    }

    public void SetFlag(ConfigStatement statement, string path)
    {
        switch (statement.Value)
        {
            case "yes" or "true" or "on" or "1": Set(statement, path, true); break;
            case "no" or "false" or "off" or "0": Set(statement, path, false); break;
            default: Diagnostics.Change(statement, "", $"{statement.Key}: neither yes nor no, see Dns:{path}",
                ImportLimit.OfImporter); break;
        }
    }

    private long Nearest(ConfigStatement statement, string path, long value, long least, long most)
    {
        if (value >= least && value <= most) return value;
        Diagnostics.Change(statement, "",
            $"{statement.Key} {statement.Value}: Dns:{path} takes {least} to {most}, the nearest is set");
        return Math.Clamp(value, least, most);
    }

    /// <summary>Takes a text over. There is one place for it here: of two texts the later one counts.</summary>
    public void SetText(ConfigStatement statement, string path, string? text)
    {
        const int most = Configuration.Declaring.Values.MaxTextOctets;
        if (text is not { Length: > 0 } || Encoding.UTF8.GetByteCount(text) > most)
        {
            Diagnostics.Change(statement, "",
                $"{statement.Key}: Dns:{path} takes a text of up to {most} octets", ImportLimit.OfImporter);
            return;
        }
        if (Values.GetValueOrDefault(path) is string before && before != text)
            Diagnostics.Change(statement, "",
                $"{statement.Key}: takes the place of \"{before}\", Dns:{path} is one text");
        Set(statement, path, text);
    }

    /// <summary>Adds a cookie secret (RFC 9018), the same on all servers of an address: the first makes them.</summary>
    public void AddSecret(ConfigStatement statement)
    {
        if (statement.Value is not { Length: 32 } secret || !secret.All(char.IsAsciiHexDigit))
            Diagnostics.Change(statement, "", $"{statement.Key}: Dns:Cookies:Secrets takes 32 hexadecimal digits",
                ImportLimit.OfImporter);
        else Set(statement, "Cookies:Secrets",
            (string[])[.. Values.GetValueOrDefault("Cookies:Secrets") as string[] ?? [], secret]);
    }

    /// <summary>Takes over a text that is written as octets in hexadecimal digits.</summary>
    public void SetHex(ConfigStatement statement, string path, string hex)
    {
        bool isHex = hex.Length % 2 == 0 && hex.All(char.IsAsciiHexDigit);
        byte[] octets = isHex ? Convert.FromHexString(hex) : [];
        bool isText = octets.Length > 0 && octets.All(octet => octet is > 0x20 and < 0x7F);
        SetText(statement, path, isText ? Encoding.ASCII.GetString(octets) : null);
    }
}
