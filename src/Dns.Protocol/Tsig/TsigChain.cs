using System.Security.Cryptography;

namespace Dns.Protocol.Tsig;

/// <summary>A signed transaction: a request and responses, each signed over the prior MAC (RFC 8945 §5.3).</summary>
/// <remarks>
/// <code>
/// digest of the request          message, variables of the record
/// of the first response          MAC of the request, message, variables
/// of each that follows           MAC before it, unsigned messages since, message, timers
/// </code>
/// A MAC is preceded by its length; a message is digested without its TSIG record and with its original ID. Not
/// thread-safe. Allocates only the chain itself.
/// </remarks>
public sealed class TsigChain : IDisposable
{
    /// <summary>The permitted clock skew between two servers, in seconds (RFC 8945 §10).</summary>
    public const ushort Fudge = 300;

    /// <summary>The maximum number of consecutive unsigned messages (RFC 8945 §5.3.1).</summary>
    public const int MaxUnsigned = 99;

    private const int MinMacOctets = 10;

    private readonly byte[] _mac = new byte[TsigAlgorithms.MaxMacOctets];
    private readonly IncrementalHash _hash;
    private int _macOctets;
    private int _signed;
    private int _unsigned;
    private bool _isDisposed;

    private TsigChain(TsigKey key)
    {
        Key = key;
        _hash = key.RentHash();
    }

    /// <summary>The key.</summary>
    public TsigKey Key { get; }

    /// <summary>When the last message was signed, by either side, in seconds since 1970.</summary>
    public long TimeSigned { get; private set; }

    /// <summary>Verifies a request; the resulting chain signs the responses.</summary>
    /// <param name="now">Seconds since 1970.</param>
    /// <param name="chain">Disposed by the caller; null unless Good, BadTime or BadTruncation (RFC 8945 §5.2).</param>
    /// <param name="offset">The offset of the TSIG record; 0 if there is none or the message is malformed.</param>
    public static TsigVerdict Accept(ReadOnlySpan<byte> message, TsigKeyRing keys, long now, out TsigChain? chain,
        out int offset)
    {
        chain = null;
        offset = 0;
        TsigPresence presence = TsigRecord.Find(message, out TsigRecord record);
        if (presence != TsigPresence.Present)
            return presence == TsigPresence.Absent ? TsigVerdict.Unsigned : TsigVerdict.Malformed;
        offset = record.Offset;
        if (keys.Count == 0 || keys.Find(record.KeyName) is not { } key || !IsAlgorithm(record, key))
            return TsigVerdict.BadKey;
        TsigChain accepted = new(key);
        TsigVerdict verdict = accepted.Verify(message, in record, now);
        if (verdict is TsigVerdict.Good or TsigVerdict.BadTime or TsigVerdict.BadTruncation) chain = accepted;
        else accepted.Dispose();
        return verdict;
    }

    /// <summary>Signs a request and starts its chain.</summary>
    /// <param name="message">The request, then room of at least <see cref="TsigKey.MaxRecordOctets"/>.</param>
    /// <param name="octets">In: its length. Out: the length with the TSIG record.</param>
    /// <param name="now">Seconds since 1970.</param>
    /// <returns>The chain that verifies the responses. The caller disposes it.</returns>
    public static TsigChain Request(TsigKey key, Span<byte> message, ref int octets, long now)
    {
        TsigChain chain = new(key);
        octets = chain.Sign(message, octets, now);
        return chain;
    }

