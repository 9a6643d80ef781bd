namespace Dns.Zones.MasterFiles;

/// <summary>Passes records from the reader to the builder, and checks single records.</summary>
internal sealed class ZoneAssembler(DomainName apex, DiagnosticLog log, Func<double>? partRead, ZoneLimits limits)
{
    private readonly ZoneBuilder _builder = new(apex.Octets, partRead, limits);
    private bool _isInZone;
    private bool _isOwnerAdded;
    private byte[]? _soa;
    private FileLocation? _firstAt;
    private FileLocation _soaAt;
    // All records of a $GENERATE have its location.
    private FileLocation? _wrongClassAt;

    /// <summary>Adds the reader's current record.</summary>
    public void Take(MasterFileReader reader)
    {
        ReadOnlySpan<byte> owner = reader.Owner;
        _firstAt ??= reader.Location;
        if (!reader.IsSameOwner)
        {
            _isOwnerAdded = false;
            _isInZone = WireName.IsAtOrBelow(owner, apex.Octets);
        }
        // Records that only inherit a wrong class are read as IN: one mistake gives one error.
        if (reader.Class != RRClass.IN && reader.IsClassStated)
        {
            if (_wrongClassAt != reader.Location)
                Error(reader, $"found class {RRClassText.Format(reader.Class)}, expected IN");
            _wrongClassAt = reader.Location;
            return;
        }
        if (!_isInZone)
        {
            WarnOutOfZone(reader);
            return;
        }
        if (reader.Type == RRType.SOA && !TryTakeSoa(reader)) return;
        if (reader.Type == RRType.DS && owner.Length == apex.Octets.Length)
            Error(reader, "found a DS at the apex, expected it in the parent zone");
        uint ttl = reader.Ttl > int.MaxValue ? 0 : reader.Ttl;
        _builder.Add(owner, _isOwnerAdded, reader.Type, ttl, reader.Rdata);
        _isOwnerAdded = true;
    }

    /// <summary>Builds the zone and checks it as a whole; null if there is any error.</summary>
    public Zone? Finish(string file)
    {
        bool isComplete = log.ErrorCount == 0;
        bool hasSoa = _soa is not null;
        FileLocation whole = hasSoa ? _soaAt : _firstAt ?? new FileLocation(file, 1, 1);
        if (isComplete && !hasSoa)
            log.Error(whole, $"found no SOA at {apex}, expected one");
        Zone zone = _builder.Build();
        if (isComplete && !zone.ApexNode.TryFind(RRType.NS, out _))
            log.Warn(whole, $"found no NS at the apex {apex}, expected at least one");
        NodeDiagnostics diagnostics = ZoneChecks.Find(zone, _builder.Notes, limits, isComplete);
        DiagnosticLocator.Locate(diagnostics, apex, file, whole, log);
        return log.ErrorCount == 0 ? zone : null;
    }

    private bool TryTakeSoa(MasterFileReader reader)
    {
        if (reader.Owner.Length != apex.Octets.Length)
        {
            Error(reader, $"found an SOA at {NameText.ToText(reader.Owner)}, expected it at {apex} only");
            return false;
        }
        byte[] soa = reader.Rdata.ToArray();
        Rdata.ToCanonical(RRType.SOA, soa);
        if (_soa is null)
        {
            _soa = soa;
            _soaAt = reader.Location;
            return true;
        }
        // A zone transfer written to a file ends with its first SOA: a duplicate like any other.
        if (soa.AsSpan().SequenceEqual(_soa)) return true;
        Error(reader, "found a second SOA, expected one");
        return false;
    }

    private void WarnOutOfZone(MasterFileReader reader)
    {
        if (!log.KeepsWarning()) return;
        string owner = NameText.ToText(reader.Owner);
        log.Warn(reader.Location, $"found {owner}, expected a name in {apex}: the record is left out");
    }

    private void Error(MasterFileReader reader, string message) =>
        log.Error(reader.Location, message);
}
