namespace Dns.Management.Control.Replies;

/// <summary>Answers <c>dnsd keys list|ds|rollover|submitted|request|load-bundle</c>.</summary>
public sealed class KeyReplies(IKeyOperations operations)
{
    public ControlReply List(ControlCall call)
    {
        KeyList listing = operations.List(call.Name(0));
        return call.Reply(listing, ControlJson.Default.KeyList, listing.Write);
    }

    /// <summary>Answers <c>dnsd keys ds</c>: a zone, and a digest.</summary>
    public ControlReply Ds(ControlCall call)
    {
        string digest = call.Argument(1) ?? "sha256";
        return ParentDsLines.Digests.TryGetValue(digest, out DsDigest read)
            ? call.Text(operations.Ds(call.Name(0), read))
            : throw new ControlException($"\"{digest}\" is not a digest of DS records");
    }

    /// <summary>Answers <c>dnsd keys rollover</c>: a zone, flags for KSK and ZSK, an algorithm.</summary>
    public ControlReply RollOver(ControlCall call)
    {
        DnssecAlgorithm? algorithm = null;
        if (call.Argument(3) is { } text)
            algorithm = DnssecAlgorithms.TryParse(text, out DnssecAlgorithm read) ? read
                : throw new ControlException($"\"{text}\" is not an algorithm of DNSSEC");
        return call.Done(operations.RollOver(call.Name(0), call.IsSet(1), call.IsSet(2), algorithm));
    }

    /// <summary>Answers <c>dnsd keys request</c>: a zone, start and end, a flag for new ZSKs.</summary>
    public ControlReply Request(ControlCall call)
    {
        DateTimeOffset? from = call.Argument(1) is null ? null : Time(call, 1);
        return call.Text(operations.Request(call.Name(0), from, Time(call, 2), replacesZsk: call.IsSet(3)));
    }

    /// <summary>Answers <c>dnsd keys load-bundle</c>: a zone, the text of the bundle, a flag for force.</summary>
    public ControlReply LoadBundle(ControlCall call)
    {
        string text = call.Argument(1) ?? throw new ControlException("a bundle is missing");
        return call.Done(operations.LoadBundle(call.Name(0), text, mayShorten: call.IsSet(2)));
    }

    private static DateTimeOffset Time(ControlCall call, int index) =>
        KeyTimeArgument.TryRead(call.Argument(index) ?? "", DateTimeOffset.MinValue, out DateTimeOffset time)
            ? time : throw new ControlException($"\"{call.Argument(index)}\" is not a time");

    /// <summary>Answers <c>dnsd keys submitted</c>: a zone, and the tag of a key.</summary>
    public ControlReply Submit(ControlCall call)
    {
        ushort? tag = null;
        if (call.Argument(1) is { } text)
            tag = ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort read) ? read
                : throw new ControlException($"\"{text}\" is not the tag of a key");
        return call.Done(operations.Submit(call.Name(0), tag));
    }
}
