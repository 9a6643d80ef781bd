using System.Globalization;
using Dns.Dnssec;

namespace Dns.Server;

/// <summary>Answers <c>dnsd keys list|rollover|submitted</c>.</summary>
internal sealed class KeyReplies(IKeyOperations operations)
{
    /// <summary>Answers <c>dnsd keys list</c>: a zone.</summary>
    public ControlReply List(ControlCall call)
    {
        KeyListing listing = operations.List(call.Name(0));
        return call.Reply(listing, ControlJson.Default.KeyListing, listing.Write);
    }

    /// <summary>Answers <c>dnsd keys rollover</c>: a zone, whether its KSK and whether its ZSK is meant, an algorithm.</summary>
    public ControlReply RollOver(ControlCall call)
    {
        DnssecAlgorithm? algorithm = null;
        if (call.Argument(3) is { } text)
            algorithm = DnssecAlgorithms.TryParse(text, out DnssecAlgorithm read) ? read
                : throw new ControlException($"\"{text}\" is not an algorithm of DNSSEC");
        return call.Done(operations.RollOver(call.Name(0), call.IsSet(1), call.IsSet(2), algorithm));
    }

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
