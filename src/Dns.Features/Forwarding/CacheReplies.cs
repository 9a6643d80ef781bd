namespace Dns.Features.Forwarding;

/// <summary>Answers <c>dnsd cache flush</c> and <c>dnsd cache lookup</c>.</summary>
/// <param name="cache">The cache; null = nothing is forwarded.</param>
public sealed class CacheReplies(AnswerCache? cache)
{
    private AnswerCache Cache => cache ?? throw new OperationException(
        OperationError.NotConfigured, "no forwarding is configured, so there is no cache");

    /// <summary>Answers <c>dnsd cache flush</c>: a name, none = all; and whether to include names below it.</summary>
    public ControlReply Flush(ControlCall call)
    {
        int removed = call.Argument(0) is null ? Cache.Flush()
            : call.IsSet(1) ? Cache.FlushBelow(call.Name(0)) : Cache.Flush(call.Name(0));
        return call.Done($"{Counted.Of(removed, "answer")} forgotten");
    }

    /// <summary>Answers <c>dnsd cache lookup</c>: a name.</summary>
    public ControlReply Lookup(ControlCall call)
    {
        CacheContent content =
            new(call.Name(0).ToString(), [.. Cache.Lookup(call.Name(0)).Select(CacheLine.Of)]);
        return call.Reply(content, ControlJson.Default.CacheContent, text => Write(content, text));
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
