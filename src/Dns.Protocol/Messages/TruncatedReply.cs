namespace Dns.Protocol.Messages;

/// <summary>A truncated reply: header with TC, question, OPT without options (RFC 2181 §9, RFC 6891 §7).</summary>
public static class TruncatedReply
{
    /// <summary>The maximum length: header, the longest question, OPT.</summary>
    public const int MaxOctets = MessageHeader.LengthOctets + WireName.MaxOctets + 4 + OptOctets;

    private const int OptOctets = 1 + RecordReader.FixedOctets;

    /// <summary>Writes the truncated reply.</summary>
    /// <param name="destination">At least <see cref="MaxOctets"/>, or the memory of the reply itself.</param>
    /// <returns>Its length; 0 if the message is not a well-formed reply with one question.</returns>
    public static int Write(ReadOnlySpan<byte> reply, Span<byte> destination)
    {
        int end = MessageHeader.LengthOctets;
        if (reply.Length < end || MessageHeader.Count(reply, 0) != 1) return 0;
        if (!WireName.TrySkip(reply, ref end) || (end += 4) > reply.Length || end > MaxOctets - OptOctets) return 0;
        if (!TryFindOpt(reply, end, out int opt)) return 0;
        ushort flags = (ushort)(MessageHeader.Flags(reply) | MessageHeader.Truncated);
        // The OPT is copied first: in the same memory it may be overwritten.
        Span<byte> kept = stackalloc byte[OptOctets];
        if (opt > 0) reply.Slice(opt, OptOctets).CopyTo(kept);
        reply[..end].CopyTo(destination);
        MessageHeader.SetFlags(destination, flags);
        for (int section = 1; section <= 3; section++) MessageHeader.SetCount(destination, section, 0);
        if (opt == 0) return end;
        MessageHeader.SetCount(destination, 3, 1);
        kept[^2..].Clear();
        kept.CopyTo(destination[end..]);
        return end + OptOctets;
    }

    /// <summary>Finds the OPT; 0 if there is none. False if a record runs past the end.</summary>
    private static bool TryFindOpt(ReadOnlySpan<byte> reply, int position, out int opt)
    {
        opt = 0;
        RecordReader records = RecordReader.OfMessage(reply, position);
        while (records.TryRead())
            if (records.Type == RRType.OPT && records.IsOwnerRoot) opt = records.OwnerOffset;
        return !records.IsMalformed;
    }
}
