namespace Dns.Replication.History;

/// <summary>Compares records of lists as an edit does: owner and names in RDATA ignoring case, without TTL.</summary>
internal sealed class ListedRecordIdentity : IEqualityComparer<(RecordList List, int Index)>
{
    private ListedRecordIdentity()
    {
    }

    internal static ListedRecordIdentity Instance { get; } = new();

    public bool Equals((RecordList List, int Index) left, (RecordList List, int Index) right)
    {
        RecordList.ListedRecord one = left.List[left.Index], other = right.List[right.Index];
        return one.Type == other.Type && WireName.EqualsIgnoreCase(one.Owner, other.Owner) &&
            Rdata.AreEqual(one.Type, one.Rdata, other.Rdata);
    }

    public int GetHashCode((RecordList List, int Index) record)
    {
        RecordList.ListedRecord listed = record.List[record.Index];
        return HashCode.Combine(
            listed.Type, NameHash.Compute(listed.Owner), Rdata.HashOf(listed.Type, listed.Rdata));
    }
}
