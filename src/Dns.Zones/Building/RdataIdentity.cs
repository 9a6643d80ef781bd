namespace Dns.Zones.Building;

/// <summary>Compares records of a run by RDATA.</summary>
internal sealed class RdataIdentity(RecordRun run) : IEqualityComparer<int>
{
    public bool Equals(int left, int right) => run.SameRdata(left, right);

    public int GetHashCode(int index)
    {
        // Lowercased throughout: names that differ in letter case only must be equal.
        HashCode hash = default;
        foreach (byte octet in run.Rdata(index)) hash.Add(WireName.ToLower(octet));
        return hash.ToHashCode();
    }
}
