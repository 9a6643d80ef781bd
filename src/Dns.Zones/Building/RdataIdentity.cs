namespace Dns.Zones.Building;

/// <summary>Compares records of a run by RDATA.</summary>
internal sealed class RdataIdentity(RecordRun run) : IEqualityComparer<int>
{
    public bool Equals(int left, int right) => run.SameRdata(left, right);

    public int GetHashCode(int index) => Rdata.HashOf(run[index].Type, run.Rdata(index));
}
