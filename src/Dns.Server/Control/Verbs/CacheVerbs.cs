using System.Text.Json.Serialization;
using Dns.Forwarding;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>An answer that the cache holds.</summary>
internal sealed record CacheLine(
    string Type, string Flags, string Code, double AgeSeconds, double TimeLeftSeconds, IReadOnlyList<string> Records)
{
    /// <summary>When it was stored, and how long it is good or since when it is not.</summary>
    [JsonIgnore]
    public string Times => $"stored {AgeSeconds:0} s ago, "
        + (TimeLeftSeconds >= 0 ? $"{TimeLeftSeconds:0} s left" : $"expired {-TimeLeftSeconds:0} s ago");
}

/// <summary>What the cache holds of a name.</summary>
internal sealed record CacheContent(string Name, IReadOnlyList<CacheLine> Entries);

/// <summary><c>dnsd cache flush</c> and <c>dnsd cache lookup</c>.</summary>
internal sealed class CacheVerbs(Forwarder? forwarder = null)
{
    private AnswerCache Cache => forwarder?.Cache ?? throw new ControlException("no forwarding is configured, so there is no cache");

    /// <summary>Forgets everything, a name, or a name and all below it.</summary>
    public ControlReply Flush(ControlCall call)
    {
        int removed = call.Argument(0) is null ? Cache.Flush()
            : call.IsSet(1) ? Cache.FlushBelow(call.Name(0)) : Cache.Flush(call.Name(0));
        return call.Done($"{Counted.Of(removed, "answer")} forgotten");
    }

    /// <summary>Tells what is known of a name.</summary>
    public ControlReply Lookup(ControlCall call)
    {
        DomainName name = call.Name(0);
        CacheContent content = new(name.ToString(), [.. Cache.Lookup(name).Select(LineOf)]);
        return call.Reply(content, ControlJson.Default.CacheContent, text => Write(content, text));
    }

    /// <summary>An entry for people.</summary>
    internal static CacheLine LineOf(CachedEntry entry)
    {
        List<MessageRecord> records = [];
        MessageRecords.TryRead(entry.Message, [], records);
        string type = entry.Type == 0 ? "any type" : RRTypeText.Format(entry.Type);
        return new CacheLine(
            type, entry.Flags.ToString(), (entry.IsFailure ? "failure " : "") + RcodeText.Format(entry.Rcode),
            Math.Round(entry.Age.TotalSeconds, 1), Math.Round(entry.TimeLeft.TotalSeconds, 1),
            [.. records.Select(record => $"{record.Owner} {record.Ttl} {RRTypeText.Format(record.Type)} {record.Text}")]);
    }

    private static void Write(CacheContent content, TextWriter text)
    {
        if (content.Entries.Count == 0) text.WriteLine($"nothing is known of {content.Name}");
        foreach (CacheLine entry in content.Entries)
        {
            string flags = entry.Flags is "0" or "None" ? "" : $" ({entry.Flags})";
            text.WriteLine($"{content.Name} {entry.Type}{flags}: {entry.Code}, {entry.Times}");
            foreach (string record in entry.Records) text.WriteLine("  " + record);
        }
    }
}
