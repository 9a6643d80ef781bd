namespace Dns.Testing;

/// <summary>Reasons as text, for tests of what follows from them.</summary>
public static class SlotFailures
{
    public static void Fail(this ZoneSlot slot, string reason, DateTimeOffset? now = null) =>
        slot.Fail(new SourceFailure(reason), now);

    public static void Expire(this ZoneSlot slot, string reason, DateTimeOffset? now = null) =>
        slot.Expire(new SourceFailure(reason), now);

    public static void FailSigning(this ZoneSlot slot, string reason, DateTimeOffset? now = null) =>
        slot.FailSigning(new UnsignedFailure(reason), now);
}
