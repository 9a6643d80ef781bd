using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>The end of an answer: OPT, counts, flags and code.</content>
public sealed partial class Responder
{
    private const int OptFixedOctets = 11;
    private const int OptionHeaderOctets = 4;
    private const int ExtendedErrorOctets = OptionHeaderOctets + 2;
    private const int ExpireOctets = OptionHeaderOctets + 4;
    private const int KeepaliveOctets = OptionHeaderOctets + 2;
    private const int CookieOctets = OptionHeaderOctets + CookieOption.LengthOctets;
    private const int ZoneVersionOctets = OptionHeaderOctets + 6;
    private const int KeepaliveUnitMs = 100;

    /// <summary>What an answer says beside its records.</summary>
    private readonly ref struct Outcome(Rcode rcode, DnsTransport transport)
    {
        internal readonly Rcode Rcode = rcode;
        internal readonly DnsTransport Transport = transport;

        internal ushort Flags { get; init; }

        internal int AdditionalCount { get; init; }

        /// <summary>Whether answer and authority counts stand in the message already.</summary>
        internal bool HasRecords { get; init; }

        internal ExtendedErrorCode? Error { get; init; }

        internal Zone? Zone { get; init; }

        internal int ApexLabels { get; init; }
    }

    /// <summary>Octets to keep free for the OPT record that the answer will carry.</summary>
    private int OptOctets(in EdnsQuery edns, DnsTransport transport)
    {
        if (!edns.IsPresent) return 0;
        if (edns.Asked == EdnsAsked.None) return OptFixedOctets;
        int octets = OptFixedOctets;
        if ((edns.Asked & EdnsAsked.Cookie) != 0) octets += CookieOctets;
        if ((edns.Asked & EdnsAsked.Nsid) != 0 && _identity.Length > 0) octets += OptionHeaderOctets + _identity.Length;
        if ((edns.Asked & EdnsAsked.Expire) != 0) octets += ExpireOctets;
        if ((edns.Asked & EdnsAsked.ZoneVersion) != 0) octets += ZoneVersionOctets;
        if ((edns.Asked & EdnsAsked.Keepalive) != 0 && transport.IsReliable) octets += KeepaliveOctets;
        return octets;
    }

    /// <summary>Completes an answer that is a code alone.</summary>
    /// <remarks>Not inlined: an outcome among the locals of a method is cleared for each of its calls.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int FinishEmpty(Span<byte> message, int limit, in Query query, Rcode rcode, DnsTransport transport) =>
        Finish(message, query.QuestionEnd, limit, in query, new Outcome(rcode, transport));

    /// <summary>Completes header and OPT and returns the length of the answer.</summary>
    private int Finish(Span<byte> message, int length, int limit, in Query query, in Outcome outcome)
    {
        const int copied = MessageHeader.OpcodeMask | MessageHeader.RecursionDesired | MessageHeader.CheckingDisabled;
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse | query.Flags & copied | query.Offered | outcome.Flags
            | (ushort)outcome.Rcode & MessageHeader.RcodeMask));
        if (!outcome.HasRecords)
        {
            MessageHeader.SetCount(message, 1, 0);
            MessageHeader.SetCount(message, 2, 0);
        }
        int additional = outcome.AdditionalCount;
        if (query.Edns.IsPresent)
        {
            length = WriteOpt(message, length, limit, in query, in outcome);
            additional++;
        }
        MessageHeader.SetCount(message, 3, (ushort)additional);
        return length;
    }

    private int WriteOpt(Span<byte> message, int length, int limit, in Query query, in Outcome outcome)
    {
        Span<byte> opt = message[length..];
        opt[0] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(opt[1..], (ushort)RRType.OPT);
        BinaryPrimitives.WriteUInt16BigEndian(opt[3..], (ushort)_options.MaxUdpPayload);
        opt[5] = (byte)((int)outcome.Rcode >> 4);
        opt[6] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(opt[7..], (ushort)(query.Edns.DnssecOk ? 0x8000 : 0));
        int options = query.Edns.Asked == EdnsAsked.None ? 0 : WriteAskedOptions(opt[OptFixedOctets..], in query, in outcome);
        if (outcome.Error is { } error && length + OptFixedOctets + options + ExtendedErrorOctets <= limit)
        {
            Span<byte> data = WriteOption(opt[OptFixedOctets..], ref options, EdnsOptionCode.ExtendedError, 2);
            BinaryPrimitives.WriteUInt16BigEndian(data, (ushort)error);
        }
        BinaryPrimitives.WriteUInt16BigEndian(opt[9..], (ushort)options);
        return length + OptFixedOctets + options;
    }

    private int WriteAskedOptions(Span<byte> destination, in Query query, in Outcome outcome)
    {
        int written = 0;
        EdnsAsked asked = query.Edns.Asked;
        if ((asked & EdnsAsked.Cookie) != 0)
            query.Edns.Cookie.Write(
                WriteOption(destination, ref written, EdnsOptionCode.Cookie, CookieOption.LengthOctets));
        if ((asked & EdnsAsked.Nsid) != 0 && _identity.Length > 0)
            _identity.CopyTo(WriteOption(destination, ref written, EdnsOptionCode.Nsid, _identity.Length));
        if ((asked & EdnsAsked.Keepalive) != 0 && outcome.Transport.IsReliable)
            BinaryPrimitives.WriteUInt16BigEndian(
                WriteOption(destination, ref written, EdnsOptionCode.TcpKeepalive, 2),
                (ushort)Math.Min(_options.TcpIdleTimeoutMs / KeepaliveUnitMs, ushort.MaxValue));
        if (outcome.Zone is not { } zone) return written;
        // The timer belongs to the zone's SOA (RFC 7314 §2).
        bool isApexSoa = query.Type == RRType.SOA && query.Name.LabelCount == outcome.ApexLabels;
        if ((asked & EdnsAsked.Expire) != 0 && isApexSoa)
            BinaryPrimitives.WriteUInt32BigEndian(
                WriteOption(destination, ref written, EdnsOptionCode.Expire, 4), zone.ExpireSeconds);
        if ((asked & EdnsAsked.ZoneVersion) != 0) WriteZoneVersion(destination, ref written, zone, outcome.ApexLabels);
        return written;
    }

    /// <summary>Labels of the zone's name, type 0 for SOA-SERIAL, the serial (RFC 9660 §2).</summary>
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
