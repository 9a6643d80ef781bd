using static Dns.Dnssec.Offline.KeyRequestFaultKind;

namespace Dns.Dnssec.Offline;

/// <summary>Why a request is not signed.</summary>
public sealed record KeyRequestFault
{
    private readonly KeyRequestFaultKind _kind;
    private readonly KeySets _request;
    private readonly KeySlot? _slot;
    private readonly Dnskey? _zsk;

    internal KeyRequestFault(KeyRequestFaultKind kind, KeySets request, KeySlot? slot = null, Dnskey? zsk = null) =>
        (_kind, _request, _slot, _zsk) = (kind, request, slot, zsk);

    /// <summary>What was found and expected.</summary>
    public override string ToString() => (_slot is null ? "" : $"slot {_slot.Start:u}: ") + _kind switch
    {
        NoSlot => "found no slot in the request, expected one",
        Lifetime => $"found a lifetime of {_request.Lifetime.TotalSeconds:0} seconds, expected more than "
            + $"{SigningPlan.InceptionOffset.TotalSeconds:0} and at most {KeySetRequests.Most.TotalSeconds:0}",
        OutOfTime => $"expected a time between {KeySetSigning.FirstStart:u} and "
            + $"{KeySetSigning.LastStartOf(_request):u}",
        Unordered => "the one before begins no earlier, expected slots in order",
        Gap => "the signatures of the one before end earlier, expected slots without a gap",
        TooLate => "expected a start within ten years of the first slot",
        NoKsk => $"found no KSK of {_request.Zone} with a private key, expected one",
        NotOnlyZsks => "expected ZSKs and nothing else",
        OtherAlgorithm => $"found a KSK with another algorithm than the ZSK {_zsk}: expected one algorithm",
        SharedTag => $"found a KSK and a ZSK with one tag, {_zsk!.Tag}: expected another KSK, or, if this one is in "
            + "use, a request made with --new-zsk",
        _ => $"the parent has the DS record of key {string.Join(", ", _request.Parent!)}: expected that key among "
            + "those that sign",
    };
}

/// <summary>The kind of a <see cref="KeyRequestFault"/>.</summary>
internal enum KeyRequestFaultKind : byte
{
    NoSlot, Lifetime, OutOfTime, Unordered, Gap, TooLate, NoKsk, NotOnlyZsks, OtherAlgorithm, SharedTag, NoParentKey,
}
