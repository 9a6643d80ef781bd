using System.Buffers.Binary;

namespace Dns.Protocol.Tests;

/// <summary>Makes valid RDATA at random from the row of a type, field by field.</summary>
internal sealed class RdataGenerator(int seed)
{
    private readonly Random _random = new(seed);

    public byte[] Next(RRType type)
    {
        // The few rules between fields are easier to meet by trying again than to build in.
        for (int attempt = 0; attempt < 10_000; attempt++)
        {
            byte[] rdata = [.. RdataTable.Find(type).Fields.SelectMany(Field)];
            if (Rdata.IsValid(type, rdata)) return rdata;
        }
        throw new InvalidOperationException($"no valid {type} found");
    }

    private byte[] Field(RdataField field) => field switch
    {
        RdataField.Name => Name(),
        RdataField.Number8 or RdataField.Algorithm or RdataField.AlgorithmMnemonic or RdataField.KeyProtocol
            or RdataField.NotifyScheme => Octets(1, 1),
        RdataField.Number16 or RdataField.TypeNumber or RdataField.CertificateType or RdataField.KeyFlags =>
            _random.Next(3) == 0 ? [0, 0] : Octets(2, 2),
        RdataField.Number32 or RdataField.Interval or RdataField.Time or RdataField.Ipv4 => Octets(4, 4),
        RdataField.Number64 or RdataField.Eui64 or RdataField.Locator64 => Octets(8, 8),
        RdataField.Ipv6 => SparseOctets(16),
        RdataField.Eui48 => Octets(6, 6),
        RdataField.CharacterString or RdataField.Salt => Counted(0, 40),
        RdataField.OptionalCharacterString => _random.Next(2) == 0 ? [] : Counted(0, 255),
        RdataField.CharacterStrings => Repeat(1, 5, () => Counted(0, 255)),
        RdataField.DigitString => [9, .. "311061700"u8],
        RdataField.Tag => [5, .. "iss7E"u8],
        RdataField.Text or RdataField.OptionalBase64 or RdataField.DashedBase64 or RdataField.Opaque => Octets(0, 70),
        RdataField.Hex => Octets(1, 70),
        RdataField.NonEmptyText or RdataField.Base64 or RdataField.Nsap => Octets(1, 300),
        RdataField.HashedName => Counted(1, 255),
        _ => Irregular(field),
    };

    private byte[] Irregular(RdataField field) => field switch
    {
        RdataField.Types or RdataField.NonEmptyTypes => Types(),
        RdataField.NxtBitmap => [.. Octets(0, 15).Select((octet, i) => i == 0 ? (byte)(octet & 0x7F) : octet), 0x40],
        RdataField.WellKnownServices => [(byte)_random.Next(256), .. Octets(0, 40), 1],
        RdataField.Location => Location(),
        RdataField.AddressPrefixes => Repeat(0, 4, AddressPrefix),
        RdataField.SvcParams => SvcParams(),
        RdataField.HostIdentity => HostIdentity(),
        RdataField.IpsecGateway => Gateway(hasAlgorithm: true),
        RdataField.AmtRelay => Gateway(hasAlgorithm: false),
        RdataField.AtmAddress => _random.Next(2) == 0 ? [0, .. Octets(1, 20)] : [1, .. "61200000000"u8],
        RdataField.A6 => A6(),
        _ => throw new ArgumentOutOfRangeException(nameof(field), field, "no generator"),
    };

    public byte[] Name()
    {
        byte[] labels = Repeat(0, 5, () => Counted(1, _random.Next(8) == 0 ? 63 : 12));
        return labels.Length < WireName.MaxOctets ? [.. labels, 0] : [0];
    }

    public byte[] Octets(int min, int max)
    {
        byte[] octets = new byte[_random.Next(min, max + 1)];
        _random.NextBytes(octets);
        return octets;
    }

    private byte[] SparseOctets(int length) =>
        [.. Enumerable.Range(0, length / 2).SelectMany(_ => _random.Next(2) == 0 ? [0, 0] : Octets(2, 2))];

    private byte[] Counted(int min, int max)
    {
        byte[] octets = Octets(min, max);
        return [(byte)octets.Length, .. octets];
    }

