namespace Dns.Management.Status;

/// <summary>Changes in the journal of a zone, oldest first. Its JSON names are a stable interface.</summary>
/// <param name="Left">The number of omitted older ones.</param>
public sealed record JournalContent(string Zone, IReadOnlyList<JournalChange> Changes, int Left)
{
    /// <summary>Creates it from the last deltas of <paramref name="count"/>.</summary>
    public static JournalContent Of(DomainName zone, IReadOnlyList<ZoneDelta> deltas, int count) =>
        new(zone.ToString(), [.. deltas.Select(JournalChange.Of)], Math.Max(0, count - deltas.Count));

    /// <summary>Writes it as text: the serials, then each record after a plus or minus sign.</summary>
    public void Write(TextWriter text)
    {
        if (Left > 0) text.WriteLine($"... {Counted.Of(Left, "older change")}: --limit shows more");
        foreach (JournalChange change in Changes)
        {
            text.WriteLine($"serial {change.SerialFrom} -> {change.SerialTo}");
            foreach (string record in change.Removed) text.WriteLine("- " + record);
            foreach (string record in change.Added) text.WriteLine("+ " + record);
        }
        if (Changes.Count == 0) text.WriteLine($"the journal of {Zone} is empty: its file has all changes");
    }
}

/// <summary>One change.</summary>
/// <param name="Removed">The removed records, as lines of a master file.</param>
public sealed record JournalChange(uint SerialFrom, uint SerialTo, IReadOnlyList<string> Removed,
    IReadOnlyList<string> Added)
{
    public static JournalChange Of(ZoneDelta delta) =>
        new(delta.SerialFrom, delta.SerialTo, TextOf(delta.Removed), TextOf(delta.Added));

    private static List<string> TextOf(RecordList records)
    {
        List<string> lines = [];
        foreach (RecordList.ListedRecord record in records)
        {
            string rdata = Rdata.Format(record.Type, record.Rdata);
            lines.Add($"{NameText.ToText(record.Owner)} {record.Ttl} IN {RRTypeText.Format(record.Type)} {rdata}");
        }
        return lines;
    }
}
