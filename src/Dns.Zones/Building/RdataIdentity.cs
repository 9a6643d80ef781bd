using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Compares the records of a run by RDATA, for sets.</summary>
internal sealed class RdataIdentity(RecordRun run) : IEqualityComparer<int>
{
    public bool Equals(int left, int right) => run.SameRdata(left, right);

    public int GetHashCode(int index)
    {
        // Lowered throughout: names that differ in spelling alone have to fall together.
        HashCode hash = default;
        foreach (byte octet in run.Rdata(index)) hash.Add(WireName.ToLower(octet));
        return hash.ToHashCode();
    }
}
