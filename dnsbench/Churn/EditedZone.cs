using System.Buffers.Binary;
using System.Diagnostics;

namespace Dns.Bench;

/// <summary>A zone of names with an address each, which change one after the other.</summary>
internal sealed class EditedZone
{
    private const int Seed = 1995;

    private readonly int _names;
    private readonly byte[][] _soa = new byte[2][];
    private readonly byte[] _addresses;
    private readonly Random _random = new(Seed);

    internal EditedZone(int names)
    {
        _names = names;
        _addresses = new byte[names];
        Name = DomainName.Parse(ZoneText.Apex);
        ZoneBuilder builder = new(Name.Octets);
        byte[] host = [.. DomainName.Parse("ns1." + ZoneText.Apex).Octets];
        for (int i = 0; i < 2; i++) _soa[i] = [.. host, .. host, .. new byte[20]];
        builder.Add(Name.Octets, false, RRType.SOA, 3600, _soa[0]);
        builder.Add(Name.Octets, false, RRType.NS, 3600, host);
        builder.Add(host, false, RRType.A, 3600, [192, 0, 2, 1]);
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        for (int i = 0; i < names; i++)
        {
            int length = WriteOwner(i, owner);
            builder.Add(owner[..length], false, RRType.A, 3600, Address(0));
        }
        Slot = new ZoneSlot(Name);
        Slot.Publish(builder.Build());
    }

    internal DomainName Name { get; }

    /// <summary>Where the versions are published.</summary>
    internal ZoneSlot Slot { get; }

    internal Zone Current => Slot.Zone!;

    /// <summary>The change of one random name, and of the serial.</summary>
    internal ZoneDelta NextDelta()
    {
        uint serial = Current.Serial;
        int number = _random.Next(_names);
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        owner = owner[..WriteOwner(number, owner)];
        ZoneDeltaBuilder builder = new(Name, serial);
        builder.Remove(Name.Octets, RRType.SOA, Soa(serial));
        builder.Remove(owner, RRType.A, Address(_addresses[number]));
        builder.Add(Name.Octets, RRType.SOA, 3600, Soa(serial + 1));
        builder.Add(owner, RRType.A, 3600, Address(++_addresses[number]));
        return builder.Build();
    }

    /// <summary>Applies a delta and publishes the version.</summary>
    internal void Apply(ZoneDelta delta)
    {
        ZoneEditResult result = ZoneEditor.From(Current).Apply(delta);
        Slot.Publish(result.Zone ?? throw new InvalidDataException(result.Error!.Message));
    }

    internal void ChangeOne() => Apply(NextDelta());

    /// <summary>Makes changes at a rate until cancelled; returns their number.</summary>
    internal int ChangeAtPace(int rate, CancellationToken end)
    {
        long began = Stopwatch.GetTimestamp();
        int changed = 0;
        while (!end.IsCancellationRequested)
        {
            if (changed < Stopwatch.GetElapsedTime(began).TotalSeconds * rate)
            {
                ChangeOne();
                changed++;
            }
            // Ahead of the rate; spinning would take processor time from the measured queries.
            else Thread.Sleep(1);
        }
        return changed;
    }

    private byte[] Soa(uint serial)
    {
        byte[] soa = _soa[serial & 1];
        BinaryPrimitives.WriteUInt32BigEndian(soa.AsSpan(soa.Length - 20), serial);
        return soa;
    }

    private static byte[] Address(byte last) => [10, 0, 0, last];

    private static int WriteOwner(int number, Span<byte> owner)
    {
        NameText.TryParse($"{ZoneText.Label(number)}.{ZoneText.Apex}", owner, out int length);
        return length;
    }
}