    /// <summary>Signs the next message.</summary>
    /// <param name="message">The message, then room of at least <see cref="TsigKey.MaxRecordOctets"/>.</param>
    /// <param name="now">Seconds since 1970.</param>
    /// <param name="error">BADTIME or BADTRUNC of the request; else NOERROR.</param>
    /// <returns>Its length with the TSIG record.</returns>
    /// <exception cref="ArgumentException">There is no room for the record.</exception>
    public int Sign(Span<byte> message, int octets, long now, Rcode error = Rcode.NoError)
    {
        bool hasServerTime = error == Rcode.BadTime;
        // A BADTIME answer repeats the client's time, followed by the server's (RFC 8945 §5.2.3).
        long timeSigned = hasServerTime ? TimeSigned : now;
        AppendPriorMac();
        _hash.AppendData(message[..octets]);
        Span<byte> record = message[octets..];
        int position = WriteBeforeMac(record, timeSigned, hasServerTime);
        Span<byte> tail = stackalloc byte[6 + TsigRecord.ServerTimeOctets];
        BinaryPrimitives.WriteUInt16BigEndian(tail, MessageHeader.Id(message));
        BinaryPrimitives.WriteUInt16BigEndian(tail[2..], (ushort)error);
        BinaryPrimitives.WriteUInt16BigEndian(tail[4..], (ushort)(hasServerTime ? TsigRecord.ServerTimeOctets : 0));
        if (hasServerTime) TsigRecord.WriteTime(tail[6..], now);
        else tail = tail[..6];
        if (IsStreaming) _hash.AppendData(record.Slice(position - 10, 8));
        else AppendVariables(record.Slice(position - 10, 8), tail[2..]);
        KeepMac();
        _mac.AsSpan(0, _macOctets).CopyTo(record[position..]);
        tail.CopyTo(record[(position + _macOctets)..]);
        TimeSigned = timeSigned;
        MessageHeader.SetCount(message, 3, (ushort)(MessageHeader.Count(message, 3) + 1));
        return octets + position + _macOctets + tail.Length;
    }

    /// <summary>Verifies the next response.</summary>
    /// <param name="now">Seconds since 1970.</param>
    /// <param name="octets">Its length without the TSIG record.</param>
    /// <param name="error">The error in the peer's TSIG record; NOERROR if there is none.</param>
    /// <returns>
    /// Good; or Unsigned for an intermediate message, at most <see cref="MaxUnsigned"/> in a row, which is authentic
    /// only once a later one is Good. Anything else ends the transaction.
    /// </returns>
    public TsigVerdict Next(ReadOnlySpan<byte> message, long now, out int octets, out Rcode error)
    {
        octets = message.Length;
        error = Rcode.NoError;
        TsigPresence presence = TsigRecord.Find(message, out TsigRecord record);
        if (presence == TsigPresence.Malformed) return TsigVerdict.Malformed;
        if (presence == TsigPresence.Absent) return AcceptUnsigned(message);
        octets = record.Offset;
        error = record.Error;
        if (!record.KeyName.Equals(Key.Name) || !IsAlgorithm(record, Key)) return TsigVerdict.BadKey;
        return Verify(message, in record, now);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        // Discards appended octets without a MAC.
        _hash.GetHashAndReset(_mac);
        Key.Return(_hash);
    }

    /// <summary>Whether the first response is done: then only timers are signed (RFC 8945 §5.3.1).</summary>
    private bool IsStreaming => _signed > 1;

    private static bool IsAlgorithm(in TsigRecord record, TsigKey key) =>
        WireName.EqualsIgnoreCase(record.AlgorithmName, key.Algorithm.NameOctets());

    private TsigVerdict AcceptUnsigned(ReadOnlySpan<byte> message)
    {
        // The first response must be signed, and one of a hundred after it.
        if (!IsStreaming || ++_unsigned > MaxUnsigned) return TsigVerdict.BadSignature;
        if (_unsigned == 1) AppendPriorMac();
        _hash.AppendData(message);
        return TsigVerdict.Unsigned;
    }

