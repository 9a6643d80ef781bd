namespace Dns.Answering.Encoding;

/// <summary>The OPT record of a reply (RFC 6891), with the options that the client requested.</summary>
internal static class ResponseOpt
{
    private const int OptFixedOctets = 1 + RecordReader.FixedOctets;
    private const int OptionHeaderOctets = 4;
    private const int ExtendedErrorOctets = OptionHeaderOctets + 2;
    private const int ExpireOctets = OptionHeaderOctets + 4;
    private const int KeepaliveOctets = OptionHeaderOctets + 2;
    private const int CookieOctets = OptionHeaderOctets + CookieOption.LengthOctets;
    private const int ZoneVersionOctets = OptionHeaderOctets + 6;
    private const int KeepaliveUnitMs = 100;

    /// <summary>Octets to reserve for the OPT record of the reply.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Octets(scoped ref QueryContext context)
    {
        ref EdnsQuery edns = ref context.Query.Edns;
        return !edns.IsPresent ? 0 : edns.Requested == EdnsRequests.None ? OptFixedOctets : OctetsSlow(ref context);
    }

    private static int OctetsSlow(scoped ref QueryContext context)
    {
        EdnsRequests requested = context.Query.Edns.Requested;
        int octets = OptFixedOctets;
        if ((requested & EdnsRequests.Cookie) != 0) octets += CookieOctets;
        if ((requested & EdnsRequests.Nsid) != 0 && context.Options.IdentityOctets is { Length: > 0 } identity)
            octets += OptionHeaderOctets + identity.Length;
        if ((requested & EdnsRequests.Expire) != 0) octets += ExpireOctets;
        if ((requested & EdnsRequests.ZoneVersion) != 0) octets += ZoneVersionOctets;
        if ((requested & EdnsRequests.Keepalive) != 0 && context.Transport.HasKeepalive) octets += KeepaliveOctets;
        return octets;
    }

    /// <summary>Writes the record behind the others; returns where it ends.</summary>
    internal static int Write(scoped ref QueryContext context, int length, Rcode rcode)
    {
        const ulong opt = (ulong)RRType.OPT << 40;
        ref EdnsQuery edns = ref context.Query.Edns;
        Span<byte> record = context.Message[length..];
        // Root, type, payload, upper RCODE, version 0 and the upper flags; the lower flags are 0.
        BinaryPrimitives.WriteUInt64BigEndian(
            record,
            opt | (ulong)(ushort)context.Options.MaxUdpPayload << 24
            | (ulong)((int)rcode >> 4) << 16 | edns.ReplyFlags);
        int options = edns.Requested == EdnsRequests.None
            ? 0 : WriteRequestedOptions(ref context, record[OptFixedOctets..]);
        if (context.Error is { } error && length + OptFixedOctets + options + ExtendedErrorOctets <= context.Limit)
        {
            Span<byte> data = WriteOption(record[OptFixedOctets..], ref options, EdnsOptionCode.ExtendedError, 2);
            BinaryPrimitives.WriteUInt16BigEndian(data, (ushort)error);
        }
        record[8] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(record[9..], (ushort)options);
        return length + OptFixedOctets + options;
    }

    private static int WriteRequestedOptions(scoped ref QueryContext context, Span<byte> destination)
    {
        int written = 0;
        ref Query query = ref context.Query;
        EdnsRequests requested = query.Edns.Requested;
        byte[] identity = context.Options.IdentityOctets;
        if ((requested & EdnsRequests.Cookie) != 0)
            query.Edns.Cookie.Write(
                WriteOption(destination, ref written, EdnsOptionCode.Cookie, CookieOption.LengthOctets));
        if ((requested & EdnsRequests.Nsid) != 0 && identity.Length > 0)
            identity.CopyTo(WriteOption(destination, ref written, EdnsOptionCode.Nsid, identity.Length));
        if ((requested & EdnsRequests.Keepalive) != 0 && context.Transport.HasKeepalive)
            BinaryPrimitives.WriteUInt16BigEndian(
                WriteOption(destination, ref written, EdnsOptionCode.TcpKeepalive, 2),
                (ushort)Math.Min(context.Options.TcpIdleTimeoutMs / KeepaliveUnitMs, ushort.MaxValue));
        if (context.Zone is not { } zone) return written;
        int apexLabels = query.Name.LabelCount - context.ApexSkip;
        // EXPIRE goes with the SOA of the zone (RFC 7314 §2).
        if ((requested & EdnsRequests.Expire) != 0 && query.Type == RRType.SOA && context.ApexSkip == 0)
            BinaryPrimitives.WriteUInt32BigEndian(
                WriteOption(destination, ref written, EdnsOptionCode.Expire, 4), ExpireSecondsOf(ref context, zone));
        if ((requested & EdnsRequests.ZoneVersion) != 0) WriteZoneVersion(destination, ref written, zone, apexLabels);
        return written;
    }

    /// <summary>On a primary the SOA's EXPIRE, on a secondary what is left of it (RFC 7314 §3.2).</summary>
    private static uint ExpireSecondsOf(scoped ref QueryContext context, Zone zone) =>
        context.ZoneSlot is IReplicatedZone { ExpiresAt: not 0 and var until }
            ? (uint)Math.Clamp(until - context.Options.UnixSeconds(), 0, zone.ExpireSeconds) : zone.ExpireSeconds;

    /// <summary>Label count of the zone's name, type 0 for SOA-SERIAL, the serial (RFC 9660 §2).</summary>
    private static void WriteZoneVersion(Span<byte> destination, ref int written, Zone zone, int apexLabels)
    {
        Span<byte> data = WriteOption(destination, ref written, EdnsOptionCode.ZoneVersion, 6);
        data[0] = (byte)apexLabels;
        data[1] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(data[2..], zone.Serial);
    }

    private static Span<byte> WriteOption(Span<byte> destination, ref int written, EdnsOptionCode code, int octets)
    {
        Span<byte> option = destination.Slice(written, OptionHeaderOctets + octets);
        BinaryPrimitives.WriteUInt16BigEndian(option, (ushort)code);
        BinaryPrimitives.WriteUInt16BigEndian(option[2..], (ushort)octets);
        written += option.Length;
        return option[OptionHeaderOctets..];
    }
}
