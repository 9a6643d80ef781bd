using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Resolves, once a zone is complete, the host that each NS, MX, SRV and the like names to its node in the same zone, so
/// that an answer finds glue and other addresses without hashing a name.
/// </summary>
internal static class HostLinker
{
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Link(NodeArena arena, NameTable names, int apexLabels)
    {
        byte[][] segments = arena.Segments;
        Unsafe.SkipInit(out LookupName host);
        int segment = 0, place = ZoneMemory.Unit;
        while (NodeWalk.TryNext(segments, arena.LastSegmentOctets, ref segment, ref place, out uint reference))
        {
            Span<byte> node = ZoneMemory.Node(segments, reference);
            if ((node[1] & (byte)NodeFlags.Dead) != 0) continue;
            Span<byte> rrsets = node[new ZoneNode(node).RRsetsAt..];
            while (rrsets.Length >= ZoneMemory.RRsetHeaderOctets)
            {
                int length = ZoneMemory.RRsetOctets(rrsets);
                RRset rrset = new(rrsets[..length]);
                if (rrset.NamesHosts) LinkRRset(segments, names, ref host, apexLabels, rrset, rrsets[..length]);
                rrsets = rrsets[length..];
            }
        }
    }

    private static void LinkRRset(
        byte[][] segments, NameTable names, ref LookupName host, int apexLabels, RRset rrset, Span<byte> octets)
    {
        Span<uint> links = MemoryMarshal.Cast<byte, uint>(octets[^(sizeof(uint) * rrset.Count)..]);
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            ReadOnlySpan<byte> target = Rdata.TargetName(rrset.Type, rdata);
            if (target.Length > 1)
            {
                host.Set(target);
                // A name outside the zone is not in its table, so nothing has to be compared with the apex.
                if (host.LabelCount >= apexLabels) links[index] = names.Find(segments, host.Hash, host.Octets);
            }
            index++;
        }
    }
}