    private TsigVerdict Verify(ReadOnlySpan<byte> message, scoped in TsigRecord record, long now)
    {
        ReadOnlySpan<byte> mac = record.Mac;
        int whole = Key.Algorithm.MacOctets();
        if (mac.Length > whole || mac.Length > 0 && mac.Length < Math.Max(MinMacOctets, whole / 2))
            return TsigVerdict.Malformed;
        if (_unsigned == 0) AppendPriorMac();
        _unsigned = 0;
        AppendMessage(message, in record);
        if (IsStreaming) _hash.AppendData(record.Timers);
        else AppendVariables(record.Timers, record.AfterMacOctets);
        KeepMac();
        if (mac.Length == 0 || !CryptographicOperations.FixedTimeEquals(mac, _mac.AsSpan(0, mac.Length)))
            return TsigVerdict.BadSignature;
        // The next digest uses the MAC as it was sent.
        _macOctets = mac.Length;
        TimeSigned = record.TimeSigned;
        if (Math.Abs(now - record.TimeSigned) > record.Fudge) return TsigVerdict.BadTime;
        return mac.Length < whole ? TsigVerdict.BadTruncation : TsigVerdict.Good;
    }

    private void AppendPriorMac()
    {
        if (_macOctets == 0) return;
        Span<byte> length = stackalloc byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16BigEndian(length, (ushort)_macOctets);
        _hash.AppendData(length);
        _hash.AppendData(_mac.AsSpan(0, _macOctets));
    }

    private void AppendMessage(ReadOnlySpan<byte> message, scoped in TsigRecord record)
    {
        Span<byte> header = stackalloc byte[MessageHeader.LengthOctets];
        message[..MessageHeader.LengthOctets].CopyTo(header);
        BinaryPrimitives.WriteUInt16BigEndian(header, record.OriginalId);
        MessageHeader.SetCount(header, 3, (ushort)(MessageHeader.Count(message, 3) - 1));
        _hash.AppendData(header);
        _hash.AppendData(message[MessageHeader.LengthOctets..record.Offset]);
    }

    /// <summary>Appends the variables of the record (RFC 8945 §4.3.3).</summary>
    private void AppendVariables(ReadOnlySpan<byte> timers, ReadOnlySpan<byte> errorAndOther)
    {
        _hash.AppendData(Key.NameOctets);
        // CLASS ANY, TTL 0.
        _hash.AppendData([0, (byte)RRClass.ANY, 0, 0, 0, 0]);
        _hash.AppendData(Key.Algorithm.NameOctets());
        _hash.AppendData(timers);
        _hash.AppendData(errorAndOther);
    }

    private void KeepMac()
    {
        _macOctets = _hash.GetHashAndReset(_mac);
        _signed++;
    }

    /// <summary>Writes the record up to its MAC.</summary>
    /// <returns>The offset of the MAC; the ten octets before it are the timers and the MAC's length.</returns>
    private int WriteBeforeMac(Span<byte> record, long timeSigned, bool hasServerTime)
    {
        if (record.Length < Key.MaxRecordOctets) throw new ArgumentException("no room for the TSIG record");
        int macOctets = Key.Algorithm.MacOctets();
        ReadOnlySpan<byte> algorithm = Key.Algorithm.NameOctets();
        Key.NameOctets.CopyTo(record);
        int position = Key.NameOctets.Length;
        BinaryPrimitives.WriteUInt32BigEndian(record[position..], (uint)RRType.TSIG << 16 | (uint)RRClass.ANY);
        BinaryPrimitives.WriteUInt32BigEndian(record[(position + 4)..], 0);
        int rdata =
            algorithm.Length + TsigRecord.FixedRdataOctets + macOctets
            + (hasServerTime ? TsigRecord.ServerTimeOctets : 0);
        BinaryPrimitives.WriteUInt16BigEndian(record[(position + 8)..], (ushort)rdata);
        position += RecordReader.FixedOctets;
        algorithm.CopyTo(record[position..]);
        position += algorithm.Length;
        TsigRecord.WriteTime(record[position..], timeSigned);
        BinaryPrimitives.WriteUInt16BigEndian(record[(position + 6)..], Fudge);
        BinaryPrimitives.WriteUInt16BigEndian(record[(position + 8)..], (ushort)macOctets);
        return position + 10;
    }
}
