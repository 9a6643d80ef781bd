namespace Dns.Replication.Catalogs;

/// <summary>The members of a version of a catalog zone (RFC 9432 §4). Immutable.</summary>
/// <param name="Members">The members; zones and ids are unique.</param>
public sealed record CatalogContent(IReadOnlyList<CatalogMember> Members)
{
    /// <summary>The maximum number of members; a larger catalog is broken.</summary>
    public const int MaxMembers = 1_000_000;

    /// <summary>
    /// The maximum number of members of all consumed catalogs by the memory that the process may use. A member with
    /// five records needs 3 KiB while all are transferred.
    /// </summary>
    public static int MostForMemory { get; } = MostFor(TransferOptions.ProcessBytes);

    internal static int MostFor(long processBytes) => (int)Math.Min(int.MaxValue, processBytes / (8 << 10));

    private const string Zones = "zones", Version = "version", Group = "group", Owner = "coo";

    /// <summary>Parses a version; null if it is broken.</summary>
    /// <param name="fault">Why it is broken; null if it is not.</param>
    public static CatalogContent? Read(Zone zone, out CatalogFault? fault, int most = MaxMembers)
    {
        Reading reading = new(zone, most);
        foreach (ZoneNode node in zone)
        {
            reading.Take(node);
            if (reading.Fault is not null) break;
        }
        CatalogContent? content = reading.Finish();
        fault = reading.Fault;
        return content;
    }

    private sealed class Reading(Zone zone, int most)
    {
        private readonly int _depth = WireName.CountLabels(zone.Apex);
        private readonly Dictionary<string, DomainName> _members = new(StringComparer.Ordinal);
        private readonly Dictionary<string, DomainName> _owners = new(StringComparer.Ordinal);
        private readonly Dictionary<string, List<string>> _groups = new(StringComparer.Ordinal);
        private bool _hasVersion;

        public CatalogFault? Fault { get; private set; }

        public void Take(ZoneNode node)
        {
            int labels = WireName.CountLabels(node.Name) - _depth;
            if (labels is < 1 or > 3 || !node.HasData) return;
            ReadOnlySpan<byte> name = node.Name;
            string first = LabelOf(ref name);
            if (labels == 1)
            {
                if (first == Version) TakeVersion(node);
                return;
            }
            string second = LabelOf(ref name);
            if (labels == 2 && second == Zones) TakeMember(node, first);
            if (labels == 3 && LabelOf(ref name) == Zones) TakeProperty(node, first, second);
        }

        public CatalogContent? Finish()
        {
            if (!_hasVersion) Fault ??= new(CatalogFaultKind.NoVersion);
            HashSet<DomainName> seen = [];
            List<CatalogMember> members = new(_members.Count);
            foreach (var (id, member) in _members)
            {
                if (!seen.Add(member)) Fault ??= new(CatalogFaultKind.ListedTwice, member);
                members.Add(new CatalogMember(id, member)
                {
                    Groups = _groups.GetValueOrDefault(id) ?? [],
                    NewOwner = _owners.GetValueOrDefault(id),
                });
            }
            return Fault is null ? new CatalogContent(members) : null;
        }

        private void TakeVersion(ZoneNode node)
        {
            if (!node.TryFind(RRType.TXT, out RRset version)) return;
            _hasVersion = true;
            if (version.Count != 1 || !version.First.SequenceEqual("\u00012"u8))
                Fault = new(CatalogFaultKind.OtherVersion);
        }

        private void TakeMember(ZoneNode node, string id)
        {
            if (!node.TryFind(RRType.PTR, out RRset member)) return;
            if (member.Count != 1) Fault = TooMany(node, member);
            else if (_members.Count == most) Fault = new(CatalogFaultKind.Members, count: most);
            else _members[id] = DomainName.FromOctets(member.First);
        }

        /// <summary>Unknown properties are ignored (RFC 9432 §4.5).</summary>
        private void TakeProperty(ZoneNode node, string property, string id)
        {
            if (property == Owner && node.TryFind(RRType.PTR, out RRset owner))
            {
                if (owner.Count != 1) Fault = TooMany(node, owner);
                else _owners[id] = DomainName.FromOctets(owner.First);
            }
            else if (property == Group && GroupsOf(node) is { Count: > 0 } groups) _groups[id] = groups;
        }

        private static CatalogFault TooMany(ZoneNode node, in RRset set) =>
            new(CatalogFaultKind.Pointers, DomainName.FromOctets(node.Name), set.Count);
    }

    /// <summary>The groups of a node, in order.</summary>
    internal static List<string> GroupsOf(ZoneNode node)
    {
        List<string> texts = [];
        if (!node.TryFind(RRType.TXT, out RRset groups)) return texts;
        foreach (ReadOnlySpan<byte> group in groups) texts.Add(TextOf(group));
        texts.Sort(StringComparer.Ordinal);
        return texts;
    }

    /// <summary>The first label of a name in lower case, which is then removed from it.</summary>
    internal static string LabelOf(ref ReadOnlySpan<byte> name)
    {
        string label = Encoding.Latin1.GetString(name.Slice(1, name[0])).ToLowerInvariant();
        name = name[(name[0] + 1)..];
        return label;
    }

    /// <summary>The concatenated character-strings of a TXT record.</summary>
    private static string TextOf(ReadOnlySpan<byte> rdata)
    {
        StringBuilder text = new();
        while (rdata.Length > 0)
        {
            text.Append(Encoding.UTF8.GetString(rdata.Slice(1, rdata[0])));
            rdata = rdata[(rdata[0] + 1)..];
        }
        return text.ToString();
    }
}
