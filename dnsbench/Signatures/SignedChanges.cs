using System.Diagnostics;

namespace Dns.Bench;

/// <summary>A signed zone of names with an address each, which are changed, added and removed one at a time.</summary>
internal sealed class SignedChanges
{
    private readonly EditedZone _source;
    private readonly SigningPlan _plan;
    private readonly SigningOptions _options;
    private Zone _signed;
    private int _number;

    internal SignedChanges(int names, SigningPlan plan, DateTimeOffset now, int threads)
    {
        _source = new EditedZone(names);
        _plan = plan;
        _options = new SigningOptions { Threads = threads };
        long began = Stopwatch.GetTimestamp();
        SigningResult result = ZoneSigner.SignWhole(_source.Current, plan, now, _options);
        SignedIn = Stopwatch.GetElapsedTime(began);
        _signed = result.Zone ?? throw new InvalidDataException(result.Error);
        Signatures = result.SignaturesMade;
        began = Stopwatch.GetTimestamp();
        _ = _signed.Order;
        OrderedIn = Stopwatch.GetElapsedTime(began);
        (SourceOctets, SignedOctets) = (_source.Current.MemoryBytes, _signed.MemoryBytes);
    }

    internal TimeSpan SignedIn { get; }

    internal TimeSpan OrderedIn { get; }

    internal long Signatures { get; }

    internal long SourceOctets { get; }

    internal long SignedOctets { get; }

    /// <summary>Makes the next change: the source's version, and the signed one.</summary>
    internal void Change(DateTimeOffset now, out long signatures)
    {
        Zone before = _source.Current;
        ZoneDelta delta = (_number % 3) switch
        {
            0 => _source.NextDelta(),
            1 => Name(_number / 3, isAdded: true),
            _ => Name(_number / 3, isAdded: false),
        };
        _number++;
        _source.Apply(delta);
        SigningResult result = ZoneSigner.Sign(_signed, before, _source.Current, delta, _plan, now, _options);
        _signed = result.Zone ?? throw new InvalidDataException(result.Error);
        signatures = result.SignaturesMade;
    }

    private ZoneDelta Name(int number, bool isAdded)
    {
        // In the middle of the order, not at its end.
        DomainName owner = DomainName.Parse($"{(uint)number * 2654435761u % 36:x}new{number}.{ZoneText.Apex}");
        ZoneDeltaBuilder builder = new(_source.Name, _source.Current.Serial);
        if (isAdded) builder.Add(owner.Octets, RRType.A, 3600, [192, 0, 2, 77]);
        else builder.Remove(owner.Octets, RRType.A, [192, 0, 2, 77]);
        return builder.Build();
    }
}