    private byte[] Repeat(int min, int max, Func<byte[]> make) =>
        [.. Enumerable.Range(0, _random.Next(min, max + 1)).SelectMany(_ => make())];

    private byte[] Types()
    {
        byte[] windows = [];
        for (int window = _random.Next(3); window < 256; window += _random.Next(1, 200))
        {
            byte[] bits = [.. Octets(0, 31), (byte)_random.Next(1, 256)];
            windows = [.. windows, (byte)window, (byte)bits.Length, .. bits];
        }
        return windows;
    }

    private byte[] Location()
    {
        byte[] location = new byte[16];
        for (int i = 1; i < 4; i++) location[i] = (byte)(_random.Next(1, 10) << 4 | _random.Next(10));
        BinaryPrimitives.WriteInt64BigEndian(location.AsSpan(8), _random.NextInt64());
        BinaryPrimitives.WriteUInt32BigEndian(location.AsSpan(4),
            (uint)((1L << 31) + _random.Next(-324_000_000, 324_000_001)));
        BinaryPrimitives.WriteUInt32BigEndian(location.AsSpan(8),
            (uint)((1L << 31) + _random.Next(-648_000_000, 648_000_001)));
        return location;
    }

    private byte[] AddressPrefix()
    {
        bool isIpv4 = _random.Next(2) == 0;
        byte[] address = _random.Next(4) == 0 ? [] : [.. Octets(0, isIpv4 ? 3 : 15), (byte)_random.Next(1, 256)];
        int negation = _random.Next(2) << 7;
        return
        [
            0, (byte)(isIpv4 ? 1 : 2), (byte)_random.Next(isIpv4 ? 33 : 129),
            (byte)(address.Length | negation), .. address,
        ];
    }

    private byte[] HostIdentity()
    {
        byte[] hit = Octets(1, 255), key = Octets(1, 600);
        return
        [
            (byte)hit.Length, (byte)_random.Next(256), (byte)(key.Length >> 8), (byte)key.Length, .. hit, .. key,
            .. Repeat(0, 3, Name),
        ];
    }

    private byte[] Gateway(bool hasAlgorithm)
    {
        int type = _random.Next(4);
        byte[] gateway = type switch { 0 => [], 1 => Octets(4, 4), 2 => SparseOctets(16), _ => Name() };
        return hasAlgorithm
            ? [(byte)type, (byte)_random.Next(4), .. gateway]
            : [(byte)(type | _random.Next(2) << 7), .. gateway];
    }

    private byte[] A6()
    {
        int prefix = _random.Next(129);
        byte[] suffix = Octets((128 - prefix + 7) / 8, (128 - prefix + 7) / 8);
        if (suffix.Length > 0) suffix[0] &= (byte)(0xFF >> (prefix & 7));
        return [(byte)prefix, .. suffix, .. prefix == 0 ? [] : Name()];
    }

    private byte[] SvcParams()
    {
        byte[] parameters = [];
        for (int key = _random.Next(3); key < 65535; key += _random.Next(1, key < 12 ? 4 : 40_000))
        {
            byte[] value = SvcParam((SvcParamKey)key);
            parameters = [.. parameters, (byte)(key >> 8), (byte)key, (byte)(value.Length >> 8),
                (byte)value.Length, .. value];
        }
        return parameters;
    }

    private byte[] SvcParam(SvcParamKey key) => key switch
    {
        SvcParamKey.Mandatory => [0, (byte)_random.Next(1, 6)],
        SvcParamKey.Alpn => Repeat(1, 3, () => Counted(1, 20)),
        SvcParamKey.NoDefaultAlpn or SvcParamKey.Ohttp => [],
        SvcParamKey.Port => Octets(2, 2),
        SvcParamKey.Ipv4Hint => Repeat(1, 3, () => Octets(4, 4)),
        SvcParamKey.Ech => Octets(1, 50),
        SvcParamKey.Ipv6Hint => Repeat(1, 3, () => SparseOctets(16)),
        SvcParamKey.DohPath => [.. "/dns{?dns}"u8],
        SvcParamKey.TlsSupportedGroups => [0, 29, 0, (byte)_random.Next(28)],
        SvcParamKey.DocPath => Repeat(0, 3, () => Counted(1, 20)),
        _ => Octets(0, 300),
    };
}
