namespace Dns.Dnssec.Offline;

/// <summary>Reads the lines of <see cref="KeySetText"/> in sequence.</summary>
internal sealed class KeySetReader(bool isBundle)
{
    private readonly List<KeySlot> _slots = [];
    private readonly List<(Dnskey, DateTimeOffset)> _known = [];
    private readonly List<Dnskey> _keys = [];
    private readonly List<byte[]> _cds = [], _cdnskey = [], _signatures = [];
    private KeySets? _sets;
    private KeySlot? _slot;

    /// <summary>The result; null without a zone line.</summary>
    internal KeySets? Sets
    {
        get
        {
            EndSlot();
            return _sets is null ? null : _sets with { Slots = _slots, Known = _known };
        }
    }

    /// <summary>Reads a line; returns its error, or null.</summary>
    internal TextFaultKind? FindFault(string line)
    {
        string[] words = line.Split(' ');
        if (_sets is null)
        {
            if (words is not ["zone", var name] || !DomainName.TryParse(name, out DomainName? zone))
                return TextFaultKind.ZoneLine;
            _sets = new KeySets(zone, isBundle);
            return null;
        }
        bool isGood = words switch
        {
            ["made", var time] => Take(KeySetText.TryReadTime(time, out DateTimeOffset at), _sets with { Made = at }),
            ["lifetime", var seconds] =>
                Take(TryReadSeconds(seconds, out TimeSpan lifetime), _sets with { Lifetime = lifetime }),
            ["lead", var seconds] => Take(TryReadSeconds(seconds, out TimeSpan lead), _sets with { Lead = lead }),
            ["parent", var tags] => Take(TryReadTags(tags, out List<ushort>? read), _sets with { Parent = read }),
            ["request", var digest] => Take(true, _sets with { Request = digest == "?" ? null : digest }),
            ["known", var time, .. var rdata] => TryAddKnown(time, rdata),
            ["slot", var time, var ttl] => TryBegin(time, ttl),
            [var type, .. var rdata] => TryAdd(type, rdata),
            _ => false,
        };
        if (isGood) return null;
        return _slots.Count >= KeySets.MaxSlots ? TextFaultKind.FewerSlots : TextFaultKind.Words;
    }

    private bool Take(bool isGood, KeySets next)
    {
        if (isGood) _sets = next;
        return isGood;
    }

    private bool TryBegin(string time, string ttl)
    {
        EndSlot();
        if (_slots.Count >= KeySets.MaxSlots || !KeySetText.TryReadTime(time, out DateTimeOffset start)
            || !uint.TryParse(ttl, NumberStyles.None, CultureInfo.InvariantCulture, out uint seconds)
            || seconds > int.MaxValue) return false;
        _slot = new KeySlot(start, seconds);
        return true;
    }

    private void EndSlot()
    {
        if (_slot is null) return;
        _slots.Add(
            _slot with { Keys = [.. _keys], Cds = [.. _cds], Cdnskey = [.. _cdnskey], Signatures = [.. _signatures] });
        _slot = null;
        _keys.Clear();
        foreach (List<byte[]> records in (List<byte[]>[])[_cds, _cdnskey, _signatures]) records.Clear();
    }

    private bool TryAdd(string type, string[] words)
    {
        if (_slot is null || !RRTypeText.TryParse(Encoding.Latin1.GetBytes(type), out RRType read)
            || !TryReadRdata(read, words, out byte[] rdata)) return false;
        switch (read)
        {
            case RRType.DNSKEY:
                bool isKey = Dnskey.TryRead(rdata, out Dnskey? key);
                if (isKey) _keys.Add(key!);
                return isKey;
            case RRType.CDS: _cds.Add(rdata); return true;
            case RRType.CDNSKEY: _cdnskey.Add(rdata); return true;
            case RRType.RRSIG: _signatures.Add(rdata); return true;
            default: return false;
        }
    }

    private bool TryAddKnown(string time, string[] words)
    {
        if (!KeySetText.TryReadTime(time, out DateTimeOffset since) ||
            !TryReadRdata(RRType.DNSKEY, words, out byte[] rdata)
            || !Dnskey.TryRead(rdata, out Dnskey? key)) return false;
        _known.Add((key, since));
        return true;
    }

    private static bool TryReadRdata(RRType type, string[] words, out byte[] rdata)
    {
        byte[] room = new byte[Rdata.MaxOctets], text = Encoding.Latin1.GetBytes(string.Join(' ', words));
        bool isRead = Rdata.TryParse(type, text, WireName.Root, room, out int length, out _);
        rdata = room[..length];
        return isRead;
    }

    private static bool TryReadTags(string word, out List<ushort>? tags)
    {
        tags = null;
        if (word == "?") return true;
        List<ushort> read = [];
        foreach (string part in word == "-" ? [] : word.Split(','))
        {
            if (!ushort.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out ushort tag)) return false;
            read.Add(tag);
        }
        tags = read;
        return true;
    }

    private static bool TryReadSeconds(string word, out TimeSpan time)
    {
        bool isNumber = uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint seconds);
        time = TimeSpan.FromSeconds(seconds);
        return isNumber;
    }
}
