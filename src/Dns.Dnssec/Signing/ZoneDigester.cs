using System.Security.Cryptography;

namespace Dns.Dnssec.Signing;

/// <summary>The digest of a zone over its records in canonical order (RFC 8976 §3): scheme SIMPLE, SHA-384.</summary>
/// <remarks>A walk over the whole zone: about a microsecond a record. Sorts the names on first use.</remarks>
public static class ZoneDigester
{
    /// <summary>The number of the scheme SIMPLE.</summary>
    public const byte SimpleScheme = 1;

    /// <summary>The number of SHA-384 in ZONEMD.</summary>
    public const byte Sha384Algorithm = 1;

    private const int FixedOctets = 6;

    /// <summary>The RDATA of the ZONEMD record of a version.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static byte[] MakeRdata(Zone zone, CancellationToken cancellation = default)
    {
        byte[] rdata = new byte[FixedOctets + SHA384.HashSizeInBytes];
        BinaryPrimitives.WriteUInt32BigEndian(rdata, zone.Serial);
        (rdata[4], rdata[5]) = (SimpleScheme, Sha384Algorithm);
        Compute(zone, HashAlgorithmName.SHA384, cancellation).CopyTo(rdata.AsSpan(FixedOctets));
        return rdata;
    }

    /// <summary>The digest of a version without the apex ZONEMD records and their signatures.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static byte[] Compute(Zone zone, HashAlgorithmName algorithm, CancellationToken cancellation = default)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(algorithm);
        DigestNode digest = new(hash);
        long count = 0;
        foreach (ZoneNode node in zone.Order)
        {
            if ((++count & 0xFFFF) == 0) cancellation.ThrowIfCancellationRequested();
            digest.Add(node, isApex: node.Name.Length == zone.Apex.Length);
        }
        return hash.GetHashAndReset();
    }

    /// <summary>The records of one name, sorted by type and RDATA.</summary>
    private sealed class DigestNode(IncrementalHash hash)
    {
        private const int HeaderOctets = RecordReader.FixedOctets;

        private readonly List<(RRType Type, uint Ttl, int Start, int Octets)> _records = [];
        private Comparison<(RRType Type, uint Ttl, int Start, int Octets)>? _order;
        private byte[] _rdata = new byte[4096];
        private byte[] _octets = new byte[4096];

        internal void Add(ZoneNode node, bool isApex)
        {
            _records.Clear();
            int used = 0;
            foreach (RRset rrset in node)
            {
                if (isApex && IsLeftOut(rrset)) continue;
                foreach (ReadOnlySpan<byte> rdata in rrset)
                {
                    if (_rdata.Length - used < rdata.Length)
                        Array.Resize(ref _rdata, Math.Max(2 * _rdata.Length, used + rdata.Length));
                    Span<byte> own = _rdata.AsSpan(used, rdata.Length);
                    rdata.CopyTo(own);
                    Rdata.ToCanonical(rrset.Type, own);
                    _records.Add((rrset.Type, rrset.Ttl, used, rdata.Length));
                    used += rdata.Length;
                }
            }
            if (_records.Count > 1) _records.Sort(_order ??= Compare);
            foreach (var record in _records)
                Append(node.Name, record.Type, record.Ttl, _rdata.AsSpan(record.Start, record.Octets));
        }

        private int Compare((RRType Type, uint Ttl, int Start, int Octets) left,
            (RRType Type, uint Ttl, int Start, int Octets) right)
        {
            int order = left.Type.CompareTo(right.Type);
            return order != 0
                ? order
                : _rdata.AsSpan(left.Start, left.Octets).SequenceCompareTo(_rdata.AsSpan(right.Start, right.Octets));
        }

        private void Append(ReadOnlySpan<byte> owner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
        {
            int length = owner.Length + HeaderOctets + rdata.Length;
            if (_octets.Length < length) _octets = new byte[length];
            owner.CopyTo(_octets);
            Span<byte> rest = _octets.AsSpan(owner.Length);
            BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)type);
            BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)RRClass.IN);
            BinaryPrimitives.WriteUInt32BigEndian(rest[4..], ttl);
            BinaryPrimitives.WriteUInt16BigEndian(rest[8..], (ushort)rdata.Length);
            rdata.CopyTo(rest[HeaderOctets..]);
            hash.AppendData(_octets, 0, length);
        }

        private static bool IsLeftOut(RRset rrset)
        {
            if (rrset.Type == RRType.ZONEMD) return true;
            ReadOnlySpan<byte> first = rrset.First;
            return rrset.Type == RRType.RRSIG && first.Length >= 2 && (first[0] << 8 | first[1]) == (int)RRType.ZONEMD;
        }
    }
}
