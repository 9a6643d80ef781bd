namespace Dns.Features.Transfers;

/// <summary>Section <c>Dns:Transfer</c>.</summary>
public static class TransferSettings
{
    private static readonly long MostOctets = new TransferOptions().MaxOctets;

    /// <summary>The section; by default a transfer has half of the memory at most.</summary>
    public static SettingsSection<TransferOptions> Section { get; } =
        new SettingsSection<TransferOptions>("Transfer",
            "Limits of zone transfers.", new() { MaxOctets = Math.Min(MostOctets, ServerMemory.Bytes / 2) })
        {
            IsLive = true,
        }
        .Add("MaxOctets", Octets(1L << 16, 1L << 44, "a transfer"), _ => MostOctets, (o, v) => o with { MaxOctets = v },
            "The most octets of one incoming transfer. The default is half of the memory that the process may use where that is less.", "1G")
        .Add("MaxRecords", Number(1, int.MaxValue, "records"), o => o.MaxRecords, (o, v) => o with { MaxRecords = v },
            "The most records of one incoming transfer.", 1_000_000)
        .Add("MaxSeconds", Number(1, 604_800, "seconds"), o => o.MaxSeconds, (o, v) => o with { MaxSeconds = v },
            "The longest time that one incoming transfer may take.", 3600)
        .Add("MaxIncoming", Number(1, 10_000, "transfers"), o => o.MaxIncoming, (o, v) => o with { MaxIncoming = v },
            "Incoming transfers at a time, half of them from one primary. The others wait.", 16)
        .Add("MaxOutgoing", Number(1, 10_000, "transfers"), o => o.MaxOutgoing, (o, v) => o with { MaxOutgoing = v },
            "Outgoing transfers at a time. The next ones get SERVFAIL, and the secondary retries.", 64);
}
