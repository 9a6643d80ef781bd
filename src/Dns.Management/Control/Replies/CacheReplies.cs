namespace Dns.Management.Control.Replies;

/// <summary>Answers <c>dnsd cache flush</c> and <c>dnsd cache lookup</c>.</summary>
internal sealed class CacheReplies(ServerOperations operations)
{
    /// <summary>Answers <c>dnsd cache flush</c>: a name, and whether to include names below it.</summary>
    public ControlReply Flush(ControlCall call)
    {
        int removed = operations.FlushCache(call.Argument(0) is null ? null : call.Name(0), call.IsSet(1));
        return call.Done($"{Counted.Of(removed, "answer")} forgotten");
    }

    public ControlReply Lookup(ControlCall call)
    {
        CacheContent content = operations.LookUpCache(call.Name(0));
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
